package source

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/kit/rendition"
)

const (
	pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	merged  = "<<<<<<< HEAD\nours: 1\n=======\nours: 2\n>>>>>>> main\n"
)

// told returns the problems of a file, one per line.
func told(file, text string) string {
	var lines []string
	for _, p := range read(file, []byte(text), rendition.Open("")).Problems {
		line := strings.TrimPrefix(p.String(), file+":")
		if p.Warning {
			line += " as a warning"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestLeftoversOfToolsInPlaceOfAFileAreReportedAlone(t *testing.T) {
	const (
		lfs   = "1:1: the file is a pointer of Git LFS, not the file itself (run git lfs pull)"
		annex = "1:1: the file is a pointer of git-annex, not the file itself (run git annex get)"
		git   = ":1: Git could not merge two versions of the lines here, and left both (keep what is right, and remove the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>)"
	)
	for _, c := range []struct{ name, file, text, want string }{
		{"a pointer in YAML", sellerAt, pointer, lfs},
		{"a pointer in Markdown", articleAt, pointer, lfs},
		{"a pointer for a picture", "sellers/acme/media/logo.png", pointer, lfs},
		{"a pointer for a drawing", "media/logo.svg", pointer, lfs},
		{"a pointer for a file of the site", "site/prices.pdf", pointer, lfs},
		{"a pointer for a page of the site", "site/about.md", pointer, lfs},
		{"a pointer for a part of the theme", "theme/logo.svg", pointer, lfs},
		{"a pointer for the settings", "marketplace.yaml", pointer, lfs},
		{"a pointer for words", "texts/de.yaml", pointer, lfs},
		{"a pointer of git-annex", "site/film.mp4", "/annex/objects/SHA256E-s12--4d7a.mp4\n", annex},
		{"a file of Vim", "site/notes.swm", "b0VIM 9.0\x00\x00", "1:1: the file is a swap file of Vim (close the editor, and remove the file)"},
		{"a lock of LibreOffice", "site/lock.txt", ",jane,laptop,01.05.2026 12:00,file:///home/jane/.config/libreoffice/4;", "1:1: the file is a lock of LibreOffice (close the document, and remove the file)"},
		{"a lock of Emacs", "site/lock", "jane@laptop.4711:1777000000", "1:1: the file is a lock of Emacs (close the editor, and remove the file)"},

		{"a merge in YAML", sellerAt, "officialDomain: acme.example\n" + merged, "2" + git},
		{"a merge in YAML, by lines that end in CR LF", sellerAt, strings.ReplaceAll("officialDomain: acme.example\n"+merged, "\n", "\r\n"), "2" + git},
		{"a merge in front matter", productAt, "---\n" + merged + "name: Arm\ncategories: [robots]\n---\n", "2" + git},
		{"a merge in Markdown", articleAt, article("a\n\n" + merged), "7" + git},
		{"the base of a merge alone", articleAt, article("a\n||||||| 1234abc\nb\n"), "6" + git},
		{"the end of a merge alone", articleAt, article("a\n\n>>>>>>> main\n"), "7" + git},
		{"a merge in a style sheet", "theme/style.css", "a {}\n" + merged, "2" + git},
		{"a merge in a drawing", "media/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\">\n" + merged + "</svg>", "2" + git},
		{"a merge in a file of the site", "site/robots.txt", merged, "1" + git},
		{"a merge in words", "texts/de.yaml", "site.products: a\n" + merged, "2" + git},
		{"a merge in synonyms", "synonyms.yaml", "- [a, b]\n" + merged, "2" + git},

		{"a merge in a block of code", articleAt, article("So:\n\n```\n" + merged + "```\n"), ""},
		{"signs within a line", articleAt, article("Write <<<<<<< HEAD there, and >>>>>>> main.\n"), ""},
		{"fewer signs", articleAt, article(">>> a\n"), ""},
		{"words about pointers", articleAt, article("version https://git-lfs.github.com/spec/v1 is what one says\n"), ""},
		{"what is no content", "README.md", merged, ""},
	} {
		if got := told(c.file, c.text); got != c.want {
			t.Errorf("%s: told\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestTracesOfToolsGetAWarning(t *testing.T) {
	for _, trace := range []string{
		"{{ title }}", "{{title}}", "{{< figure src=\"a.png\" >}}", "${{ secrets.X }}", "{% include a.html %}", "<%= name %>", "<% end %>", "${name}", "${user.name}", "*|FNAME|*",
		"lorem ipsum dolor sit amet", "[object Object]", ":contentReference[oaicite:0]{index=0}", "citeturn0search0", "\ue200cite\ue202turn0search0\ue201",
		"【12:3†source】", "【4†L1-L3】", "[cite_start]", "[cite: 1, 2]", "<https://acme.example/?utm_source=chatgpt.com>", "caf\ufffd", "donâ€™t", "MÃ¼nchen", "groÃŸ",
		"R&amp;amp;D", "a&amp;nbsp;b", "a\ufeffb", "![[plan.png]]",
	} {
		got := told(articleAt, article("One.\n\nBefore "+trace+" after, and "+trace+" again."))
		if strings.Count(got, "as a warning") != 1 || strings.Contains(got, "\n") || !strings.HasPrefix(got, "7:") {
			t.Errorf("of %q it is told\n%s", trace, got)
		}
		for _, meant := range []string{"Before `" + trace + "` after.", "Before\n\n    " + trace + "\n", "Before\n\n```\n" + trace + "\n```\n"} {
			if got := told(articleAt, article(meant)); got != "" {
				t.Errorf("of %q it is told\n%s", meant, got)
			}
		}
	}
	for _, text := range []string{"{{ title }}", "<%= name %>", "${name}", "R&amp;D", "a&nbsp;b", "it&#39;s", "citeturn0search0", "MÃ¼nchen", "[object Object]", "undefined", "#N/A"} {
		for file, content := range map[string]string{
			productAt: product("summary: '" + text + "'"), sellerAt: seller("acme.example", "    summary: '"+text+"'\n"),
		} {
			if got := told(file, content); strings.Count(got, "as a warning") != 1 || strings.Contains(got, "\n") {
				t.Errorf("of %q in %s it is told\n%s", text, file, got)
			}
		}
	}
}

func TestOrdinaryTextIsNotATraceOfATool(t *testing.T) {
	for _, text := range []string{
		"A {set} of {{ braces", "100 % and <5 %", "$5 {or} more", "a {b} c", "50%> 20%<", "Ãgua, SÃO, MAÇÃ – «Ã»", "«FirstName»", "1 < 2 & 3 > 2", "R&D, AT&T; B&B", "undefined is a value",
		"the ipsum lorem", `\{{ title }}`, "[cite] me", "citeable turns", "【注】", "a † b", "the ${etcd-data-dir} folder", "[a][[b]]", "utm_source=newsletter", "TODO Group", "A ![picture", "&amp; and &lt;", "*|*",
	} {
		if got := told(articleAt, article(text)); got != "" {
			t.Errorf("of %q it is told\n%s", text, got)
		}
	}
	for _, text := range []string{"R&D", "AT&T; B&B", "a < b", "Fills `{{ title }}`", "Undefined Labs", "#NAME", "&c;"} {
		if got := told(productAt, product("summary: '"+text+"'")); got != "" {
			t.Errorf("of %q it is told\n%s", text, got)
		}
	}
}

func TestCodeIsNeverATraceOfATool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"{{ a }}", "<%= b %>", "${c}", "&amp;amp;", "a", " ", "\n", "<<<<<<< HEAD\n", "~~~", "[cite: 1]", "\ufffd"}), 0, 12).Draw(t, "pieces")
		if got := told(articleAt, article("```\n"+strings.Join(pieces, "")+"\n```\n")); got != "" {
			t.Errorf("it is told\n%s", got)
		}
	})
}

