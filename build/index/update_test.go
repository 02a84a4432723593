package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/document"
)

// contents returns each file of a folder by name.
func contents(t interface{ Fatal(...any) }, folder string) map[string]string {
	all := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

// changed returns the documents in a Delta.
func changed(d *catalog.Delta) map[catalog.Ref]bool {
	refs := map[catalog.Ref]bool{}
	for n := range d.Changed {
		refs[n.Ref()] = true
	}
	return refs
}

// update updates the parts of a folder by a Delta, and reports whether that was refused and
// everything was written.
func (m market) update(t interface{ Fatal(...any) }, folder string, from, to State, d *catalog.Delta) (whole bool) {
	o := Options{Folder: folder, State: to}
	set, err := (*Set)(nil), ErrOther
	if !d.All {
		set, err = Update(context.Background(), m.Catalog, document.NewRenderer(m.Catalog, ""), Change{from, changed(d)}, o)
	}
	if whole = errors.Is(err, ErrOther); whole {
		set, err = Write(context.Background(), m.corpus(), o)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	return whole
}

// edit applies random changes to a few documents.
func (m market) edit(r *rapid.T) *catalog.Delta {
	slugs := []string{"a", "b", "c", "new"}
	ch := catalog.Change{Now: now()}
	for range rapid.IntRange(1, 6).Draw(r, "edits") {
		slug := rapid.SampledFrom(slugs).Draw(r, "seller")
		ref := catalog.Ref{Kind: catalog.KindProduct, Company: slug, Slug: fmt.Sprint("p", rapid.IntRange(0, 25).Draw(r, "product"))}
		var item catalog.Item
		switch rapid.SampledFrom([]string{"put", "put", "delete", "seller", "seller goes", "article", "synonyms"}).Draw(r, "edit") {
		case "put":
			o := product(slug, ref.Slug, rapid.SampledFrom([]string{"Zebra", "arm", "Öl", slug + " thing 3"}).Draw(r, "name"))
			o.Categories = []catalog.Mention{{Ref: catalog.CategoryRef(catalog.KindProduct, "tools")}}
			item = o
		case "delete":
			ch.Delete = append(ch.Delete, ref)
			continue
		case "seller":
			s := seller(slug)
			s.Name = rapid.SampledFrom([]string{"The " + slug, "Another"}).Draw(r, "its name")
			s.Keywords = rapid.SampledFrom([][]string{nil, {"roastery"}, {"roastery", "coffee shop"}}).Draw(r, "its keywords")
			s.Proof = rapid.SampledFrom([][]catalog.Proof{nil, {{Kind: "certification", Title: "ISO 9001", Issuer: "I"}}}).Draw(r, "its proof")
			item = s
		case "seller goes":
			s := seller(slug)
			s.Status = catalog.Draft
			item = s
		case "article":
			item = &catalog.Article{Head: catalog.Head{Ref: catalog.Ref{Kind: catalog.KindArticle, Slug: "news"}, Name: rapid.SampledFrom([]string{"New", "Newer"}).Draw(r, "title")}}
		case "synonyms":
			ch.Synonyms = &[]catalog.Synonyms{{From: []string{"arm"}, To: []string{rapid.SampledFrom([]string{"limb", "branch"}).Draw(r, "word")}}}
			continue
		}
		ref = catalog.RefOf(item)
		ch.Put = append(slices.DeleteFunc(ch.Put, func(o catalog.Item) bool { return catalog.RefOf(o) == ref }), item)
	}
	ch.Delete = slices.DeleteFunc(ch.Delete, func(ref catalog.Ref) bool {
		return slices.ContainsFunc(ch.Put, func(o catalog.Item) bool { return catalog.RefOf(o) == ref })
	})
	return m.Apply(ch)
}

func TestAnUpdateWritesTheSameBytesAsAFullWrite(t *testing.T) {
	wholes, updates := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		folders := [2]string{}
		for i := range folders {
			var err error
			if folders[i], err = os.MkdirTemp(t.TempDir(), ""); err != nil {
				r.Fatal(err)
			}
		}
		m := newMarket(20, "a", "b", "c", "d", "e", "f", "g", "h")
		m.put(&catalog.Category{Head: catalog.Head{Ref: catalog.CategoryRef(catalog.KindProduct, "tools"), Name: "Tools"}, Synonyms: []string{"kit"}})
		state := State{Release: "0"}
		for _, folder := range folders {
			m.update(r, folder, State{Release: "none"}, state, catalog.NewDelta())
		}
		for i := range rapid.IntRange(1, 8).Draw(r, "releases") {
			d, next := m.edit(r), State{Release: fmt.Sprint(i + 1), Content: uint64(i)}
			switch whole := m.update(r, folders[0], state, next, d); {
			case whole && !d.All:
				r.Fatal("an update is refused")
			case whole:
				wholes++
			default:
				updates++
			}
			set, err := Write(t.Context(), m.corpus(), Options{Folder: folders[1], State: next})
			if err == nil {
				err = set.Close()
			}
			if err != nil {
				r.Fatal(err)
			}
			if got, want := contents(r, folders[0]), contents(r, folders[1]); !maps.Equal(got, want) {
				r.Fatalf("an update has %q with the head\n%s\nwriting all has %q with the head\n%s",
					slices.Sorted(maps.Keys(got)), got["head"], slices.Sorted(maps.Keys(want)), want["head"])
			}
			state = next
		}
	})
	if updates < wholes {
		t.Errorf("%d updates were made and %d were of everything", updates, wholes)
	}
}

