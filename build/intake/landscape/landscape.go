// Package landscape reads landscape.yml, the format of the Linux Foundation's
// landscapes, with its guide and settings. It knows their keys, but not the existing
// content.
package landscape

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"souk/build/catalog"
	"souk/build/intake/feed"
	"souk/build/intake/merge"
	"souk/build/kit/fold"
)

// A Key is a key of an item, and the field where it goes: of a member the seller's, of
// other items the product's or service's.
type Key struct{ Name, Member, Offer string }

// Keys are the keys of items that are imported. A * matches any name.
var Keys = []Key{
	{"name", "seller.name", "name"},
	{"homepage_url", "seller.website", "website"},
	{"logo", "seller.logo", "media"},
	{"description", "seller.description", "description"},
	{"repo_url", "seller.links.Source code", "links.Source code"},
	{"additional_repos.repo_url", "seller.links.Repository", "links.Repository"},
	{"twitter", "seller.links.X", "links.X"},
	{"crunchbase", "seller.links.Crunchbase", "seller.links.Crunchbase"},
	{"organization.name", "seller.legalName", "seller.name"},
	{"joined", "seller.details.Member since", "attributes.Member since"},
	{"license", "seller.details.License", "attributes.License"},
	{"project", "seller.details.Project", "attributes.Maturity"},
	{"second_path", "seller.categories", "categories"},
	{"stock_ticker", "seller.details.Stock ticker", "seller.details.Stock ticker"},
	{"url_for_bestpractices", "seller.links.OpenSSF Best Practices", "links.OpenSSF Best Practices"},
	{"extra.accepted", "seller.details.Accepted", "attributes.Accepted"},
	{"extra.incubating", "seller.details.Incubating since", "attributes.Incubating since"},
	{"extra.graduated", "seller.details.Graduated", "attributes.Graduated"},
	{"extra.archived", "seller.details.Archived", "attributes.Archived"},
	{"extra.linkedin_url", "seller.links.LinkedIn", "links.LinkedIn"},
	{"extra.summary_use_case", "seller.summary", "summary"},
	{"extra.summary_business_use_case", "seller.details.Business use case", "attributes.Business use case"},
	{"extra.summary_integrations", "seller.details.Integrations", "attributes.Integrations"},
	{"extra.summary_integration", "seller.details.Integrations", "attributes.Integrations"},
	{"extra.summary_release_rate", "seller.details.Release rate", "attributes.Release rate"},
	{"extra.summary_personas", "seller.details.Personas", "attributes.Personas"},
	{"extra.summary_tags", "seller.keywords", "keywords"},
	{"extra.parent_project", "seller.details.Part of", "related as partOf; attributes.Part of if no item has the name"},
	{"extra.details", "seller.details.Details", "attributes.Details"},
	{"extra.audits.url", "seller.proof", "proof"},
	{"extra.audits.name", "seller.proof", "proof"},
	{"extra.audits.type", "seller.proof", "proof"},
	{"extra.audits.vendor", "seller.proof", "proof"},
	{"extra.audits.date", "seller.proof", "proof"},
	{"extra.*_url", "seller.links.*", "links.*"},
	{"*_url", "seller.links.*", "links.*"},
}

// Options say how a landscape is read.
type Options struct {
	// Guide and Settings are guide.yml and settings.yml or config.yml, if there are any.
	Guide, Settings []byte
	// Members is the category whose items are companies. "" is that of the settings, or
	// else the first whose name ends in Members.
	Members string
}

// services matches the categories of which items are services, unless the import says.
var services = regexp.MustCompile(`(?i)service provider|consult|training|managed service|\bhosted\b|professional services`)

type reader struct {
	b       *feed.Batch
	members string
	items   []*item
	// isMember contains the slugs of the organisations that are members.
	isMember map[string]bool
	// listed contains the offers of each category, for the market maps; named contains
	// them by name.
	listed map[string][]*feed.Thing
	named  map[string]*feed.Thing
	parts  []part
}

// A part is an offer with the name of the project that it belongs to.
type part struct {
	of   *feed.Thing
	name string
}

// An item is one entry of the landscape.
type item struct {
	line             int
	category, below  string
	leaves           []leaf
	organisation     string
	organisationName string
}

// A leaf is one value of an item.
type leaf struct {
	key  string
	node *yaml.Node
	// group tells the items of a list apart.
	group int
}

func (i *item) text(key string) string {
	for _, l := range i.leaves {
		if l.key == key {
			return strings.TrimSpace(l.node.Value)
		}
	}
	return ""
}

