package build_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build"
	"souk/build/catalog"
	"souk/build/index"
)

// searched builds a market's content into a folder, as a command does, and writes its
// search parts: from the build's Delta or, if all is set, from everything.
func (m *market) searched(t *rapid.T, public string, all bool) error {
	b := m.plainly(t, public)
	turn, err := b.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := turn.End(); err != nil {
			t.Fatal(err)
		}
	}()
	if _, err := turn.Build(context.Background(), m.set()); err != nil {
		return err
	}
	record := func(context.Context) (*catalog.Removals, error) { return m.set(), nil }
	if !all {
		return turn.WriteSearch(context.Background(), index.Options{Removals: record})
	}
	if _, err := b.Publications(); err != nil { // loads data that a build without changes does not have
		t.Fatal(err)
	}
	folder := build.SearchFolder(filepath.Join(m.dir, public))
	set, err := index.Write(context.Background(), b.Corpus(), index.Options{Folder: folder, State: b.SearchState(), Removals: record})
	return errors.Join(err, set.Close())
}

// parts returns the files of a public folder's search parts, and the identities of their
// living documents, in order.
func (m *market) parts(t *rapid.T, public string) (files map[string]string, living []string) {
	folder := build.SearchFolder(filepath.Join(m.dir, public))
	files = map[string]string{}
	for name, data := range readTree(t, folder) {
		files[name] = string(data)
	}
	set, err := index.Read(context.Background(), folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range set.Views {
		for at := range v.Documents() {
			if v.Lives(uint32(at)) {
				living = append(living, fmt.Sprintf("%x", v.Digest(at)))
			}
		}
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(living)
	return files, living
}

func TestSearchPartsAfterAnyEditsAreThoseThatWritingAllMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMarket(t)
		defer os.RemoveAll(m.dir)
		m.commands, m.plain = true, true
		for i := range 80 {
			m.write(fmt.Sprintf("sellers/%s/products/item-%d.yaml", sellerSlugs[i%2], i), fmt.Sprintf("name: Item %d\ncategories: [tools]\n", i))
		}
		for step := range rapid.IntRange(2, 8).Draw(t, "steps") {
			if step > 0 {
				for range rapid.IntRange(0, 2).Draw(t, "edits") {
					m.edit(t)
				}
			}
			err, otherErr := m.searched(t, "public", false), m.searched(t, "other", true)
			if isMistakes(err) && isMistakes(otherErr) {
				continue
			}
			if err != nil || otherErr != nil {
				t.Fatal(err, otherErr)
			}
			got, living := m.parts(t, "public")
			want, _ := m.parts(t, "other")
			if !maps.Equal(got, want) {
				t.Fatalf("the parts are\n%q\n%s\nand writing all makes\n%q\n%s",
					slices.Sorted(maps.Keys(got)), got["head"], slices.Sorted(maps.Keys(want)), want["head"])
			}
			afresh := fmt.Sprint("afresh-", step)
			if err := m.searched(t, afresh, false); err != nil {
				t.Fatal(err)
			}
			if _, want := m.parts(t, afresh); !slices.Equal(living, want) {
				t.Fatalf("%d documents are living, and %d afresh, or others", len(living), len(want))
			}
			m.wantNoRemoved(t, got)
		}
	})
}

