package web

import "testing"

func TestOnlyClientsThatNameMarkdownPreferIt(t *testing.T) {
	for accept, want := range map[string]bool{
		"text/markdown": true,
		"Text/Markdown; variant=GFM;q=0.8, text/html;q=0.8": true,
		"text/markdown, text/html":                          true,
		"text/markdown;q=0.5, */*;q=0.1":                    true,
		"text/html;q=0.1, text/markdown;q=0.2, */*":         true,
		"text/markdown, text/html, */*":                     true,
		"":                                                  false,
		"*/*":                                               false,
		"text/*":                                            false,
		"text/markdown;q=0":                                 false,
		"text/markdown;q=0.5, text/html":                    false,
		"text/markdown;q=0.5, text/*":                       false,
		"text/markdown;q=0.5, */*":                          false,
		"text/markdown;q=x":                                 false,
		"text/markdownish, text/html;q=0.1":                 false,
		"text/html, application/xhtml+xml, */*;q=0.8":       false,
		"application/json, text/markdown;q=0.3;x=1, text/html": false,
	} {
		if got := prefersMarkdown([]string{accept}); got != want {
			t.Errorf("%q: %t", accept, got)
		}
	}
	if !prefersMarkdown([]string{"text/html;q=0.1", "text/markdown"}) {
		t.Error("a second line is not read")
	}
}
