package merge

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMergeKeepsTheChangesOfBothSides(t *testing.T) {
	link := func(url, label string) Map { return Map{{"label", label}, {"url", url}} }
	for _, test := range []struct {
		name                             string
		base, ours, theirs, merged, next Value
		conflicts                        []string
	}{
		{"only ours", "a", "b", "a", "b", "a", nil},
		{"only theirs", "a", "a", "b", "b", "b", nil},
		{"both the same", "a", "b", "b", "b", "b", nil},
		{"both", "a", "b", "c", "b", "a", []string{""}},
		{"a number and its text are the same", Raw("12"), "12", "13", "13", "13", nil},
		{"ours removed it", "a", nil, "a", nil, "a", nil},
		{"ours removed what theirs changed", "a", nil, "b", nil, "a", []string{""}},
		{"theirs emptied it", "a", "a", nil, nil, nil, nil},
		{"fields of a map", Map{{"x", "1"}, {"y", "1"}}, Map{{"x", "2"}, {"y", "1"}}, Map{{"x", "1"}, {"y", "2"}}, Map{{"x", "2"}, {"y", "2"}}, Map{{"x", "1"}, {"y", "2"}}, nil},
		{"one field of a map", Map{{"x", "1"}, {"y", "1"}}, Map{{"x", "2"}, {"y", "1"}}, Map{{"x", "3"}, {"y", "2"}}, Map{{"x", "2"}, {"y", "2"}}, Map{{"x", "1"}, {"y", "2"}}, []string{"x"}},
		{"both add to a list", List{"a"}, List{"a", "b"}, List{"a", "c"}, List{"a", "b", "c"}, List{"a", "c"}, nil},
		{"both change one item", List{"a"}, List{"b"}, List{"c"}, List{"b"}, List{"a"}, []string{""}},
		{"items of a list", List{link("u", "x"), link("v", "y")}, List{link("u", "X"), link("v", "y")}, List{link("u", "x"), link("v", "Y"), link("w", "z")}, List{link("u", "X"), link("v", "Y"), link("w", "z")}, List{link("u", "x"), link("v", "Y"), link("w", "z")}, nil},
		{"an item removed here and changed there", List{link("u", "x")}, List{}, List{link("u", "y")}, List{}, List{link("u", "x")}, []string{""}},
		{"lines of a text", "a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC", "a\nb\nC", nil},
		{"one line of a text", "a\nb\nc", "A\nb\nc", "B\nb\nC", "A\nb\nc", "a\nb\nc", []string{""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			merged, next, conflicts := Three(test.base, test.ours, test.theirs, Neither)
			var paths []string
			for _, c := range conflicts {
				paths = append(paths, c.Path)
			}
			if !Equal(merged, test.merged) || !Equal(next, test.next) || !slices.Equal(paths, test.conflicts) {
				t.Errorf("merged %v, next base %v, conflicts %q; want %v, %v, %q", merged, next, paths, test.merged, test.next, test.conflicts)
			}
			again, _, told := Three(next, merged, test.theirs, Neither)
			if !Equal(again, merged) || len(told) != len(conflicts) {
				t.Errorf("a second merge gives %v with %d conflicts, after %v with %d", again, len(told), merged, len(conflicts))
			}
			if theirs, next, left := Three(test.base, test.ours, test.theirs, Theirs); len(left) > 0 || !Equal(next, test.theirs) {
				t.Errorf("accepting theirs gives %v, the base %v and %d conflicts", theirs, next, len(left))
			}
			if ours, next, left := Three(test.base, test.ours, test.theirs, Ours); len(left) > 0 || !Equal(next, test.theirs) {
				t.Errorf("accepting ours gives %v, the base %v and %d conflicts", ours, next, len(left))
			}
		})
	}
}

// These are the values in a content file: scalars, then a list, a list of maps and a text.
var scalarFields = []string{"name", "summary", "website", "founded"}

func word() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"oak", "ash", "elm", "fir", "yew"})
}

func record(t *rapid.T, name string) Map {
	var m Map
	for _, field := range scalarFields {
		if v := word().Draw(t, name+field); rapid.IntRange(0, 4).Draw(t, "has") > 0 {
			m = append(m, Pair{field, v})
		}
	}
	var keywords List
	for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(strings.Fields("a b c d e f g h")), 0, 6, rapid.ID[string]).Draw(t, name+"keywords") {
		keywords = append(keywords, w)
	}
	m = append(m, Pair{"keywords", keywords})
	var links List
	for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(strings.Fields("u v w x y z")), 0, 4, rapid.ID[string]).Draw(t, name+"links") {
		links = append(links, Map{{"label", word().Draw(t, "label")}, {"url", w}, {"note", word().Draw(t, "note")}})
	}
	m = append(m, Pair{"links", links})
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "one", "two", "three", "four", "five"}), 2, 12).Draw(t, name+"text")
	return append(m, Pair{"description", strings.Join(lines, "\n")})
}

