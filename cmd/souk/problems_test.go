package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/build/kit/problem"
)

// TestExcerptMarksThePosition checks the excerpt that a terminal shows below a problem.
func TestExcerptMarksThePosition(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, one := range map[string]struct {
		text         string
		line, column int
		want         string
	}{
		"a field":             {"name: A\nnam: B\n", 2, 1, "     2 | nam: B\n       | ^\n"},
		"behind text":         {"name: [A, B]\n", 1, 11, "     1 | name: [A, B]\n       |           ^\n"},
		"at the end":          {"name: A\n", 1, 8, "     1 | name: A\n       |        ^\n"},
		"behind tabs":         {"\t\tname: A\n", 1, 3, "     1 | \t\tname: A\n       | \t\t^\n"},
		"behind wide letters": {"名前: A\n", 1, 5, "     1 | 名前: A\n       |       ^\n"},
		"behind an accent":    {"e\u0301te: A\n", 1, 6, "     1 | e\u0301te: A\n       |     ^\n"},
		"behind an umlaut":    {"Käse: A\n", 1, 7, "     1 | Käse: A\n       |       ^\n"},
		"CRLF":                {"name: A\r\nnam: B\r\n", 2, 1, "     2 | nam: B\n       | ^\n"},
		"escapes":             {"\x1b[2Jname: A\n", 1, 6, "     1 | \ufffd[2Jname: A\n       |      ^\n"},
		"a long line":         {long + "\n", 1, 200, "     1 | …" + strings.Repeat("x", 100) + "…\n       |  " + strings.Repeat(" ", 50) + "^\n"},
		"the whole file":      {"name: A\n", 0, 0, ""},
		"beyond the line":     {"name: A\n", 1, 12, ""},
		"beyond the file":     {"name: A\n", 7, 1, ""},
		"an empty line":       {"\n\n", 1, 1, ""},
		"no UTF-8":            {"\xff\xfe\n", 1, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.yaml")
			if err := os.WriteFile(file, []byte(one.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := excerpt(problem.Problem{File: file, Line: one.line, Column: one.column}); got != one.want {
				t.Errorf("shown is\n%s\nnot\n%s", got, one.want)
			}
		})
	}
	if got := excerpt(problem.Problem{File: filepath.Join(t.TempDir(), "missing"), Line: 1, Column: 1}); got != "" {
		t.Errorf("of a file that is not there is shown %q", got)
	}
}

// TestProblemsAreColoured also checks that output without colours has no escape sequences.
func TestProblemsAreColoured(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte("nam: A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list := problem.List{
		{File: file, Line: 1, Column: 1, Text: `unknown field "nam"`, Meant: `did you mean "name"?`},
		{File: file, Line: 1, Column: 6, Text: "odd", Warning: true},
	}
	var coloured, plainly, lines bytes.Buffer
	for out, how := range map[*bytes.Buffer][2]bool{&coloured: {true, true}, &plainly: {true, false}, &lines: {false, false}} {
		if err := writeProblems(out, list, how[0], how[1]); err != nil {
			t.Fatal(err)
		}
	}
	want := bold + file + ":1:1:" + plain + " " + red + `unknown field "nam"` + plain + ` (did you mean "name"?)` +
		"\n     1 | nam: A\n       | " + red + "^" + plain + "\n" +
		bold + file + ":1:6:" + plain + " " + yellow + "warning: odd" + plain + "\n     1 | nam: A\n       |      " + yellow + "^" + plain + "\n"
	if coloured.String() != want {
		t.Errorf("shown is\n%q\nnot\n%q", coloured.String(), want)
	}
	bare := strings.NewReplacer(bold, "", red, "", yellow, "", plain, "").Replace(want)
	if plainly.String() != bare {
		t.Errorf("without colours is shown\n%q\nnot\n%q", plainly.String(), bare)
	}
	if want := file + ":1:1: unknown field \"nam\" (did you mean \"name\"?)\n" + file + ":1:6: warning: odd\n"; lines.String() != want {
		t.Errorf("no terminal is shown\n%q\nnot\n%q", lines.String(), want)
	}
}

func TestProblemsInAnExternalThemeHaveItsPath(t *testing.T) {
	list := problem.List{{File: "theme/style.css"}, {File: "themes.yaml"}}
	for theme, want := range map[string]string{"": "content/theme/style.css", "../look": "../look/style.css"} {
		got := located("content", theme, list)
		if filepath.ToSlash(got[0].File) != want || filepath.ToSlash(got[1].File) != "content/themes.yaml" {
			t.Errorf("with the theme %q it is %v, not %s", theme, got, want)
		}
	}
}

// TestProblemPathsAreRelativeToTheWorkingFolder opens the file of each problem by the
// printed path.
func TestProblemPathsAreRelativeToTheWorkingFolder(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{"market/content/sellers/acme", "market/content/articles", "below/deep"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(root, "market/content/sellers/acme/seller.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct{ from, content, want string }{
		{"market", "content", "content/sellers/acme/seller.yaml"},
		{"market/content", ".", "sellers/acme/seller.yaml"},
		{"market/content/articles", "..", "../sellers/acme/seller.yaml"},
		{"below/deep", "../../market/content", "../../market/content/sellers/acme/seller.yaml"},
		{"market", filepath.Join(root, "market/content"), "content/sellers/acme/seller.yaml"},
		{"below", filepath.Join(root, "market/content"), file},
	} {
		t.Run(one.from+" "+one.want, func(t *testing.T) {
			t.Chdir(filepath.Join(root, one.from))
			got := located(one.content, "", problem.List{{File: "sellers/acme/seller.yaml", See: "sellers/acme/seller.yaml:1:2"}})[0]
			if filepath.ToSlash(got.File) != filepath.ToSlash(one.want) || got.See != got.File+":1:2" {
				t.Errorf("the file is %s (see %s), not %s", got.File, got.See, one.want)
			}
			if _, err := os.Stat(got.File); err != nil {
				t.Error(err)
			}
		})
	}
}
