package intake

import (
	"bytes"
	"cmp"
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
	files := os.DirFS(content)
	err = fs.WalkDir(files, ".", func(below string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), ".") && below != ".":
			return fs.SkipDir
		case strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular():
			return nil
		}
		data, err := fs.ReadFile(files, below)
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

// file returns the bytes of a content file with its references to the thing
// updated.
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
	root := ""
	for _, one := range []string{"product", "service"} {
		if strings.Contains(name, "/"+one+"s/") || strings.HasPrefix(name, "categories/"+one+"/") {
			root = one
		}
	}
	fields := r.fields(root, f.Fields)
	if own {
		aliases := slices.DeleteFunc(slices.Clone(f.Fields.List("aliases")), func(alias merge.Value) bool {
			return merge.Equal(alias, r.to.String()) || merge.Equal(alias, r.from.String())
		})
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

// fields returns the fields of a thing with the new Reference. root is that of categories
// which are named without theirs.
func (r renaming) fields(root string, m merge.Map) (after merge.Map) {
	for _, p := range m {
		switch p.Key {
		case edit.Description:
			p.Value = r.each(p.Value, r.links)
		case "categories", "parent":
			p.Value = r.each(p.Value, func(text string) string { return r.category(root, text) })
		case "related", "pins", "featured", "segments":
			p.Value = r.each(p.Value, r.reference)
		}
		after = append(after, p)
	}
	return after
}

// category returns a reference to a category: root/slug, or only the slug below a
// root.
func (r renaming) category(root, text string) string {
	slug := text
	if before, after, rooted := strings.Cut(text, "/"); rooted {
		root, slug = before, after
	}
	if r.from.Kind != catalog.KindCategory || root != r.from.Root.String() || slug != r.from.Slug {
		return text
	}
	return strings.TrimSuffix(text, slug) + r.to.Slug
}

// reference returns a Reference after the renaming, or the root/slug of a category.
func (r renaming) reference(text string) string {
	ref, err := catalog.ParseRef(text)
	if err != nil {
		return r.category("", text)
	}
	if to := r.ref(ref); to != ref {
		return to.String()
	}
	return text
}

func (r renaming) ref(ref catalog.Ref) catalog.Ref {
	switch {
	case ref == r.from:
		return r.to
	case r.from.Kind == catalog.KindSeller && ref.Company == r.from.Slug:
		ref.Company = r.to.Slug
	}
	return ref
}

// each changes the texts of a value: the items of a list, and the references in its
// maps.
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
	for _, e := range markdown.Parse(text).Edits {
		written := text[e.DestStart:max(e.DestStart, e.DestEnd)]
		bare := strings.Trim(written, "<>")
		if after := r.reference(bare); after != bare {
			b.WriteString(text[at:e.DestStart] + strings.Replace(written, bare, after, 1))
			at = e.DestEnd
		}
	}
	return b.String() + text[at:]
}

// base returns an import's base with the new Reference.
func (r renaming) base(name string, data []byte) ([]byte, error) {
	entries, err := parseBase(name, data)
	for _, e := range entries {
		e.ref = r.ref(e.ref)
		for i, key := range e.keys {
			if seller, below, is := strings.Cut(key, " "); is && seller == r.from.String() {
				e.keys[i] = r.to.String() + " " + below
			}
		}
		e.values = r.fields(cmp.Or(e.ref.Root.String(), e.ref.Kind.String()), e.values)
	}
	return writeBase(entries), err
}
