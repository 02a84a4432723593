package source

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"souk/build/kit/rendition"
)

func TestMissingAndUnusedTextsGetAWarning(t *testing.T) {
	for _, c := range []struct {
		name, language string
		files          map[string]string
		want           []string
	}{
		{"English", "en", nil, nil},
		{"German", "de-CH", nil, nil},
		{"German in other words", "de-CH", map[string]string{"de-CH.yaml": "action.claim: A\n", "de.yaml": "action.viewMap: B\n"}, nil},
		{"a language that Souk has not", "sv", nil, []string{
			`marketplace\.yaml:1:1: there are no texts in the language sv, so mails, pages and labels are in English \(write texts/sv\.yaml\)`,
		}},
		{"a language that Souk has not, begun", "pt-BR", map[string]string{"pt.yaml": "action.claim: A\n"}, []string{`texts/pt\.yaml:1:1: \d\d+ texts stay in English, because the file lacks them \(action\.contact, action\.requestRemoval, .*, …\)`}},
		{"another language than the market's", "de", map[string]string{"nl.yaml": "action.claim: A\n"}, []string{
			`texts/nl\.yaml:1:1: the texts are not used: the language in marketplace\.yaml is de \(rename it, or change the language there\)`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "marketplace.yaml", "name: M\nsiteUrl: https://m.example\nlanguage: "+c.language+"\n")
			for name, text := range c.files {
				write(t, dir, "texts/"+name, text)
			}
			f := Open(dir, filepath.Join(dir, ".cache"), "test", rendition.Open(""), time.Now)
			if err := f.Scan(context.Background(), Whole); err != nil {
				t.Fatal(err)
			}
			ch := f.All()
			if ch.Marketplace == nil || len(ch.Marketplace.Texts) != len(c.files) {
				t.Fatal(ch.Marketplace)
			}
			list := f.Problems()
			if len(list) != len(c.want) {
				t.Fatalf("told is %v, want %v", list, c.want)
			}
			for i, p := range list {
				if !p.Warning || !regexp.MustCompile("^"+c.want[i]+"$").MatchString(p.String()) {
					t.Errorf("told is %q, want %s", p, c.want[i])
				}
			}
		})
	}
}

func write(t *testing.T, dir, file, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
