// Package intake imports things from a source into a content folder, repeatedly: it finds
// the file of each thing, merges changes of the source with people's edits, and writes
// all files in one step. It does not know the formats of sources or what the fields mean.
package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/intake/edit"
	"souk/build/intake/feed"
	"souk/build/intake/merge"
	"souk/build/kit/journal"
	"souk/build/kit/problem"
)

// Options say how a batch is brought into content.
type Options struct {
	Content string
	// Name is the name of the import, and of its files in imports/.
	Name string
	// Accept decides fields that the source and a person changed differently.
	Accept merge.Accept
	// AllowShrink allows unpublishing more than a fifth of the imported things.
	AllowShrink bool
	// KeepGoing imports the rest if some rows cannot be.
	KeepGoing bool
	// DryRun writes nothing.
	DryRun bool
	// Removals says who was removed, and is never imported again.
	Removals *catalog.Removals
	// Mistakes returns the mistakes that souk check finds within a file.
	Mistakes func(file string, data []byte) problem.List
	// Picture returns a picture of the source; Fetch means that pictures at web
	// addresses are downloaded.
	Picture func(name string) ([]byte, error)
	Fetch   bool
	// Settings are the bytes of imports/NAME.yaml.
	Settings []byte
}

// A Conflict is a field that the source and a person changed differently.
type Conflict struct {
	File   string `json:"file"`
	Field  string `json:"field"`
	Yours  string `json:"yours"`
	Source string `json:"source"`
}

// A Report describes what an import did or would do.
type Report struct {
	Columns  []*feed.Column `json:"columns"`
	Lost     []*feed.Loss   `json:"lost"`
	Problems []feed.Problem `json:"problems"`
	Notes    map[string]int `json:"notes"`
	// Values are the values of the source: found = carried + lost + withheld.
	Values struct {
		Found    int `json:"found"`
		Carried  int `json:"carried"`
		Lost     int `json:"lost"`
		Withheld int `json:"withheld"`
	} `json:"values"`
	Conflicts []Conflict `json:"conflicts"`
	// Withheld is how many sellers were removed, and are not imported.
	Withheld int `json:"withheldSellers"`
	Sellers  int `json:"sellers"`
	// ByMail is how many of the sellers have an official domain.
	ByMail      int            `json:"sellersWithDomain"`
	Things      map[string]int `json:"things"`
	Created     int            `json:"created"`
	Changed     int            `json:"changed"`
	Unpublished int            `json:"unpublished"`
	// Written are the files, relative to the content folder.
	Written []string `json:"written"`
}

// ErrRows means that nothing was written since some rows cannot be imported.
var ErrRows = errors.New("some rows cannot be imported; nothing was written (--keep-going imports the others)")

// ErrConflicts means that a field has two values.
var ErrConflicts = errors.New("some fields were changed by hand and by the source: yours stay (--accept ours keeps them for good, --accept theirs takes the source's)")

// Run brings a batch into content. The report is whole even if there is an error.
func Run(ctx context.Context, b *feed.Batch, o Options) (*Report, error) {
	p := &planner{
		Options: o, batch: b, report: &Report{Notes: b.Notes, Things: map[string]int{}}, writes: map[string][]byte{}, files: map[catalog.Ref]*file{},
		refs: map[*feed.Thing]catalog.Ref{}, taken: map[catalog.Ref]bool{}, entryOf: map[*feed.Thing]*entry{}, out: map[*feed.Thing]bool{},
	}
	err := p.run(ctx)
	r := p.report
	r.Columns, r.Lost, r.Problems = b.Columns, b.Losses(), b.Problems
	v := &r.Values
	v.Found, v.Lost, v.Carried = b.Found, b.Lost(), v.Carried+b.Carried
	switch {
	case err != nil:
		return r, err
	case v.Carried+v.Lost+v.Withheld != v.Found:
		return r, fmt.Errorf("of the %d values of the source %d are carried, %d lost and %d withheld, which is another number: this is a defect of souk; nothing was written", v.Found, v.Carried, v.Lost, v.Withheld)
	case len(b.Problems) > 0 && !o.KeepGoing:
		return r, ErrRows
	}
	changes := p.changes()
	for _, c := range changes {
		r.Written = append(r.Written, c.Path)
	}
	if !o.DryRun {
		if err := journal.Commit(o.Content, changes); err != nil {
			return r, err
		}
	}
	if len(r.Conflicts) > 0 {
		return r, ErrConflicts
	}
	return r, nil
}

