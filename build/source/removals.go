package source

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// ReadRemovals reads a list of removed sellers: YAML or JSON, either a list or a mapping with
// such a list under "removals". An item is a canonical id or an official domain as text, or a
// mapping of id, officialDomain and companySlug, as 'souk removals --export' writes it.
// Anything else is an error, because skipping a removal would bring a seller back. So is a
// restore a day or more in the future; a smaller difference may be due to clocks and time
// zones.
func ReadRemovals(file string, now time.Time) (*catalog.Removals, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the removals: %w", err)
	}
	if info, err := os.Stat(file); err == nil && len(data) == 0 && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read the removals: %s is empty: a pipe can be read only once, and some commands read the list twice: write it to a file first", file)
	}
	d := &decoder{file: file}
	n := d.root(string(data))
	if n == nil {
		return nil, fmt.Errorf("read the removals: %s", d.problems[0])
	}
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "removals" {
		n = resolve(n.Content[1])
	}
	if n.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("read the removals: %s does not contain a list: write [] if no seller is removed", file)
	}
	var list []catalog.Removal
	for _, item := range n.Content {
		list = append(list, d.removal(resolve(item), now))
	}
	if len(d.problems) > 0 {
		var all []error
		for _, p := range d.problems {
			all = append(all, errors.New(p.String()))
		}
		return nil, fmt.Errorf("read the removals: %w", errors.Join(all...))
	}
	return catalog.NewRemovals(list), nil
}

// removalFields are the keys of an item. A build does not need those with the value false.
var removalFields = map[string]bool{
	"id": true, "formerIds": true, "officialDomain": true, "domain": true, "companySlug": true, "slug": true, "beside": true, "restoredAt": true,
	"addresses": true, "removedAt": true, "name": false, "reason": false, "requestId": false,
}

// removalSynonyms are further names of fields.
var removalSynonyms = map[string]string{"domain": "officialDomain", "slug": "companySlug"}

// texts reads a list of texts in a removal, or returns nil.
func (d *decoder) texts(key string, n *yaml.Node) (all []string) {
	if n.Kind != yaml.SequenceNode {
		d.wrong(n, "", "%s takes a list, not %s", key, what(n))
		return nil
	}
	all = []string{}
	for _, item := range n.Content {
		if item = resolve(item); item.Kind != yaml.ScalarNode {
			d.wrong(item, "", "%s takes a list of texts, not %s", key, what(item))
			continue
		}
		all = append(all, item.Value)
	}
	return all
}

func (d *decoder) removal(n *yaml.Node, now time.Time) (r catalog.Removal) {
	if n.Kind == yaml.ScalarNode && !isNull(n) && strings.TrimSpace(n.Value) != "" {
		r.ID = strings.TrimSpace(n.Value)
		r.Domain, _ = asciiDomain(r.ID)
		return r
	}
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "", "a removal takes an id or a domain as text, or a mapping of id and officialDomain, not %s", what(n))
		return r
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		needed, known := removalFields[key.Value]
		field := cmp.Or(removalSynonyms[key.Value], key.Value)
		again := seen[field]
		seen[field] = true
		switch {
		case !known:
			d.wrong(key, problem.Nearest(key.Value, []string{"id", "officialDomain", "companySlug"}), "unknown field %q of a removal", shorten(key.Value))
		case again: // otherwise the last one would count, and the first one's seller come back
			d.wrong(key, "each removal begins with a hyphen", "the field %q appears twice in one removal", field)
		case !needed || isNull(value):
		case key.Value == "addresses":
			r.Addresses = d.texts(key.Value, value)
		case key.Value == "formerIds":
			r.FormerIDs = d.texts(key.Value, value)
		case key.Value == "beside":
			r.SeparateIDs = d.texts(key.Value, value)
		case value.Kind != yaml.ScalarNode:
			d.wrong(value, "", "%s takes text, not %s", key.Value, what(value))
		case key.Value == "id":
			r.ID = value.Value
		case key.Value == "companySlug", key.Value == "slug":
			r.Slug = value.Value
		case key.Value == "removedAt", key.Value == "restoredAt":
			if value.Value == "" {
				break
			}
			var at date
			at.fromNode(d, value)
			switch {
			case key.Value == "removedAt" && !at.Day: // a day cannot distinguish two removals
				r.At = at.Time
			case key.Value == "removedAt":
			case at.Time.Sub(now) >= 24*time.Hour:
				d.wrong(value, "write restoredAt once the seller is restored", "restoredAt is in the future, so the removal is still in force")
			default: // the time of the decision; releases learn of it when they read it
				r.Undone = now
			}
		case value.Value == "": // the company had no domain
		default:
			ascii, ok := asciiDomain(value.Value)
			if !ok {
				d.wrong(value, "", "%q is not a domain", shorten(value.Value))
			}
			r.Domain = ascii
		}
	}
	if r.ID == "" && r.Domain == "" {
		d.wrong(n, "", "the removal has neither id nor officialDomain")
	}
	return r
}
