package edit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/intake/merge"
)

const seller = `# Kept by hand.
officialDomain: acme.com   # checked in May
versions:
  # the one that is shown
  - version: 1
    name: "Acme"  # short
    links:
    - {label: Code, url: https://code.example}
  - version: 2
    name: Acme
    summary: >-
      Robots that
      weld.

# where it belongs
categories: [product/robots]
keywords:
- weld   # verb

- robot
`

func TestEditChangesNothingElse(t *testing.T) {
	set := func(m merge.Map, path string, v merge.Value) merge.Map { return m.Set(path, v) }
	version := func(m merge.Map, i int, key string, v merge.Value) merge.Map {
		list := append(merge.List{}, m.Get("versions").(merge.List)...)
		list[i] = list[i].(merge.Map).Set(key, v)
		return m.Set("versions", list)
	}
	for _, test := range []struct {
		name     string
		change   func(merge.Map) merge.Map
		old, new string
	}{
		{"nothing", func(m merge.Map) merge.Map { return m }, "", ""},
		{"a scalar before a comment", func(m merge.Map) merge.Map { return set(m, "officialDomain", "acme.de") }, "acme.com  ", "acme.de  "},
		{"a quoted scalar in a list", func(m merge.Map) merge.Map { return version(m, 0, "name", "Acme: Robots") }, `"Acme"  #`, `"Acme: Robots"  #`},
		{"a folded text", func(m merge.Map) merge.Map { return version(m, 1, "summary", "Short") }, "summary: >-\n      Robots that\n      weld.\n", "summary: Short\n"},
		{"a new field in an item", func(m merge.Map) merge.Map { return version(m, 1, "website", "https://acme.com") }, "      weld.\n", "      weld.\n    website: https://acme.com\n"},
		{"a field that goes", func(m merge.Map) merge.Map { return set(m, "keywords", nil) }, "keywords:\n- weld   # verb\n\n- robot\n", ""},
		{"an item more", func(m merge.Map) merge.Map { return set(m, "keywords", merge.List{"weld", "arc", "robot"}) }, "# verb\n", "# verb\n- arc\n"},
		{"an item in the place of another", func(m merge.Map) merge.Map { return set(m, "keywords", merge.List{"braze", "robot"}) }, "- weld ", "- braze "},
		{"an item less", func(m merge.Map) merge.Map { return set(m, "keywords", merge.List{"robot"}) }, "- weld   # verb\n", ""},
		{"an item that goes below its comment", func(m merge.Map) merge.Map { return m.Set("versions", m.List("versions")[1:]) }, "  - version: 1\n    name: \"Acme\"  # short\n    links:\n    - {label: Code, url: https://code.example}\n", ""},
		{"items in another order", func(m merge.Map) merge.Map { return set(m, "keywords", merge.List{"robot", "weld"}) }, "- weld   # verb\n\n- robot\n", "\n- robot\n- weld   # verb\n"},
		{"a new field", func(m merge.Map) merge.Map { return set(m, "status", "unpublished") }, "- robot\n", "- robot\nstatus: unpublished\n"},
		{"a list in one line", func(m merge.Map) merge.Map { return set(m, "categories", merge.List{"product/arms"}) }, "categories: [product/robots]\n", "categories:\n  - product/arms\n"},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			t.Run(test.name, func(t *testing.T) {
				f, err := Parse([]byte(strings.ReplaceAll(seller, "\n", eol)), false)
				if err != nil {
					t.Fatal(err)
				}
				got, _, err := f.Edit(test.change(f.Fields))
				if err != nil {
					t.Fatal(err)
				}
				if want := strings.ReplaceAll(strings.Replace(seller, test.old, test.new, 1), "\n", eol); string(got) != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

func TestEditKeepsTheTextOfMarkdown(t *testing.T) {
	f, err := Parse([]byte("---\nname: Arm\n---\n\n\nIt *welds*.  \n\n"), true)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := f.Edit(f.Fields.Set("name", "Arm 7"))
	if want := "---\nname: Arm 7\n---\n\n\nIt *welds*.  \n\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	yaml, err := Parse([]byte("name: Arm"), false)
	if err != nil {
		t.Fatal(err)
	}
	got, markdown, err := yaml.Edit(yaml.Fields.Set(Description, "It welds."))
	if want := "---\nname: Arm\n---\n\nIt welds.\n"; err != nil || !markdown || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func values(depth int) *rapid.Generator[merge.Value] {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", "yes", "12", "a: b", "x #y", "- z", "two\nlines", "two\n\n  lines\n", "'", "null", "2026-01-31", "https://a.example/?b=c#d"}))
	scalars := rapid.Map(texts, func(s string) merge.Value { return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "") })
	if depth == 0 {
		return scalars
	}
	return rapid.OneOf(scalars, rapid.Map(rapid.SliceOfN(values(depth-1), 1, 4), func(l []merge.Value) merge.Value { return merge.List(l) }),
		rapid.Map(fields(depth-1), func(m merge.Map) merge.Value { return m }))
}

func fields(depth int) *rapid.Generator[merge.Map] {
	return rapid.Custom(func(t *rapid.T) (m merge.Map) {
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"name", "label", "url", "no", "Weight (kg)", "a: b", "7"}), 1, 5, rapid.ID[string]).Draw(t, "keys") {
			m = append(m, merge.Pair{Key: key, Value: values(depth).Draw(t, key)})
		}
		return m
	})
}

func TestWrittenDataIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, other := fields(2).Draw(t, "one"), fields(2).Draw(t, "other")
		data, markdown := New(one)
		f, err := Parse(data, markdown)
		if err != nil || !merge.Equal(f.Fields, one) {
			t.Fatalf("%q is read as %v, %v; it was made of %v", data, f, err, one)
		}
		edited, markdown, err := f.Edit(other)
		if err != nil {
			t.Fatalf("%q is not edited to %v: %v", data, other, err)
		}
		if again, err := Parse(edited, markdown); err != nil || !merge.Equal(again.Fields, other) {
			t.Fatalf("%q became %q, which is read as %v, %v", data, edited, again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(seller), false)
	f.Add([]byte("---\na: &x [*x]\n---\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, markdown bool) {
		file, err := Parse(data, markdown)
		if err != nil {
			return
		}
		same, _, err := file.Edit(file.Fields)
		if err == nil && string(same) != string(data) {
			t.Fatalf("%q became %q without a change", data, same)
		}
		_, _, _ = file.Edit(file.Fields.Set("status", "unpublished"))
	})
}
