package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/intake/edit"
	"souk/build/intake/merge"
	"souk/build/internal/markdown"
	"souk/build/kit/journal"
	"souk/build/kit/problem"
)

// A renaming moves a thing from one Reference to another.
type renaming struct{ from, to catalog.Ref }

// Rename moves a thing to another slug, adds the alias, and mends every Reference and
// Markdown link to it, in one step. If the file was moved by hand it does the rest. It
// returns the changes.
func Rename(content string, from catalog.Ref, slug string, mistakes func(string, []byte) problem.List) (changed []string, err error) {
	if err := catalog.CheckSlug(slug); err != nil {
		return nil, err
	}
	r := renaming{from, from}
	r.to.Slug = slug
	p := &planner{Options: Options{Content: content}, files: map[catalog.Ref]*file{}}
	old, err := p.file(from)
	if err != nil {
		return nil, err
	}
	at, err := p.file(r.to)
	switch {
	case err != nil:
		return nil, err
	case old == nil && at == nil:
		return nil, fmt.Errorf("there is no %s in the content", from)
	case old != nil && at != nil:
		return nil, fmt.Errorf("%s is there already: choose another slug", r.to)
	case old != nil && from.Kind == catalog.KindSeller:
		if _, err := os.Lstat(filepath.Join(content, "sellers", slug)); err == nil {
			return nil, fmt.Errorf("the folder sellers/%s is there already: choose another slug", slug)
		}
	}
	var changes []journal.Change
	err = filepath.WalkDir(content, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(content, name)
		if err != nil || below == "." {
			return err
		}
		below = filepath.ToSlash(below)
		if strings.HasPrefix(path.Base(below), ".") {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() || !e.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		after, err := r.file(below, data)
		if err != nil {
			return fmt.Errorf("%s: %w", below, err)
		}
		moved := r.path(below)
		if moved == below && bytes.Equal(data, after) {
			return nil
		}
		if list, _ := mistakes(moved, after).Split(); len(list) > 0 && !strings.HasPrefix(below, journal.Folder+"/") {
			return fmt.Errorf("%s: %s", below, list[0].Text)
		}
		changes = append(changes, journal.Change{Path: moved, Data: after})
		if moved != below {
			changes = append(changes, journal.Change{Path: below, Delete: true})
		}
		changed = append(changed, moved)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("nothing was changed: %w", err)
	}
	return changed, journal.Commit(content, changes)
}

// path returns where a file is after the renaming.
func (r renaming) path(file string) string {
	if r.from.Kind == catalog.KindSeller {
		if below, is := strings.CutPrefix(file, "sellers/"+r.from.Slug+"/"); is {
			return "sellers/" + r.to.Slug + "/" + below
		}
		return file
	}
	for _, ext := range []string{".yaml", ".md"} {
		if file == pathOf(r.from)+ext {
			return pathOf(r.to) + ext
		}
	}
	return file
}

// file returns the bytes of a content file with what it says of the thing.
func (r renaming) file(name string, data []byte) ([]byte, error) {
	ext := path.Ext(name)
	own := strings.TrimSuffix(r.path(name), ext) == pathOf(r.to)
	switch {
	case strings.HasPrefix(name, journal.Folder+"/") && strings.HasSuffix(name, ".base.jsonl"):
		return r.base(name, data)
	case ext != ".yaml" && ext != ".md" || !own && !bytes.Contains(data, []byte(r.from.Slug)) || strings.Contains("/"+name, "/media/") || name == "README.md" || strings.HasPrefix(name, journal.Folder+"/"):
		return data, nil
	}
	f, err := edit.Parse(data, ext == ".md")
	if err != nil {
		return nil, err
	}
	fields := r.fields(kindAt(name), f.Fields)
	if own {
		var aliases merge.List
		had, _ := f.Fields.Get("aliases").(merge.List)
		for _, alias := range had {
			if !merge.Equal(alias, r.to.String()) && !merge.Equal(alias, r.from.String()) {
				aliases = append(aliases, alias)
			}
		}
		fields = fields.Set("aliases", append(aliases, r.from.String()))
		if r.from.Kind == catalog.KindSeller && fields.Get("id") == nil {
			fields = fields.Set("id", r.from.Slug)
		}
	}
	if merge.Equal(f.Fields, fields) {
		return data, nil
	}
	after, _, err := f.Edit(fields)
	return after, err
}

// kindAt returns the kind of the things in a folder, with the root of a category.
func kindAt(name string) catalog.Ref {
	parts := strings.Split(name, "/")
	switch {
	case parts[0] == "categories" && len(parts) > 1:
		root, _ := catalog.ParseKind(parts[1])
		return catalog.Ref{Kind: catalog.KindCategory, Root: root}
	case parts[0] == "sellers" && len(parts) > 3:
		kind, _ := catalog.ParseKind(strings.TrimSuffix(parts[2], "s"))
		return catalog.Ref{Kind: kind}
	case parts[0] == "sellers":
		return catalog.Ref{Kind: catalog.KindSeller}
	}
	return catalog.Ref{}
}

// fields returns the fields of a thing with the new Reference.
func (r renaming) fields(of catalog.Ref, m merge.Map) (after merge.Map) {
	for _, p := range m {
		value := p.Value
		text, isText := merge.Text(value)
		switch {
		case p.Key == edit.Description && isText:
			value = r.links(text)
		case p.Key == "categories":
			value = r.each(value, func(slug string) string { return r.category(of.Kind, slug) })
		case p.Key == "parent" && of.Root == r.from.Root:
			value = r.each(value, func(slug string) string { return r.category(of.Root, slug) })
		case slices.Contains([]string{"related", "pins", "featured", "segments"}, p.Key):
			value = r.each(value, r.reference)
		}
		after = append(after, merge.Pair{Key: p.Key, Value: value})
	}
	return after
}

// category returns what names a category in the files of a kind: the slug, or in sellers
// and maps root/slug.
func (r renaming) category(of catalog.Kind, text string) string {
	root, slug, rooted := strings.Cut(text, "/")
	if !rooted {
		root, slug = of.String(), text
	}
	if r.from.Kind != catalog.KindCategory || root != r.from.Root.String() || slug != r.from.Slug {
		return text
	}
	return strings.TrimSuffix(text, slug) + r.to.Slug
}

// reference returns a Reference after the renaming, or the root/slug of a category.
func (r renaming) reference(text string) string {
	ref, err := catalog.ParseRef(text)
	switch {
	case err != nil:
		return r.category(catalog.KindNone, text)
	case ref == r.from:
		return r.to.String()
	case r.from.Kind == catalog.KindSeller && ref.Company == r.from.Slug:
		ref.Company = r.to.Slug
		return ref.String()
	}
	return text
}

// each changes the scalars of a value: those of a list, and of maps in it what refers to
// things.
func (r renaming) each(v merge.Value, change func(string) string) merge.Value {
	switch v := v.(type) {
	case merge.List:
		list := merge.List{}
		for _, item := range v {
			list = append(list, r.each(item, change))
		}
		return list
	case merge.Map:
		var m merge.Map
		for _, p := range v {
			if slices.Contains([]string{"ref", "entries", "category"}, p.Key) {
				p.Value = r.each(p.Value, change)
			}
			m = append(m, p)
		}
		return m
	case string:
		return change(v)
	}
	return v
}

// links returns Markdown with the new destinations.
func (r renaming) links(text string) string {
	var b strings.Builder
	at := 0
	d := markdown.Parse(text)
	for _, e := range d.Edits {
		if e.DestStart >= e.DestEnd {
			continue
		}
		written := text[e.DestStart:e.DestEnd]
		bare := strings.Trim(written, "<>")
		if after := r.reference(bare); after != bare {
			b.WriteString(text[at:e.DestStart] + strings.Replace(written, bare, after, 1))
			at = e.DestEnd
		}
	}
	return b.String() + text[at:]
}

// base returns what an import wrote, with the new Reference.
func (r renaming) base(name string, data []byte) ([]byte, error) {
	entries, err := parseBase(name, data)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		before := e.ref.String()
		if e.ref, err = catalog.ParseRef(r.reference(before)); err != nil {
			return nil, errors.Join(err, fmt.Errorf("%s cannot be renamed", before))
		}
		if before == r.from.String() && e.ref.Kind == catalog.KindCategory {
			e.ref = r.to
		}
		for i, key := range e.keys {
			if below, is := strings.CutPrefix(key, r.from.String()+" "); is && r.from.Kind == catalog.KindSeller {
				e.keys[i] = r.to.String() + " " + below
			}
		}
		e.values = r.fields(catalog.Ref{Kind: e.ref.Kind, Root: e.ref.Root}, e.values)
	}
	return writeBase(entries), nil
}