// Read adds a landscape to a batch.
func Read(b *feed.Batch, data []byte, o Options) error {
	r := &reader{b: b, members: o.Members, listed: map[string][]*feed.Thing{}, named: map[string]*feed.Thing{}, isMember: map[string]bool{}}
	if b.Services == nil {
		b.Services = services.MatchString
	}
	settings, err := document(o.Settings)
	if err != nil {
		return fmt.Errorf("read the settings of the landscape: %w", err)
	}
	r.members = cmp.Or(r.members, scalar(settings, "landscapeMemberCategory"), scalar(settings, "members_category"))
	d := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var n yaml.Node
		err := d.Decode(&n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read the landscape: %w", err)
		}
		for _, top := range n.Content {
			each(top, func(key string, list *yaml.Node) {
				if key != "landscape" && key != "categories" {
					r.lose(key, list)
					return
				}
				for _, category := range list.Content {
					r.category(category)
				}
			})
		}
	}
	if len(r.items) == 0 && len(b.Problems) == 0 {
		return errors.New("the file has no items: a landscape has them below landscape or categories")
	}
	r.organisations()
	for _, one := range r.items {
		r.item(one)
	}
	for _, p := range r.parts {
		if whole := r.named[fold.Text(p.name)]; whole != nil && whole != p.of {
			p.of.Fields = p.of.Fields.Set("related", merge.List{merge.Map{{Key: "ref", Value: feed.Link{To: whole, Form: catalog.Ref.String}}, {Key: "rel", Value: "partOf"}}})
			continue
		}
		attributes, _ := p.of.Fields.Get("attributes").(merge.Map)
		p.of.Fields = p.of.Fields.Set("attributes", attributes.Set("Part of", p.name))
	}
	if err := r.guide(o.Guide); err != nil {
		return fmt.Errorf("read the guide of the landscape: %w", err)
	}
	r.maps(settings)
	return nil
}

func document(data []byte) (*yaml.Node, error) {
	var n yaml.Node
	if len(bytes.TrimSpace(data)) == 0 {
		return &n, nil
	}
	if err := yaml.Load(data, &n); err != nil || len(n.Content) == 0 {
		return &n, err
	}
	return n.Content[0], nil
}

// each yields the pairs of a mapping.
func each(n *yaml.Node, yield func(key string, value *yaml.Node)) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		yield(n.Content[i].Value, value)
	}
}

func child(n *yaml.Node, name string) (found *yaml.Node) {
	found = &yaml.Node{}
	each(n, func(key string, value *yaml.Node) {
		if key == name {
			found = value
		}
	})
	return found
}

func scalar(n *yaml.Node, name string) string { return strings.TrimSpace(child(n, name).Value) }

const noPlace = "the key has no place in content"

// lose reports all values of a node that has no place.
func (r *reader) lose(key string, n *yaml.Node) {
	for _, l := range leavesOf(key, n, 0) {
		r.b.See(l.key, "", l.node.Value)
		r.b.Lose(l.key, noPlace, l.node.Line, 1)
	}
}

// category reads a category with the subcategories of its items.
func (r *reader) category(n *yaml.Node) {
	name := r.group("category", n, "subcategories", func(string, *yaml.Node) {})
	if r.members == "" && strings.HasSuffix(strings.ToLower(name), "members") {
		r.members = name
		r.b.Notes[fmt.Sprintf("took the items of %q for companies", name)]++
	}
	for _, below := range child(n, "subcategories").Content {
		r.group("subcategory", below, "items", func(below string, one *yaml.Node) {
			r.items = append(r.items, &item{line: one.Line, category: name, below: below, leaves: leavesOf("", one, 0)})
		})
	}
}

// group counts the name of a category, which its items express, and calls add for each of
// its items.
func (r *reader) group(what string, n *yaml.Node, items string, add func(name string, item *yaml.Node)) (name string) {
	name = scalar(n, "name")
	each(n, func(key string, value *yaml.Node) {
		switch {
		case key == items:
			for _, one := range value.Content {
				add(name, one)
			}
		case key == "name" && value.Value != "":
			r.b.See("category.name", "category.name", name)
			r.b.Carried++
		default:
			r.lose(what+"."+key, value)
		}
	})
	return name
}

// leavesOf returns the values below a node.
func leavesOf(key string, n *yaml.Node, group int) (all []leaf) {
	switch n.Kind {
	case yaml.AliasNode:
		return leavesOf(key, n.Alias, group)
	case yaml.MappingNode:
		each(n, func(name string, value *yaml.Node) {
			if key != "" {
				name = key + "." + name
			}
			all = append(all, leavesOf(name, value, group)...)
		})
	case yaml.SequenceNode:
		for i, item := range n.Content {
			all = append(all, leavesOf(key, item, i+1)...)
		}
	case yaml.ScalarNode:
		if n.ShortTag() != "!!null" && strings.TrimSpace(n.Value) != "" {
			all = append(all, leaf{key, n, group})
		}
	}
	return all
}

