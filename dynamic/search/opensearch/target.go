package opensearch

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// A Target is the address of a cluster and the name of its indexes.
type Target struct {
	// Nodes are base addresses, http or https, tried in turn.
	Nodes []string
	// Alias is the prefix of the name of each release's index.
	Alias string
	// User and Password are for basic authentication; empty for none.
	User, Password string
	// Shards is the number of shards of a new index.
	Shards int
}

// indexName is a name that OpenSearch allows, without special prefixes and with room for a
// key.
var indexName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,199}$`)

const maxShards = 1024

// Parse parses opensearch://[user:password@]host:port/index, or opensearchs:// for TLS, with
// ?node=host:port for each further node and ?shards=N. If the address has no user and
// password, the given ones are used. Errors never contain a password.
func Parse(address, user, password string) (*Target, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("this is not an address: write opensearch://host:9200/index, with %%40 for an @ in a password")
	}
	t := &Target{Alias: strings.Trim(u.Path, "/"), User: user, Password: password, Shards: 1}
	scheme := map[string]string{"opensearch": "http", "opensearchs": "https"}[u.Scheme]
	switch {
	case scheme == "":
		what := "this"
		if u.Scheme != "" {
			what = strconv.Quote(u.Scheme + "://")
		}
		return nil, fmt.Errorf("%s is not an OpenSearch address: write opensearch://host:9200/index, or opensearchs:// for TLS", what)
	case u.Hostname() == "":
		return nil, fmt.Errorf("the host is missing: write %s://host:9200/index", u.Scheme)
	case !indexName.MatchString(t.Alias):
		return nil, fmt.Errorf("%q is not an index name: write %s://%s/index, with a name of lower-case letters, digits, hyphens and underscores", t.Alias, u.Scheme, u.Host)
	case u.Fragment != "":
		return nil, fmt.Errorf("an OpenSearch address cannot contain #: write %%23 for one in a password")
	}
	if u.User != nil {
		t.User = u.User.Username()
		if own, has := u.User.Password(); has {
			t.Password = own
		}
	}
	t.Nodes = []string{node(scheme, u.Host)}
	for name, values := range u.Query() {
		switch name {
		case "node":
			for _, host := range values {
				if other, err := url.Parse(scheme + "://" + host); err != nil || other.Host != host || other.Hostname() == "" {
					return nil, fmt.Errorf("node=%s is not a host:port, as in node=search-2:9200", host)
				}
				t.Nodes = append(t.Nodes, node(scheme, host))
			}
		case "shards":
			n, err := strconv.Atoi(values[len(values)-1])
			if err != nil || n < 1 || n > maxShards {
				return nil, fmt.Errorf("shards=%s must be from 1 to %d", values[len(values)-1], maxShards)
			}
			t.Shards = n
		default:
			return nil, fmt.Errorf("%q is not a parameter of an OpenSearch address: use node or shards", name)
		}
	}
	return t, nil
}

func node(scheme, host string) string {
	if u := (&url.URL{Host: host}); u.Port() == "" {
		host += ":9200"
	}
	return scheme + "://" + host
}

// String returns the target without the password.
func (t *Target) String() string { return strings.Join(t.Nodes, ",") + "/" + t.Alias }
