package source

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/problem"
)

// ReadRemovals reads a list of removed sellers: YAML or JSON, a list, or a
// mapping with such a list under "removals". An item is a canonical id or an
// official domain as text, or a mapping of id and officialDomain. Whatever is
// not understood is an error, since a removal that is passed over would bring a
// seller back.
func ReadRemovals(file string) (*catalog.Removals, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the removals: %w", err)
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
		return nil, fmt.Errorf("read the removals: %s holds no list: write [] where nobody is removed", file)
	}
	var list []catalog.Removal
	var addresses []string
	for _, item := range n.Content {
		removal, ever := d.removal(resolve(item))
		list, addresses = append(list, removal), append(addresses, ever...)
	}
	if len(d.problems) > 0 {
		var all []error
		for _, p := range d.problems {
			all = append(all, errors.New(p.String()))
		}
		return nil, fmt.Errorf("read the removals: %w", errors.Join(all...))
	}
	return catalog.NewRemovals(list, addresses...), nil
}

// removalFields are the keys of an item; those with false say more about a
// removal than a build needs.
var removalFields = map[string]bool{
	"id": true, "officialDomain": true, "domain": true,
	"addresses": true, "companySlug": false, "slug": false, "name": false, "removedAt": false, "reason": false, "requestId": false,
}

// formerAddresses reads those that a removed seller ever had: a build without
// the history keeps them gone.
func (d *decoder) formerAddresses(n *yaml.Node) (addresses []string) {
	if n.Kind != yaml.SequenceNode {
		d.wrong(n, "", "addresses takes a list, not %s", what(n))
		return nil
	}
	for _, item := range n.Content {
		if item = resolve(item); item.Kind != yaml.ScalarNode {
			d.wrong(item, "", "an address takes text, not %s", what(item))
			continue
		}
		addresses = append(addresses, item.Value)
	}
	return addresses
}

func (d *decoder) removal(n *yaml.Node) (r catalog.Removal, addresses []string) {
	if n.Kind == yaml.ScalarNode && !isNull(n) && strings.TrimSpace(n.Value) != "" {
		r.ID = strings.TrimSpace(n.Value)
		r.Domain, _ = asciiDomain(r.ID)
		return r, nil
	}
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "", "a removal takes an id or a domain as text, or a mapping of id and officialDomain, not %s", what(n))
		return r, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		needed, known := removalFields[key.Value]
		switch {
		case !known:
			d.wrong(key, problem.Nearest(key.Value, []string{"id", "officialDomain"}), "unknown field %q of a removal", shorten(key.Value))
		case !needed || isNull(value):
		case key.Value == "addresses":
			addresses = d.formerAddresses(value)
		case value.Kind != yaml.ScalarNode:
			d.wrong(value, "", "%s takes text, not %s", key.Value, what(value))
		case key.Value == "id":
			r.ID = value.Value
		default:
			ascii, ok := asciiDomain(value.Value)
			if !ok {
				d.wrong(value, "", "%q is no domain", shorten(value.Value))
			}
			r.Domain = ascii
		}
	}
	if r.ID == "" && r.Domain == "" {
		d.wrong(n, "", "the removal names neither id nor officialDomain")
	}
	return r, addresses
}