// edited changes some fields of a record, as a person or a source might.
func edited(t *rapid.T, name string, from Map) (to Map) {
	other := record(t, name)
	for _, p := range from {
		switch change := rapid.IntRange(0, 5).Draw(t, name+p.Key); {
		case change > 2:
			to = append(to, p)
		case p.Key == "description":
			lines := strings.Split(p.Value.(string), "\n")
			at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			switch change {
			case 0:
				lines[at] = word().Draw(t, "changed")
			case 1:
				lines = slices.Insert(lines, at, word().Draw(t, "inserted"))
			default:
				lines = append(slices.Delete(lines, at, at+1), "end "+name)
			}
			to = append(to, Pair{p.Key, strings.Join(lines, "\n")})
		case p.Key == "keywords" || p.Key == "links":
			list := slices.Clone(p.Value.(List))
			if len(list) > 0 && change == 0 {
				list = slices.Delete(list, 0, 1)
			} else if len(list) > 0 && p.Key == "links" {
				list[len(list)-1] = list[len(list)-1].(Map).Set("note", word().Draw(t, "note"))
			} else {
				list = slices.Insert(list, rapid.IntRange(0, len(list)).Draw(t, "at"), Value("new "+name))
				if p.Key == "links" {
					list = p.Value.(List)
				}
			}
			to = append(to, Pair{p.Key, list})
		case change == 0:
			// removed
		default:
			if v := other.Get(p.Key); v != nil {
				to = append(to, Pair{p.Key, v})
			}
		}
	}
	return to
}

// render writes a record as lines, with enough space between the fields for git to compare
// each on its own.
func render(m Map) []byte {
	var b bytes.Buffer
	for _, key := range append(slices.Clone(scalarFields), "keywords", "links", "description") {
		fmt.Fprintf(&b, "== %s\n-- %s\n", key, key)
		switch v := m.Get(key).(type) {
		case string:
			for _, line := range strings.Split(v, "\n") {
				fmt.Fprintf(&b, "%s %s\n", key, line)
			}
		case List:
			for _, item := range v {
				if link, is := item.(Map); is {
					url, _ := Text(link.Get("url"))
					for _, p := range link {
						fmt.Fprintf(&b, "%s %s %s=%s\n", key, url, p.Key, p.Value)
					}
				} else {
					fmt.Fprintf(&b, "%s %s\n", key, item)
				}
			}
		}
		fmt.Fprintf(&b, "-- end %s\n== end %s\n", key, key)
	}
	return b.Bytes()
}

// TestFieldsEqualGitsResultIfItFindsNoConflict compares the result with git merge-file.
func TestFieldsEqualGitsResultIfItFindsNoConflict(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir := t.TempDir()
	clean, conflicted, ran := 0, 0, 0
	check := func(t *rapid.T) {
		base := record(t, "base")
		ours, theirs := edited(t, "ours", base), edited(t, "theirs", base)
		merged, next, conflicts := Three(base, ours, theirs, Neither)
		files := make([]string, 3)
		for i, m := range []Map{ours, base, theirs} {
			files[i] = filepath.Join(dir, fmt.Sprint(i))
			if err := os.WriteFile(files[i], render(m), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command("git", append([]string{"merge-file", "-p", "-q"}, files...)...).Output()
		var exit *exec.ExitError
		ran++
		switch {
		case err == nil:
			clean++
			all, _ := merged.(Map)
			if len(conflicts) > 0 || !bytes.Equal(out, render(all)) {
				t.Fatalf("git merges\n%s\nand Three, with %d conflicts,\n%s", out, len(conflicts), render(all))
			}
		case !errors.As(err, &exit):
			t.Fatal(err)
		default:
			conflicted++
		}
		told := map[string]Conflict{}
		for _, c := range conflicts {
			told[c.Path] = c
		}
		for _, key := range scalarFields {
			b, o, th, got := base.Get(key), ours.Get(key), theirs.Get(key), merged.(Map).Get(key)
			want, both := o, !Equal(o, b) && !Equal(th, b) && !Equal(o, th)
			if Equal(o, b) {
				want = th
			}
			if _, is := told[key]; !Equal(got, want) || is != both {
				t.Fatalf("%s is %v of %v, %v and %v; told as a conflict: %t", key, got, b, o, th, is)
			}
		}
		again, _, left := Three(next, merged, theirs, Neither)
		if !Equal(again, merged) || len(left) != len(conflicts) {
			t.Fatalf("a second merge gives %v after %v, and %d conflicts after %d", again, merged, len(left), len(conflicts))
		}
	}
	rapid.Check(t, check)
	t.Logf("%d triples: git merges %d, and finds conflicts in %d", ran, clean, conflicted)
}