type planner struct {
	Options
	batch   *feed.Batch
	report  *Report
	entries []*entry
	// refs are the References of this import's things; taken are those in use.
	refs  map[*feed.Thing]catalog.Ref
	taken map[catalog.Ref]bool
	// files are the content files that were read; nil for a file that does not
	// exist.
	files map[catalog.Ref]*file
	// base are the References that this import wrote before, and strangers the sellers that
	// it did not write, by their official domains.
	base      map[catalog.Ref]bool
	strangers map[string]catalog.Ref
	// entryOf maps each thing that was imported before to its entry.
	entryOf map[*feed.Thing]*entry
	out     map[*feed.Thing]bool // withheld or refused
	writes  map[string][]byte    // nil deletes
}

// order is the order in which kinds refer to one another.
var order = []catalog.Kind{catalog.KindCategory, catalog.KindSeller, catalog.KindProduct, catalog.KindService, catalog.KindArticle, catalog.KindMarketMap}

func (p *planner) run(ctx context.Context) (err error) {
	if p.entries, err = readBase(p.Content, p.Name); err != nil {
		return err
	}
	p.base = map[catalog.Ref]bool{}
	for _, e := range p.entries {
		p.base[e.ref] = true
	}
	if err := p.findStrangers(); err != nil {
		return err
	}
	p.deriveDomains()
	byKind := map[catalog.Kind][]*feed.Thing{}
	for _, t := range p.batch.Things {
		byKind[t.Kind] = append(byKind[t.Kind], t)
	}
	byKey := map[string][]*entry{}
	for _, e := range p.entries {
		for _, key := range e.keys {
			byKey[key] = append(byKey[key], e)
		}
	}
	for _, kind := range order {
		p.match(byKind[kind], byKey)
		for _, t := range byKind[kind] {
			if err := p.place(t); err != nil {
				return err
			}
			if p.withheld(t) {
				p.out[t] = true
				p.report.Values.Withheld += t.Values
			}
		}
	}
	p.uniqueSKUs(byKind[catalog.KindProduct])
	for _, kind := range order {
		for _, t := range byKind[kind] {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !p.out[t] {
				p.bring(t)
			}
			delete(p.files, p.refs[t]) // there may be many
			t.Fields = nil
		}
	}
	return p.unpublish()
}

// match finds the entry of each thing by the best key that only one thing has.
func (p *planner) match(things []*feed.Thing, byKey map[string][]*entry) {
	matched := map[*entry]bool{}
	for nth, more := 0, len(byKey) > 0; more; nth++ {
		more = false
		for _, t := range things {
			keys := p.keys(t)
			if p.entryOf[t] != nil || nth >= len(keys) {
				continue
			}
			more = true
			free := slices.DeleteFunc(slices.Clone(byKey[keys[nth]]), func(e *entry) bool { return matched[e] || e.ref.Kind != t.Kind })
			if len(free) == 1 {
				p.entryOf[t], matched[free[0]] = free[0], true
			}
		}
	}
}

// keys returns the keys of a thing as stored in the base. Those of an offer begin with
// the Reference of its seller, which does not change if the seller is renamed.
func (p *planner) keys(t *feed.Thing) []string {
	if t.Seller == nil {
		return t.Keys
	}
	var keys []string
	for _, key := range t.Keys {
		keys = append(keys, p.refs[t.Seller].String()+" "+key)
	}
	return keys
}

