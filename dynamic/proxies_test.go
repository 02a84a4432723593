package dynamic

import (
	"regexp"
	"testing"
	"time"

	"souk/build/delivery/hosts"
	"souk/dynamic/machines/mirror"
)

// TestProxiesWaitAsLongAsARemovalTakes compares the configurations of other servers
// with the time that a removal waits for its release. A client that is cut off earlier
// would not learn that the removal is recorded and need not be repeated.
func TestProxiesWaitAsLongAsARemovalTakes(t *testing.T) {
	waits := map[string]*regexp.Regexp{
		"nginx": regexp.MustCompile(`proxy_read_timeout (\d+s);`),
		"caddy": regexp.MustCompile(`response_header_timeout (\d+s)\n`),
	}
	for name, wait := range waits {
		host, _ := hosts.Lookup(name)
		files, err := host.Write(hosts.Settings{Public: t.TempDir(), Bind: ":80", Dynamic: "http://127.0.0.1:8080"})
		if err != nil {
			t.Fatal(err)
		}
		found := wait.FindSubmatch(files[0].Body)
		if found == nil {
			t.Fatalf("%s: how long it waits for an answer is not in the configuration", name)
		}
		d, err := time.ParseDuration(string(found[1]))
		if err != nil || d <= patience+mirror.Patience {
			t.Errorf("%s waits for %s (%v), and a removal up to %s", name, d, err, patience+mirror.Patience)
		}
	}
}
