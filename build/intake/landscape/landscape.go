// Package landscape reads landscape.yml, the file of the Linux Foundation's landscapes,
// with its guide and settings. It knows their keys, and refuses to know what content
// there is.
package landscape

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/intake/feed"
	"souk/build/intake/merge"
)

// A Key is a key of an item, and the field where it goes: of a member the seller's, of
// other items the product's or service's.
type Key struct{ Name, Member, Offer string }

// Keys are the keys of items that have a place in content. A * stands for any name.
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
	{"extra.summary_use_case", "seller.details.Use case", "summary"},
	{"extra.summary_business_use_case", "seller.details.Business use case", "attributes.Business use case"},
	{"extra.summary_integrations", "seller.details.Integrations", "attributes.Integrations"},
	{"extra.summary_integration", "seller.details.Integrations", "attributes.Integrations"},
	{"extra.summary_release_rate", "seller.details.Release rate", "attributes.Release rate"},
	{"extra.summary_personas", "seller.details.For", "attributes.For"},
	{"extra.summary_tags", "seller.keywords", "keywords"},
	{"extra.parent_project", "seller.details.Part of", "attributes.Part of"},
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
	// isMember has the organisations that are members, by their slugs.
	isMember map[string]bool
	// listed are the offers of each category and subcategory, for the market maps.
	listed map[string][]*feed.Thing
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
	r := &reader{b: b, members: o.Members, listed: map[string][]*feed.Thing{}, isMember: map[string]bool{}}
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
		if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
			r.document(n.Content[0])
		}
	}
	if len(r.items) == 0 && len(b.Problems) == 0 {
		return errors.New("the file has no items: a landscape has them below landscape or categories")
	}
	r.organisations()
	for _, one := range r.items {
		r.item(one)
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
	if err := yaml.Load(data, &n); err != nil {
		return nil, err
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

// lose reports all values of a node that has no place.
func (r *reader) lose(key, reason string, n *yaml.Node) {
	for _, l := range leavesOf(key, n, 0) {
		r.b.See(l.key, "", l.node.Value)
		r.b.Lose(l.key, reason, l.node.Line, 1)
	}
}

const noPlace = "the key has no place in content"

func (r *reader) document(n *yaml.Node) {
	each(n, func(key string, list *yaml.Node) {
		if key != "landscape" && key != "categories" {
			r.lose(key, noPlace, n)
			return
		}
		for _, category := range list.Content {
			name := scalar(category, "name")
			if r.members == "" && strings.HasSuffix(strings.ToLower(name), "members") {
				r.members = name
				r.b.Notes[fmt.Sprintf("took the items of %q for companies", name)]++
			}
			r.named(child(category, "name"))
			each(category, func(key string, value *yaml.Node) {
				switch key {
				case "name":
				case "subcategories":
					for _, below := range value.Content {
						r.subcategory(name, below)
					}
				default:
					r.lose("category."+key, noPlace, value)
				}
			})
		}
	})
}

func (r *reader) subcategory(category string, n *yaml.Node) {
	name := scalar(n, "name")
	r.named(child(n, "name"))
	each(n, func(key string, value *yaml.Node) {
		switch key {
		case "name":
		case "items":
			for _, one := range value.Content {
				r.items = append(r.items, &item{line: one.Line, category: category, below: name, leaves: leavesOf("", one, 0)})
			}
		default:
			r.lose("subcategory."+key, noPlace, value)
		}
	})
}

// named counts the name of a category, which is carried where something is in it.
func (r *reader) named(n *yaml.Node) {
	if n.Value == "" {
		return
	}
	r.b.See("category.name", "category.name", n.Value)
	r.b.Carried++
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
			words := strings.Split(one.organisation, "-")
			for i, word := range words {
				words[i] = strings.ToUpper(word[:min(1, len(word))]) + word[min(1, len(word)):]
			}
			one.organisationName = strings.Join(words, " ")
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
	member := one.category == r.members
	kind := "product"
	if r.b.Services(one.category) || r.b.Services(one.below) {
		kind = "service"
	}
	path := []string{one.category, one.below}
	cells := []feed.Cell{{Target: "seller.slug", Text: one.organisation, Silent: true}}
	if !member {
		cells = append(cells, feed.Cell{Target: kind + ".categories", Paths: [][]string{path}, Silent: true})
	} else {
		cells = append(cells, feed.Cell{Target: "seller.categories", Paths: [][]string{path}, Silent: true}, feed.Cell{Target: "seller.details.Membership", Text: one.below, Silent: true})
	}
	named := false
	audits := map[int]merge.Map{}
	with, homepage := 0, ""
	for _, l := range one.leaves {
		to := target(l.key, member, kind)
		text := strings.TrimSpace(l.node.Value)
		r.b.See(l.key, to, text)
		cell := feed.Cell{Column: l.key, Target: to, Text: text}
		switch {
		case to == "":
			r.b.Lose(l.key, noPlace, l.node.Line, 1)
			continue
		case to == "seller.legalName" && text == one.text("name"), to == "seller.name" && !member:
			with++ // it says which organisation this is
			continue
		case strings.HasSuffix(to, ".name") && strings.HasPrefix(to, "seller"):
			named = true
		case strings.HasSuffix(to, ".proof"):
			audits[l.group] = audits[l.group].Set(strings.TrimPrefix(l.key, "extra.audits."), text)
			with++
			continue
		case l.key == "second_path":
			names := strings.Split(text, "/")
			for i := range names {
				names[i] = strings.TrimSpace(names[i])
			}
			cell.Paths = [][]string{names}
		case l.key == "logo":
			cell.Label = one.text("name") + " logo"
		case l.key == "description":
			cells = append(cells, described(strings.TrimSuffix(to, ".description"), text)...)
			if tags.MatchString(text) {
				cell.Target = strings.TrimSuffix(to, "description") + "html"
			} else if len([]rune(text)) <= short && !strings.Contains(text, "\n") {
				cell.Target = strings.TrimSuffix(to, "description") + "summary"
			}
		case l.key == "homepage_url":
			homepage = text
		}
		cells = append(cells, cell)
	}
	if !named {
		cells = append(cells, feed.Cell{Target: "seller.name", Text: one.organisationName, Silent: true})
	}
	for group := range len(audits) + 1 {
		if a := audits[group]; len(a) > 0 {
			cells = append(cells, feed.Cell{Target: map[bool]string{true: "seller", false: kind}[member] + ".proof", Value: merge.List{proof(a)}, Silent: true})
		}
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
	for _, id := range []string{one.text("repo_url"), homepage} {
		if id != "" {
			t.Keys = append(t.Keys, "at "+strings.TrimSuffix(id, "/"))
		}
	}
	if t.Seller != nil && homepage != "" && !r.isMember[one.organisation] {
		t.Seller.Websites = append(t.Seller.Websites, homepage)
	}
	r.listed[one.category] = append(r.listed[one.category], t)
}

// short is the longest description that is a summary by itself.
const short = 200

var (
	tags     = regexp.MustCompile(`<[A-Za-z/!]`)
	sentence = regexp.MustCompile(`(?s)^.{20,200}?[.!?](\s|$)`)
)

// described returns a summary for a long description: its first sentence.
func described(kind, text string) []feed.Cell {
	first := strings.TrimSpace(sentence.FindString(text))
	if len([]rune(text)) <= short && !strings.Contains(text, "\n") || first == "" || tags.MatchString(first) {
		return nil
	}
	return []feed.Cell{{Target: kind + ".summary", Text: strings.Join(strings.Fields(first), " "), Silent: true}}
}

// proof returns an audit as an item of proof.
func proof(audit merge.Map) merge.Map {
	text := func(key string) string { s, _ := merge.Text(audit.Get(key)); return s }
	p := merge.Map{{Key: "kind", Value: "review"}, {Key: "title", Value: cmp.Or(text("name"), text("type"), "Audit")}}
	for _, field := range [][2]string{{"issuer", "vendor"}, {"url", "url"}} {
		if s := text(field[1]); s != "" {
			p = p.Set(field[0], s)
		}
	}
	if s := text("date"); s != "" {
		p = p.Set("date", merge.Raw(s))
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
			r.lose("guide."+key, noPlace, list)
			return
		}
		for _, category := range list.Content {
			r.article(category)
		}
	})
	return nil
}

func (r *reader) article(category *yaml.Node) {
	name := scalar(category, "category")
	t := r.b.Thing(catalog.KindArticle, catalog.KindNone, "article on "+name, category.Line)
	t.Slug, t.Named = "guide-"+feed.Slug(name), false
	var text strings.Builder
	add := func(n *yaml.Node, heading string) {
		each(n, func(key string, value *yaml.Node) {
			switch key {
			case "category", "subcategory":
				r.b.See("guide."+key, "article.title", value.Value)
				t.Values++
			case "content":
				r.b.See("guide."+key, "article", value.Value)
				body := value.Value
				if tags.MatchString(body) {
					body, _ = r.b.Markdown(body)
				}
				fmt.Fprintf(&text, "%s%s\n\n", heading, strings.TrimSpace(body))
				t.Values++
			case "subcategories":
			default:
				r.lose("guide."+key, noPlace, value)
			}
		})
	}
	add(category, "")
	for _, below := range child(category, "subcategories").Content {
		add(below, "## "+scalar(below, "subcategory")+"\n\n")
	}
	t.Fields = merge.Map{{Key: "title", Value: name}, {Key: "description", Value: strings.TrimSpace(text.String())}}
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