// place decides the Reference of a thing.
func (p *planner) place(t *feed.Thing) error {
	ref, known := p.known(t)
	name, slug := t.Fields.Text("name"), t.Slug
	if catalog.CheckSlug(slug) != nil {
		slug = feed.Slug(slug)
	}
	if slug == "" {
		slug = fmt.Sprintf("%s-%08x", t.Kind, uint32(feed.Digest(t.Keys[0]+name)))
	}
	for n := 1; !known; n++ {
		ref = catalog.Ref{Kind: t.Kind, Root: t.Root, Slug: slug}
		if n > 1 {
			ref.Slug = fmt.Sprintf("%s-%d", slug, n)
		}
		if t.Seller != nil {
			ref.Company = p.refs[t.Seller].Slug
		}
		if catalog.CheckSlug(ref.Slug) != nil || p.taken[ref] || p.base[ref] {
			continue
		}
		f, err := p.file(ref)
		if err != nil {
			return err
		}
		known = f == nil || t.Given || t.Kind == catalog.KindCategory || name != "" && feed.Slug(f.flat.Text("name")) == feed.Slug(name)
	}
	p.refs[t], p.taken[ref] = ref, true
	return nil
}

// known returns the Reference of a thing that was imported before, or of a seller that the
// content has with its official domain.
func (p *planner) known(t *feed.Thing) (catalog.Ref, bool) {
	if e := p.entryOf[t]; e != nil {
		return e.ref, true
	}
	domain := t.Fields.Text("officialDomain")
	if t.Kind != catalog.KindSeller || domain == "" || t.Given {
		return catalog.Ref{}, false
	}
	ref, known := p.strangers[bareDomain(domain)]
	return ref, known && !p.taken[ref]
}

// withheld reports whether a thing is, or belongs to, a seller that was removed.
func (p *planner) withheld(t *feed.Thing) bool {
	if t.Seller != nil {
		return p.out[t.Seller]
	}
	if t.Kind != catalog.KindSeller || p.Removals.Empty() {
		return false
	}
	ref := p.refs[t]
	c := catalog.Company{ID: ref.Slug, Slug: ref.Slug, Web: catalog.Hosts(t.Websites...)}
	names := []string{t.Fields.Text("legalName")}
	versions := []merge.Map{t.Fields}
	if e := p.entryOf[t]; e != nil {
		names = append(names, e.values.Text("name"))
	}
	if f, _ := p.file(ref); f != nil {
		versions = []merge.Map{t.Fields, f.flat}
		c.ReplacesRemoved = f.flat.Text("replaces") == "removed"
		for _, former := range texts(f.flat.List("formerDomains")) {
			c.Former = append(c.Former, bareDomain(former))
		}
		for _, alias := range texts(f.flat.List("aliases")) {
			c.Aliases = append(c.Aliases, strings.TrimPrefix(alias, "seller:"))
		}
	}
	for _, fields := range versions {
		names = append(names, fields.Text("name"))
		c.ID = cmp.Or(fields.Text("id"), c.ID)
		c.Domain = cmp.Or(bareDomain(fields.Text("officialDomain")), c.Domain)
		c.Web = append(c.Web, catalog.Hosts(fields.Text("website"), fields.Map("contact").Text("url"), "//"+fields.Map("contact").Text("email"))...)
	}
	for _, name := range names {
		if slug := feed.Slug(name); slug != "" && !c.ReplacesRemoved {
			c.Aliases = append(c.Aliases, slug)
		}
	}
	_, held := p.Removals.Holds(c)
	if held {
		p.report.Withheld++
	}
	return held
}

func texts(list merge.List) (all []string) {
	for _, item := range list {
		if text, is := merge.Text(item); is {
			all = append(all, text)
		}
	}
	return all
}