// organisations decides which organisation each item belongs to, and how it is called.
func (r *reader) organisations() {
	names := map[string]string{}
	rank := map[string]int{}
	for _, one := range r.items {
		name, by := one.text("name"), 1
		organisation := one.text("organization.name")
		if _, slug, found := strings.Cut(one.text("crunchbase"), "/organization/"); found {
			one.organisation = feed.Slug(strings.Trim(slug, "/"))
		} else {
			one.organisation = feed.Slug(cmp.Or(organisation, name))
		}
		switch {
		case one.category == r.members:
			by, r.isMember[one.organisation] = 4, true
		case organisation != "":
			name, by = organisation, 3
		case feed.Slug(name) == one.organisation:
			by = 2
		}
		if by > rank[one.organisation] {
			names[one.organisation], rank[one.organisation] = name, by
		}
	}
	for _, one := range r.items {
		if one.organisationName = names[one.organisation]; rank[one.organisation] == 1 {
			// Nothing but its address at Crunchbase says how it is called.
			one.organisationName = cases.Title(language.Und).String(strings.ReplaceAll(one.organisation, "-", " "))
			r.b.Notes["named the organisation of an item after its address at Crunchbase"]++
		}
	}
}

// target returns where a key of an item goes.
func target(key string, member bool, kind string) string {
	for _, k := range Keys {
		name, matches := "", k.Name == key
		if before, after, pattern := strings.Cut(k.Name, "*"); pattern && strings.HasPrefix(key, before) && strings.HasSuffix(key, after) {
			name, matches = key[len(before):len(key)-len(after)], !strings.Contains(key[len(before):], ".")
		}
		if !matches {
			continue
		}
		to := k.Offer
		if member {
			to = k.Member
		}
		words := strings.ReplaceAll(name, "_", " ")
		if words != "" {
			words = strings.ToUpper(words[:1]) + words[1:]
		}
		to = strings.Replace(to, "*", words, 1)
		if strings.HasPrefix(to, "seller.") {
			return to
		}
		return kind + "." + to
	}
	return ""
}

func (r *reader) item(one *item) {
	member, kind := one.category == r.members, "product"
	if r.b.Services(one.category) || r.b.Services(one.below) {
		kind = "service"
	}
	if member {
		kind = "seller"
	}
	cells := []feed.Cell{{Target: "seller.slug", Text: one.organisation, Silent: true}, {Target: kind + ".categories", Paths: [][]string{{one.category, one.below}}, Silent: true}}
	if member {
		cells = append(cells, feed.Cell{Target: "seller.details.Membership", Text: one.below, Silent: true})
	}
	audits, whole := map[int]merge.Map{}, ""
	with, named := 0, false // with counts what is carried by the thing as a whole
	for _, l := range one.leaves {
		to, text := target(l.key, member, kind), strings.TrimSpace(l.node.Value)
		r.b.See(l.key, to, text)
		cell := feed.Cell{Column: l.key, Target: to, Text: text}
		switch {
		case to == "":
			r.b.Lose(l.key, noPlace, l.node.Line, 1)
			continue
		case to == "seller.legalName" && text == one.text("name"), to == "seller.name" && !member:
			with++ // it says which organisation this is
			continue
		case to == "seller.name":
			named = true
		case strings.HasPrefix(l.key, "extra.audits."):
			audits[l.group] = audits[l.group].Set(strings.TrimPrefix(l.key, "extra.audits."), text)
			with++
			continue
		case l.key == "extra.parent_project" && !member:
			whole = text
			with++
			continue
		case l.key == "second_path":
			cell.Paths = [][]string{slashes.Split(text, -1)}
		case strings.Contains(to, ".attributes.") && listed(l.key, text):
			cell.Value = merge.Map{{Key: to[strings.LastIndexByte(to, '.')+1:], Value: merge.Texts(feed.Split(text)...)}}
		case l.key == "logo":
			cell.Label = one.text("name") + " logo"
		case l.key == "description":
			var summary string
			cell.Target, summary = described(kind, text)
			if one.text("extra.summary_use_case") != "" {
				summary = ""
				if cell.Target == kind+".summary" {
					cell.Target = kind + ".description"
				}
			}
			cells = append(cells, feed.Cell{Target: kind + ".summary", Text: summary, Silent: true})
		}
		cells = append(cells, cell)
	}
	if !named {
		cells = append(cells, feed.Cell{Target: "seller.name", Text: one.organisationName, Silent: true})
	}
	for _, group := range slices.Sorted(maps.Keys(audits)) {
		cells = append(cells, feed.Cell{Target: kind + ".proof", Value: merge.List{proof(audits[group])}, Silent: true})
	}
	t := r.b.Row(one.line, cells)
	if t == nil {
		r.b.Lose("(the whole row)", "its item was refused", one.line, with)
		return
	}
	t.Values += with
	if member {
		return
	}
	homepage := one.text("homepage_url")
	for _, id := range []string{one.text("repo_url"), homepage} {
		if id != "" {
			t.Keys = append(t.Keys, "at "+strings.TrimSuffix(id, "/"))
		}
	}
	if homepage != "" && !r.isMember[one.organisation] {
		t.Seller.Websites = append(t.Seller.Websites, homepage)
	}
	if whole != "" {
		r.parts = append(r.parts, part{t, whole})
	}
	r.listed[one.category] = append(r.listed[one.category], t)
	r.named[fold.Text(one.text("name"))] = t
}