func TestWebPagesAndOtherFilesAreNotAcceptedAsPictures(t *testing.T) {
	const wrong = " is a web page or another file, not a picture (link to it instead, or show a picture of it from a folder media)"
	for address, page := range map[string]bool{
		"https://www.youtube.com/watch?v=dQw4w9WgXcQ": true, "https://youtube.com/shorts/abc": true, "https://youtu.be/abc?t=1": true, "https://M.YouTube.com/watch?v=a": true,
		"https://www.youtube-nocookie.com/embed/abc": true, "https://vimeo.com/12345": true, "https://player.vimeo.com/video/1": true, "https://www.loom.com/share/abc": true,
		"https://www.linkedin.com/company/acme": true, "https://x.com/acme/status/1": true, "https://acme.example": true, "https://acme.example/": true,
		"https://acme.example/products/arm.html": true, "https://acme.example/arm.htm?lang=en": true, "https://acme.example/arm.pdf": true, "https://acme.example/arm.mp4": true,
		"https://github.com/acme/arm/blob/main/logo.png": true, "https://gitlab.com/acme/arm/-/blob/main/logo.png": true, "https://commons.wikimedia.org/wiki/File:Arm.jpg": true,

		"https://img.youtube.com/vi/abc/0.jpg": false, "https://i.ytimg.com/vi/abc/hqdefault.jpg": false, "https://i.vimeocdn.com/video/1": false, "https://img.shields.io/badge/a-b-green": false,
		"https://cdn.acme.example/0123abcd": false, "https://acme.example/image?id=1": false, "https://acme.example/?image=1": false, "https://acme.example/logo.PNG": false,
		"https://github.com/acme/arm/actions/workflows/ci.yml/badge.svg": false, "https://github.com/acme/arm/raw/main/logo.png": false, "https://github.com/acme.png": false,
		"https://github.com/acme/arm/blob/main/logo.png?raw=true": false, "https://raw.githubusercontent.com/acme/arm/main/logo": false, "https://github.com/user-attachments/assets/1-2": false,
		"https://commons.wikimedia.org/wiki/Special:FilePath/Arm.jpg": false, "https://draw.example/arm.pdf?page=1": false, "https://acme.example/picture.php": false, "https://lh3.googleusercontent.com/a=s0": false,
	} {
		for name, got := range map[string]string{
			"a picture":     told(articleAt, article("![An arm]("+address+")")),
			"its reference": told(articleAt, article("![An arm][a]\n\n[a]: "+address)),
			"media":         told(productAt, product("media: [{url: \""+address+"\", alt: An arm}]")),
			"a logo":        told(sellerAt, seller("acme.example", "    logo: "+address+"\n")),
		} {
			if strings.Contains(got, wrong) != page || !page && got != "" {
				t.Errorf("%s at %s: told %q", name, address, got)
			}
		}
		if got := told(articleAt, article("[An arm]("+address+")")); got != "" {
			t.Errorf("a link to %s: told %q", address, got)
		}
	}
}