func TestAnUpdateIsRefusedIfThePartsAreNotOfThePreviousRelease(t *testing.T) {
	for name, spoil := range map[string]func(folder string) error{
		"nothing there": os.RemoveAll,
		"a part is missing": func(folder string) error {
			found, err := filepath.Glob(filepath.Join(folder, "*"+partSuffix))
			return errors.Join(err, os.Remove(found[0]))
		},
		"a part is damaged": func(folder string) error {
			found, _ := filepath.Glob(filepath.Join(folder, "*"+partSuffix))
			data, err := os.ReadFile(found[0])
			data[len(data)/2] ^= 1
			return errors.Join(err, os.WriteFile(found[0], data, 0o600))
		},
		"the head is of another release": nil,
	} {
		t.Run(name, func(t *testing.T) {
			folder, m, before := filepath.Join(t.TempDir(), "search"), newMarket(6, "a", "b"), State{Release: "1"}
			mustWrite(t, m.corpus(), Options{Folder: folder, State: before})
			if spoil == nil {
				before.Content++
			} else if err := spoil(folder); err != nil {
				t.Fatal(err)
			}
			d := m.Apply(catalog.Change{Now: now(), Put: []catalog.Item{product("a", "p0", "Other")}})
			if !m.update(t, folder, before, State{Release: "2"}, d) {
				t.Error("it is not refused")
			}
			read, err := Read(t.Context(), folder, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := told(read), told(mustWrite(t, m.corpus(), Options{})); !slices.Equal(got, want) {
				t.Errorf("what is there then tells %q, not %q", got, want)
			}
			if err := read.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestAnUpdateKeepsNoPartOfASellerRemovedMeanwhile(t *testing.T) {
	folder, m, before := t.TempDir(), newMarket(6, "acme", "brass", "copper", "dew", "elm", "fir"), State{Release: "1"}
	mustWrite(t, m.corpus(), Options{Folder: folder, State: before})
	gone, _ := removed("acme")(t.Context())
	d := m.Apply(catalog.Change{Now: now(), Removals: gone})
	set, err := Update(t.Context(), m.Catalog, document.NewRenderer(m.Catalog, ""), Change{before, changed(d)},
		Options{Folder: folder, State: State{Release: "2"}, Removals: removed("acme")})
	if err != nil {
		t.Fatal(err)
	}
	if len(told(set)) != 5*7 || holds(t, folder, "acme") {
		t.Errorf("%q are told, and a file holds the removed seller: %v", told(set), holds(t, folder, "acme"))
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
}
