package publish

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
)

func TestForeignFilesAreNeverOverwritten(t *testing.T) {
	for name, arranged := range destinations {
		for _, test := range []struct {
			name  string
			lies  map[string]string
			clash []string
		}{
			{"another site", map[string]string{document.HomeFile: "MINE", document.RobotsFile: "MINE", "mine.html": "MINE"}, []string{document.HomeFile, document.RobotsFile}},
			{"files that lose nothing", map[string]string{document.HomeFile: "", document.RobotsFile: "User-agent: *\n"}, nil},
			{"what a build writes", map[string]string{companies + "acme.json": written("acme", "before")}, nil},
			{"what lies in the place of a stub", map[string]string{companies + "globex.gone.json": "MINE"}, nil},
			{"a description that is none", map[string]string{document.HomeFile: "MINE", document.ReleaseFile: "MINE"}, []string{document.HomeFile}},
			{"another machine's release, with files of its operator's", map[string]string{document.RobotsFile: "theirs", document.ReleaseFile: `{"id":"1"}`}, nil},
		} {
			t.Run(name+", "+test.name, func(t *testing.T) {
				a := arranged(t)
				a.options.Adopt = true
				s := newShelf(t, t.TempDir())
				s.remove(t, "globex")
				p := a.publisher(t)
				for file, says := range test.lies {
					if err := p.store.put(t.Context(), object{key: file, file: file, entry: release.Entry{ModTime: time.Now().UnixNano()}}, body{plain: []byte(says)}); err != nil {
						t.Fatal(err)
					}
				}
				before := a.stands(t)
				removals := catalog.NewRemovals([]catalog.Removal{{ID: "globex", Domain: "globex.example", Slug: "globex"}})
				_, planned := p.Plan(t.Context(), s.tree, removals)
				_, err := p.Publish(t.Context(), s.tree, removals)
				for _, err := range []error{planned, err} {
					var foreign *release.ForeignError
					if errors.As(err, &foreign); err != nil && foreign == nil || foreign != nil && !slices.Equal(foreign.Files, test.clash) || foreign == nil && test.clash != nil {
						t.Errorf("it ends with %v, not for %q", err, test.clash)
					}
				}
				if test.clash != nil && !maps.Equal(a.stands(t), before) {
					t.Error("something was changed")
				}
			})
		}
	}
}

func TestAFileReplacesAFolderOfItsName(t *testing.T) {
	const name = "download.json"
	for _, test := range []struct {
		// foreign is a file that somebody put into the folder.
		name, foreign string
	}{{"with files of the release alone", ""}, {"with a file that no build wrote", name + "/mine.txt"}, {"at a twin", name + ".gz/mine.txt"}} {
		t.Run(test.name, func(t *testing.T) {
			a, s := destinations["a folder"](t), newShelf(t, t.TempDir())
			s.docs[name+"/one.json"] = strings.Repeat("own ", 100)
			s.docs[name+"/all.tar.gz"] = "packed"
			s.build(t)
			a.publish(t, s)
			if test.foreign != "" {
				path := filepath.Join(a.destination, filepath.FromSlash(test.foreign))
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("mine"), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			delete(s.docs, name+"/one.json")
			delete(s.docs, name+"/all.tar.gz")
			s.docs[name] = strings.Repeat("own ", 100)
			s.build(t)
			_, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
			if test.foreign == "" {
				if err != nil {
					t.Fatal(err)
				}
				a.holds(t, s)
				return
			}
			if foreign := new(release.ForeignError); !errors.As(err, &foreign) || !slices.Equal(foreign.Files, []string{test.foreign}) {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}

func TestAFolderReplacesATwinOfItsName(t *testing.T) {
	a, s := destinations["a folder"](t), newShelf(t, t.TempDir())
	s.docs["download.json"] = strings.Repeat("own ", 100)
	s.build(t)
	a.publish(t, s)
	delete(s.docs, "download.json")
	s.docs["download.json.gz/one.json"] = "own"
	s.build(t)
	a.publish(t, s)
	a.holds(t, s)
}