// uniqueSKUs takes out an article number that another product of the seller has.
func (p *planner) uniqueSKUs(products []*feed.Thing) {
	of := map[string]*feed.Thing{}
	take := func(t *feed.Thing, m merge.Map) merge.Map {
		sku := m.Text("sku")
		key := p.refs[t.Seller].Slug + " " + strings.ToLower(sku)
		if of[key] == nil {
			of[key] = t
		}
		if sku == "" || of[key] == t {
			return m
		}
		t.Values--
		p.batch.Lose("SKU", "another product of the seller has the same", t.Line, 1)
		return m.Set("sku", nil)
	}
	for _, t := range products {
		if p.out[t] {
			continue
		}
		t.Fields = take(t, t.Fields)
		variants := t.Fields.List("variants")
		for i := range variants {
			if m, is := variants[i].(merge.Map); is {
				variants[i] = take(t, m)
			}
		}
	}
}

// bring merges a thing into its file.
func (p *planner) bring(t *feed.Thing) {
	ref, e := p.refs[t], p.entryOf[t]
	if e != nil && p.unchanged(t, e) {
		p.carried(t)
		return
	}
	f, err := p.file(ref)
	switch {
	case err != nil:
		p.refuse(t, err)
		return
	case t.Seller != nil && p.out[t.Seller]:
		p.batch.Lose("(the whole row)", "its seller cannot be imported", t.Line, t.Values)
		return
	case f == nil && e != nil: // a person deleted the file, or moved it
		p.batch.Lose("(the whole row)", "its file was deleted by hand", t.Line, t.Values)
		p.out[t] = t.Kind == catalog.KindSeller
		return
	case t.Named && e == nil && f != nil: // it belongs to somebody else and is only referred to
		p.report.Values.Carried += t.Values
		return
	case f == nil && t.Named && t.Kind == catalog.KindSeller && t.Fields.Get("name") == nil:
		p.refuse(t, fmt.Errorf("there is no seller %q in the content", t.Slug))
		return
	}
	before := &entry{}
	if e != nil {
		before = e
	}
	after := &entry{ref: ref, keys: p.keys(t)}
	theirs := p.resolve(t, f, before, after)
	if f != nil {
		theirs = fill(p.batch, t.Kind, "", before.values, theirs)
		if t.Fields.Text("domainProof") == "derived" && before.values.Get("officialDomain") == nil {
			// Sellers that the import did not write keep their domain, if any.
			theirs = theirs.Set("officialDomain", f.flat.Get("officialDomain")).Set("domainProof", f.flat.Get("domainProof"))
		}
		theirs = settle(f.flat, theirs)
	}
	fields, err := p.merge(f, before, after, theirs)
	if err != nil {
		p.refuse(t, err)
		return
	}
	p.carried(t)
	if t.Kind == catalog.KindSeller {
		p.report.Sellers++
		if fields.Text("officialDomain") != "" {
			p.report.ByMail++
		}
	}
	if e == nil {
		p.entries = append(p.entries, after)
	} else {
		*e = *after
	}
}

// unchanged reports whether the source's data about an offer is the same as before, so that
// its file need not be read or changed.
func (p *planner) unchanged(t *feed.Thing, e *entry) bool {
	return t.Kind.Offer() && t.Fields.Get("media") == nil && t.Fields.Get("variants") == nil && t.Fields.Get("files") == nil && e.pictures == nil && !p.out[t.Seller] && slices.Equal(e.keys, p.keys(t)) &&
		merge.Equal(e.values, fill(p.batch, t.Kind, "", e.values, p.resolve(t, nil, e, e))) && (p.exists(pathOf(e.ref)+".yaml") || p.exists(pathOf(e.ref)+".md"))
}

func (p *planner) carried(t *feed.Thing) {
	p.report.Values.Carried += t.Values
	p.report.Things[t.Kind.String()]++
}