// plainly returns a process that exits after its build, without pages and snapshot.
func (m *market) plainly(t *rapid.T, public string) *build.Builder {
	config := m.config(public, public+"-var")
	config.Pages, config.Snapshot, config.LongLived = false, false, false
	b, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A server writes search parts after some releases, not after each, and keeps the previous
// ones open.
func TestSearchPartsThatAServerFollowsWithTellWhatFreshOnesTell(t *testing.T) {
	checks(t, "40")
	rapid.Check(t, func(t *rapid.T) {
		ctx, m := context.Background(), newMarket(t)
		defer os.RemoveAll(m.dir)
		m.plain = true
		for i := range 80 {
			m.write(fmt.Sprintf("sellers/%s/products/item-%d.yaml", sellerSlugs[i%2], i), fmt.Sprintf("name: Item %d\ncategories: [tools]\n", i))
		}
		config := m.config("public", "public-var")
		config.Pages, config.Snapshot, config.LongLived = false, false, true
		var server *build.Builder
		open := &index.Set{}
		defer func() {
			if err := open.Close(); err != nil {
				t.Fatal(err)
			}
		}()
		for step := range rapid.IntRange(2, 12).Draw(t, "steps") {
			for range rapid.IntRange(0, 2).Draw(t, "edits") {
				m.edit(t)
			}
			if server == nil || rapid.IntRange(0, 4).Draw(t, "restarts") == 0 {
				var err error
				if server, err = build.New(config); err != nil {
					t.Fatal(err)
				}
				if err := open.Close(); err != nil {
					t.Fatal(err)
				}
				open = &index.Set{}
			}
			released := "" // another process released, and only edits happened since
			if rapid.IntRange(0, 4).Draw(t, "another process builds") == 0 {
				switch rapid.IntRange(0, 2).Draw(t, "what both are told") {
				case 1:
					m.removed["acme"] = !m.removed["acme"]
				case 2:
					m.now = m.now.AddDate(0, 0, rapid.IntRange(0, 9).Draw(t, "days"))
				}
				var err error
				if rapid.Bool().Draw(t, "and is killed then") {
					_, err = m.plainly(t, "public").Build(ctx, m.set())
				} else {
					err = m.searched(t, "public", false)
				}
				if err != nil && !isMistakes(err) {
					t.Fatal(err)
				}
				other, removals, now := m.read("api/v1/release.json"), m.set().Key(), m.now
				for range rapid.IntRange(0, 2).Draw(t, "edits before the server looks") {
					m.edit(t)
				}
				// A restarted process that builds releases pages, which this server does
				// not have.
				restarted := m.read("api/v1/release.json") != other
				if err == nil && !restarted && m.set().Key() == removals && m.now.Equal(now) {
					released = other
				}
			}
			report, err := server.Build(ctx, m.set(), build.Whole)
			if err == nil && len(report.HeldBack) > 0 && released != "" && m.read("api/v1/release.json") != released {
				t.Fatalf("the server made %s of older content over\n%s", m.read("api/v1/release.json"), released)
			}
			if isMistakes(err) {
				server = nil
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "waits") {
				continue
			}
			stopped, stop := context.WithCancel(ctx)
			if rapid.IntRange(0, 4).Draw(t, "is interrupted") == 0 {
				stop()
			}
			record := func(context.Context) (*catalog.Removals, error) { return m.set(), nil }
			err = server.WriteSearch(stopped, index.Options{Removals: record, Previous: open})
			if stop(); errors.Is(err, context.Canceled) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			next, err := index.Read(ctx, build.SearchFolder(config.Public), open)
			if err = errors.Join(err, open.Close()); err != nil {
				t.Fatal(err)
			}
			open = next
			got, living := m.parts(t, "public")
			m.wantNoRemoved(t, got)
			if len(report.HeldBack)+len(report.Unexplained) > 0 { // a stub withholds something that a machine without history shows
				continue
			}
			afresh := fmt.Sprint("afresh-", step)
			if err := m.searched(t, afresh, false); err != nil {
				t.Fatal(err)
			}
			fresh, want := m.parts(t, afresh)
			if !slices.Equal(living, want) || settings(t, got) != settings(t, fresh) {
				t.Fatalf("%d documents are living, and %d afresh, or others; the head is\n%s\nand afresh\n%s", len(living), len(want), got["head"], fresh["head"])
			}
		}
	})
}

// wantNoRemoved checks that no search part contains a removed seller.
func (m *market) wantNoRemoved(t *rapid.T, parts map[string]string) {
	for slug, removed := range m.removed {
		for name, data := range parts {
			if removed && name != "head" && strings.Contains(data, slug+".example") {
				t.Fatalf("%s, which is removed, is in %s", slug, name)
			}
		}
	}
}

// settings returns the head of search parts without the parts and the release, whose stubs
// depend on earlier releases.
func settings(t *rapid.T, files map[string]string) string {
	_, told, _ := strings.Cut(files["head"], "\n")
	var h index.Head
	if err := json.Unmarshal([]byte(told), &h); err != nil {
		t.Fatal(err)
	}
	h.Parts, h.Release = nil, ""
	return fmt.Sprintf("%+v", h)
}
