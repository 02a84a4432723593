// Package intake brings things that a source describes into a content folder, again and
// again: it finds the file of each thing, merges what the source changed into what people
// edited, and writes all files in one step. It refuses to know the formats of sources and
// what the fields mean.
package intake

import (
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
	// AllowShrink allows that more than a fifth of what was imported is unpublished.
	AllowShrink bool
	// KeepGoing imports the rest if some rows cannot be.
	KeepGoing bool
	// DryRun writes nothing.
	DryRun bool
	// Removals says who was removed, and is never imported again.
	Removals *catalog.Removals
	// Mistakes returns what souk check finds wrong within a file.
	Mistakes func(file string, data []byte) problem.List
	// Picture returns a picture that comes with the source.
	Picture func(name string) ([]byte, error)
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

// A Report says what an import did, or would do.
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
	p := &planner{Options: o, batch: b, report: &Report{Notes: b.Notes, Things: map[string]int{}}, writes: map[string][]byte{}, refs: map[*feed.Thing]catalog.Ref{}, taken: map[catalog.Ref]bool{}, files: map[catalog.Ref]*file{}}
	err := p.run(ctx)
	if err == nil {
		err = p.account()
	}
	r := p.report
	r.Columns, r.Lost, r.Problems = b.Columns, b.Losses(), b.Problems
	if err != nil {
		return r, err
	}
	if len(b.Problems) > 0 && !o.KeepGoing {
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

// account checks that every value of the source is somewhere.
func (p *planner) account() error {
	v := &p.report.Values
	v.Found, v.Lost = p.batch.Found, p.batch.Lost()
	v.Carried += p.batch.Carried
	if v.Carried+v.Lost+v.Withheld != v.Found {
		return fmt.Errorf("of the %d values of the source %d are carried, %d lost and %d withheld, which is another number: this is a defect of souk; nothing was written", v.Found, v.Carried, v.Lost, v.Withheld)
	}
	return nil
}

type planner struct {
	Options
	batch   *feed.Batch
	report  *Report
	entries []*entry
	// refs are the References of things, taken all those of this import.
	refs  map[*feed.Thing]catalog.Ref
	taken map[catalog.Ref]bool
	// files are the content files that were read; nil for one that is not there.
	files map[catalog.Ref]*file
	// base are the References that this import wrote before, and strangers the sellers that
	// it did not write, by their official domains.
	base      map[catalog.Ref]bool
	strangers map[string]catalog.Ref
	// entryOf has the entry of each thing that was imported before.
	entryOf map[*feed.Thing]*entry
	out     map[*feed.Thing]bool // withheld or refused
	writes  map[string][]byte    // nil deletes
}

func (p *planner) run(ctx context.Context) (err error) {
	if p.entries, err = readBase(p.Content, p.Name); err != nil {
		return err
	}
	p.base = map[catalog.Ref]bool{}
	for _, e := range p.entries {
		p.base[e.ref] = true
	}
	p.entryOf, p.out = map[*feed.Thing]*entry{}, map[*feed.Thing]bool{}
	if err := p.findStrangers(); err != nil {
		return err
	}
	p.deriveDomains()
	things := slices.Clone(p.batch.Things)
	// What others refer to comes first.
	slices.SortStableFunc(things, func(a, b *feed.Thing) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	for _, offers := range []bool{false, true} {
		var some []*feed.Thing
		for _, t := range things {
			if t.Kind.Offer() == offers {
				some = append(some, t)
			}
		}
		p.match(some)
		for _, t := range some {
			if err := p.place(t); err != nil {
				return err
			}
		}
		for _, t := range some {
			if p.withheld(t) {
				p.out[t] = true
				p.report.Values.Withheld += t.Values
			}
		}
	}
	p.uniqueSKUs(things)
	for _, t := range things {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !p.out[t] {
			p.bring(t)
		}
	}
	return p.unpublish()
}

// order is the order in which kinds refer to one another.
var order = []catalog.Kind{catalog.KindCategory, catalog.KindSeller, catalog.KindProduct, catalog.KindService, catalog.KindArticle, catalog.KindMarketMap}

// match finds the entry of each thing, by the best key that belongs to one thing alone.
func (p *planner) match(things []*feed.Thing) {
	byKey := map[string][]*entry{}
	for _, e := range p.entries {
		for _, key := range e.keys {
			byKey[key] = append(byKey[key], e)
		}
	}
	matched := map[*entry]bool{}
	for nth := range 8 {
		for _, t := range things {
			keys := p.keys(t)
			if p.entryOf[t] != nil || nth >= len(keys) {
				continue
			}
			free := slices.DeleteFunc(slices.Clone(byKey[keys[nth]]), func(e *entry) bool { return matched[e] || e.ref.Kind != t.Kind })
			if len(free) == 1 {
				p.entryOf[t] = free[0]
				matched[free[0]] = true
			}
		}
	}
}

// keys returns the keys of a thing as the base has them. Those of an offer begin with the
// Reference of its seller, which stays where the seller is renamed.
func (p *planner) keys(t *feed.Thing) (keys []string) {
	for _, key := range t.Keys {
		if t.Seller != nil {
			key = p.refs[t.Seller].String() + " " + key
		}
		keys = append(keys, key)
	}
	return keys
}

// place decides the Reference of a thing.
func (p *planner) place(t *feed.Thing) error {
	if e := p.entryOf[t]; e != nil {
		p.refs[t] = e.ref
		p.taken[e.ref] = true
		return nil
	}
	if ref, is := p.known(t); is {
		p.refs[t], p.taken[ref] = ref, true
		return nil
	}
	slug := t.Slug
	if catalog.CheckSlug(slug) != nil {
		slug = feed.Slug(slug)
	}
	name, _ := merge.Text(t.Fields.Get("name"))
	if slug == "" {
		slug = fmt.Sprintf("%s-%08x", t.Kind, uint32(feed.Digest(t.Keys[0]+name)))
	}
	for n := 1; ; n++ {
		ref := catalog.Ref{Kind: t.Kind, Root: t.Root, Slug: slug}
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
		if f == nil || t.Given || t.Kind == catalog.KindCategory || sameName(f, name) {
			p.refs[t], p.taken[ref] = ref, true
			return nil
		}
	}
}

func sameName(f *file, name string) bool {
	had, _ := merge.Text(f.flat.Get("name"))
	return name != "" && feed.Slug(had) == feed.Slug(name)
}

// known finds a seller in content by its official domain.
func (p *planner) known(t *feed.Thing) (catalog.Ref, bool) {
	domain, _ := merge.Text(t.Fields.Get("officialDomain"))
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
	if t.Kind != catalog.KindSeller {
		return false
	}
	ref := p.refs[t]
	text := func(m merge.Map, key string) string { s, _ := merge.Text(m.Get(key)); return s }
	c := catalog.Company{ID: ref.Slug, Slug: ref.Slug, Domain: bareDomain(text(t.Fields, "officialDomain")), Web: append(catalog.Hosts(t.Websites...), webOf(t.Fields)...)}
	names := []string{text(t.Fields, "name"), text(t.Fields, "legalName")}
	if f, _ := p.file(ref); f != nil {
		names = append(names, text(f.flat, "name"))
		if id := text(f.flat, "id"); id != "" {
			c.ID = id
		}
		if domain := text(f.flat, "officialDomain"); domain != "" {
			c.Domain = bareDomain(domain)
		}
		c.Web = append(c.Web, webOf(f.flat)...)
		c.ReplacesRemoved = text(f.flat, "replaces") == "removed"
		for _, former := range texts(f.flat.Get("formerDomains")) {
			c.Former = append(c.Former, bareDomain(former))
		}
		for _, alias := range texts(f.flat.Get("aliases")) {
			c.Aliases = append(c.Aliases, strings.TrimPrefix(alias, "seller:"))
		}
	}
	if e := p.entryOf[t]; e != nil {
		names = append(names, text(e.values, "name"))
	}
	if id := text(t.Fields, "id"); id != "" {
		c.ID = id
	}
	if !c.ReplacesRemoved {
		for _, name := range names {
			if slug := feed.Slug(name); slug != "" {
				c.Aliases = append(c.Aliases, slug)
			}
		}
	}
	_, held := p.Removals.Holds(c)
	if held {
		p.report.Withheld++
	}
	return held
}

func texts(v merge.Value) (all []string) {
	list, _ := v.(merge.List)
	for _, item := range list {
		if text, is := merge.Text(item); is {
			all = append(all, text)
		}
	}
	return all
}

// uniqueSKUs takes out an article number that another product of the seller has.
func (p *planner) uniqueSKUs(things []*feed.Thing) {
	of := map[string]*feed.Thing{}
	take := func(t *feed.Thing, m merge.Map) merge.Map {
		sku, _ := merge.Text(m.Get("sku"))
		if sku == "" {
			return m
		}
		key := p.refs[t.Seller].Slug + " " + strings.ToLower(sku)
		if of[key] == nil {
			of[key] = t
		}
		if of[key] == t {
			return m
		}
		t.Values--
		p.batch.Lose("SKU", "another product of the seller has the same", t.Line, 1)
		return m.Set("sku", nil)
	}
	for _, t := range things {
		if t.Kind != catalog.KindProduct || p.out[t] {
			continue
		}
		t.Fields = take(t, t.Fields)
		variants, _ := t.Fields.Get("variants").(merge.List)
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
	f, err := p.file(ref)
	switch {
	case err != nil:
		p.refuse(t, err.Error())
		return
	case t.Seller != nil && p.out[t.Seller]:
		p.batch.Lose("(the whole row)", "its seller cannot be imported", t.Line, t.Values)
		return
	case f == nil && e != nil: // a person deleted the file, or moved it
		p.batch.Lose("(the whole row)", "its file was deleted by hand", t.Line, t.Values)
		p.out[t] = t.Kind == catalog.KindSeller
		return
	case t.Named && e == nil && f != nil: // it is somebody else's, and only named
		p.report.Values.Carried += t.Values
		return
	case f == nil && t.Named && t.Kind == catalog.KindSeller && t.Fields.Get("name") == nil:
		p.refuse(t, fmt.Sprintf("there is no seller %q in the content", t.Slug))
		return
	}
	before := &entry{}
	if e != nil {
		before = e
	}
	after := &entry{ref: ref, keys: p.keys(t), pictures: map[string]string{}}
	theirs := p.resolve(t, before, after)
	var ours merge.Map
	if f != nil {
		ours = f.flat
		theirs = fill(p.batch, t.Kind, "", before.values, theirs)
		if t.Derived && before.values.Get("officialDomain") == nil {
			// A seller that the import did not write keeps the domain that it has, or none.
			theirs = theirs.Set("officialDomain", ours.Get("officialDomain")).Set("domainProof", ours.Get("domainProof"))
		}
		theirs = settle(ours, theirs)
	}
	merged, base, conflicts := merge.Three(before.values, ours, theirs, p.Accept)
	after.values, _ = base.(merge.Map)
	fields, _ := merged.(merge.Map)
	if !p.write(t, ref, f, fields) {
		return
	}
	for _, c := range conflicts {
		p.report.Conflicts = append(p.report.Conflicts, Conflict{File: p.pathOf(ref), Field: c.Path, Yours: shown(c.Ours), Source: shown(c.Theirs)})
	}
	p.report.Values.Carried += t.Values
	p.report.Things[t.Kind.String()]++
	if t.Kind == catalog.KindSeller {
		p.report.Sellers++
		if domain, _ := merge.Text(fields.Get("officialDomain")); domain != "" {
			p.report.ByMail++
		}
	}
	if e == nil {
		p.entries = append(p.entries, after)
	} else {
		*e = *after
	}
}

func shown(v merge.Value) string {
	if text, is := merge.Text(v); is {
		return text
	}
	if v == nil {
		return ""
	}
	return string(merge.AppendJSON(nil, v, false))
}

func (p *planner) refuse(t *feed.Thing, text string) {
	p.out[t] = true
	p.batch.Refuse(t.Line, t.Values, text)
}

// write plans a file with other fields, unless souk check would refuse it.
func (p *planner) write(t *feed.Thing, ref catalog.Ref, f *file, fields merge.Map) bool {
	var data []byte
	var markdown bool
	path := pathOf(ref)
	if f == nil {
		data, markdown = edit.New(unflatten(ref.Kind, nil, fields))
	} else {
		if merge.Equal(f.flat, fields) {
			return true
		}
		var err error
		if data, markdown, err = f.edit.Edit(unflatten(ref.Kind, f.edit.Fields, fields)); err != nil {
			p.refuse(t, f.path+": "+err.Error())
			return false
		}
	}
	path += map[bool]string{true: ".md", false: ".yaml"}[markdown]
	if p.Mistakes != nil {
		if mistakes, _ := p.Mistakes(path, data).Split(); len(mistakes) > 0 {
			what := mistakes[0].Text
			if hint := mistakes[0].Hint(); hint != "" {
				what += " (" + hint + ")"
			}
			p.refuse(t, what)
			return false
		}
	}
	p.writes[path] = data
	if f == nil {
		p.report.Created++
	} else {
		p.report.Changed++
		if f.path != path {
			p.writes[f.path] = nil
		}
	}
	return true
}

// unpublish takes back what the source no longer has.
func (p *planner) unpublish() error {
	matched := map[catalog.Ref]bool{}
	for t := range p.refs {
		matched[p.refs[t]] = true
	}
	published, gone := 0, []*entry{}
	for _, e := range p.entries {
		if merge.Equal(e.values.Get("status"), "unpublished") {
			continue
		}
		published++
		if !matched[e.ref] {
			gone = append(gone, e)
		}
	}
	if 5*len(gone) > published && !p.AllowShrink {
		return fmt.Errorf("the source no longer has %d of the %d things that it had, such as %s; nothing was written: --allow-shrink unpublishes them", len(gone), published, gone[0].ref)
	}
	for _, e := range gone {
		f, err := p.file(e.ref)
		if err != nil {
			return err
		}
		if f == nil { // what is gone from both is forgotten
			p.entries = slices.DeleteFunc(p.entries, func(one *entry) bool { return one == e })
			continue
		}
		was := e.values
		theirs := was.Set("status", "unpublished")
		merged, base, conflicts := merge.Three(was, f.flat, theirs, p.Accept)
		for _, c := range conflicts {
			p.report.Conflicts = append(p.report.Conflicts, Conflict{File: f.path, Field: c.Path, Yours: shown(c.Ours), Source: shown(c.Theirs)})
		}
		e.values, _ = base.(merge.Map)
		fields, _ := merged.(merge.Map)
		if merge.Equal(f.flat, fields) {
			continue
		}
		data, _, err := f.edit.Edit(unflatten(e.ref.Kind, f.edit.Fields, fields))
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		p.writes[f.path] = data
		p.report.Unpublished++
	}
	return nil
}

// changes returns the files to write, with those of the import itself.
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