// listed reports whether the text of a key lists names, and is no sentence.
func listed(key, text string) bool {
	names := feed.Split(text)
	return slices.Contains([]string{"extra.summary_personas", "extra.summary_integrations", "extra.summary_integration"}, key) && len(names) > 1 &&
		!slices.ContainsFunc(names, func(name string) bool { return len(name) > 40 || strings.HasSuffix(name, ".") })
}

// short is the longest description that is a summary by itself.
const short = 200

var (
	slashes  = regexp.MustCompile(`\s*/\s*`)
	tags     = regexp.MustCompile(`<[A-Za-z/!]`)
	sentence = regexp.MustCompile(`(?s)^.{20,200}?[.!?](\s|$)`)
)

// described returns where a description goes, and a summary for a long one: its first
// sentence.
func described(kind, text string) (target, summary string) {
	first := strings.TrimSpace(sentence.FindString(text))
	if tags.MatchString(first) {
		first = ""
	}
	switch {
	case tags.MatchString(text):
		target = kind + ".html"
	case len([]rune(text)) <= short && !strings.Contains(text, "\n"):
		return kind + ".summary", ""
	default:
		target = kind + ".description"
	}
	return target, strings.Join(strings.Fields(first), " ")
}

// proof returns an audit as an item of proof.
func proof(audit merge.Map) merge.Map {
	p := merge.Map{{Key: "kind", Value: "review"}, {Key: "title", Value: cmp.Or(audit.Text("name"), audit.Text("type"), "Audit")}}
	p = p.Set("issuer", audit.Get("vendor")).Set("url", audit.Get("url"))
	if date := audit.Text("date"); date != "" {
		p = p.Set("date", merge.Raw(date))
	}
	return p.Set("public", merge.Raw("true"))
}

// guide makes an article of each category of guide.yml.
func (r *reader) guide(data []byte) error {
	guide, err := document(data)
	if err != nil {
		return err
	}
	each(guide, func(key string, list *yaml.Node) {
		if key != "categories" {
			r.lose("guide."+key, list)
			return
		}
		for _, category := range list.Content {
			name := scalar(category, "category")
			t := r.b.Thing(catalog.KindArticle, catalog.KindNone, "article on "+name, category.Line)
			t.Slug, t.Named = "guide-"+feed.Slug(name), false
			text := r.section(t, category, "")
			for _, below := range child(category, "subcategories").Content {
				text += r.section(t, below, "## "+scalar(below, "subcategory")+"\n\n")
			}
			t.Fields = merge.Map{{Key: "title", Value: name}, {Key: "description", Value: strings.TrimSpace(text)}}
		}
	})
	return nil
}

// section returns the text of a category in the guide.
func (r *reader) section(t *feed.Thing, n *yaml.Node, heading string) (text string) {
	each(n, func(key string, value *yaml.Node) {
		switch key {
		case "category", "subcategory":
			r.b.See("guide."+key, "article.title", value.Value)
			t.Values++
		case "content":
			r.b.See("guide."+key, "article.description", value.Value)
			t.Values++
			text = value.Value
			if tags.MatchString(text) {
				text, _ = r.b.Markdown(text)
			}
			text = heading + strings.TrimSpace(text) + "\n\n"
		case "subcategories":
		default:
			r.lose("guide."+key, value)
		}
	})
	return text
}

// maps makes a market map of each group of the settings.
func (r *reader) maps(settings *yaml.Node) {
	for _, group := range child(settings, "groups").Content {
		name := scalar(group, "name")
		var segments merge.List
		for _, category := range child(group, "categories").Content {
			entries := merge.List{}
			for _, t := range r.listed[category.Value] {
				entries = append(entries, feed.Link{To: t, Form: catalog.Ref.String})
			}
			if len(entries) > 0 {
				segments = append(segments, merge.Map{{Key: "name", Value: category.Value}, {Key: "entries", Value: entries}})
			}
		}
		if len(segments) > 0 {
			t := r.b.Thing(catalog.KindMarketMap, catalog.KindNone, "market map "+name, group.Line)
			t.Slug, t.Named = feed.Slug(name), false
			t.Fields = merge.Map{{Key: "title", Value: name}, {Key: "segments", Value: segments}}
		}
	}
}