func (p *planner) refuse(t *feed.Thing, err error) {
	p.out[t] = true
	p.batch.Refuse(t.Line, t.Values, err.Error())
}

// merge merges the source's data into a file, or nil for a new one, and plans to write
// it unless souk check would reject it.
func (p *planner) merge(f *file, before, after *entry, theirs merge.Map) (fields merge.Map, err error) {
	kind, at := after.ref.Kind, pathOf(after.ref)
	var ours merge.Map
	if f != nil {
		ours = f.flat
	}
	merged, base, conflicts := merge.Three(before.values, ours, theirs, p.Accept)
	after.values, _ = base.(merge.Map)
	fields, _ = merged.(merge.Map)
	var data []byte
	markdown := false
	switch {
	case f == nil:
		data, markdown = edit.New(unflatten(kind, nil, inOrder(fields)))
	case merge.Equal(ours, fields):
		p.conflict(f.path, conflicts)
		return fields, nil
	default:
		if data, markdown, err = p.edited(f, kind, fields); err != nil {
			return nil, err
		}
	}
	at += map[bool]string{true: ".md", false: ".yaml"}[markdown]
	if mistakes, _ := p.Mistakes(at, data).Split(); len(mistakes) > 0 {
		if hint := mistakes[0].Hint(); hint != "" {
			return nil, fmt.Errorf("%s (%s)", mistakes[0].Text, hint)
		}
		return nil, errors.New(mistakes[0].Text)
	}
	p.conflict(at, conflicts)
	p.writes[at] = data
	if f == nil {
		p.report.Created++
		return fields, nil
	}
	p.report.Changed++
	if f.path != at {
		p.writes[f.path] = nil
	}
	return fields, nil
}

func (p *planner) conflict(file string, conflicts []merge.Conflict) {
	for _, c := range conflicts {
		p.report.Conflicts = append(p.report.Conflicts, Conflict{File: file, Field: c.Path, Yours: shown(c.Ours), Source: shown(c.Theirs)})
	}
}

func shown(v merge.Value) string {
	text, is := merge.Text(v)
	if !is && v != nil {
		text = string(merge.AppendJSON(nil, v))
	}
	return text
}

// unpublish unpublishes things that are no longer in the source.
func (p *planner) unpublish() error {
	published, gone := 0, []*entry{}
	for _, e := range p.entries {
		if e.values.Text("status") == "unpublished" {
			continue
		}
		published++
		if !p.taken[e.ref] {
			gone = append(gone, e)
		}
	}
	if 5*len(gone) > published && !p.AllowShrink {
		return fmt.Errorf("the source no longer has %d of the %d things that it had, such as %s; nothing was written: --allow-shrink unpublishes them", len(gone), published, gone[0].ref)
	}
	forgotten := map[*entry]bool{}
	for _, e := range gone {
		f, err := p.file(e.ref)
		if err == nil && f != nil {
			changed, before := p.report.Changed, *e
			_, err = p.merge(f, &before, e, e.values.Set("status", "unpublished"))
			p.report.Unpublished += p.report.Changed - changed
			p.report.Changed = changed
		}
		if err != nil {
			return err
		}
		forgotten[e] = f == nil // it is gone from both
	}
	p.entries = slices.DeleteFunc(p.entries, func(e *entry) bool { return forgotten[e] })
	return nil
}

// changes returns the files to write, including those of the import itself.
func (p *planner) changes() (all []journal.Change) {
	p.writes[journal.Folder+"/"+p.Name+".base.jsonl"] = writeBase(p.entries)
	if p.Settings != nil {
		p.writes[journal.Folder+"/"+p.Name+".yaml"] = p.Settings
	}
	for _, path := range slices.Sorted(maps.Keys(p.writes)) {
		if data := p.writes[path]; data == nil || !p.sameFile(path, data) {
			all = append(all, journal.Change{Path: path, Data: data, Delete: data == nil})
		}
	}
	return all
}
