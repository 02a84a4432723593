package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"souk/build/kit/problem"
	"souk/build/kit/rendition"
)

// Paths of the files that the tests below read.
const (
	sellerAt  = "sellers/acme/seller.yaml"
	productAt = "sellers/acme/products/arm.md"
	articleAt = "articles/news.md"
)

func seller(domain, rest string) string {
	return "officialDomain: " + domain + "\nversions:\n  - version: 1\n    name: Acme\n" + rest
}

const joinerMending = "(remove it: it is allowed only between two letters that need it, as in Persian or Sinhala)"

// manyAliases returns a list of aliases of a product, one per line.
func manyAliases(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\n- product:acme/former-%d", i)
	}
	return b.String()
}

func product(fields string) string {
	return "---\nname: Arm\ncategories: [robots]\n" + fields + "\n---\n"
}

func article(text string) string { return "---\ntitle: News\n---\n\n" + text }

func TestOddInputIsAcceptedOrReported(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             string // one line for each problem, without the file
	}{
		// The bytes of a file.
		{"a byte order mark", productAt, "\ufeff" + product("sku: A-1"), ""},
		{"lines that end in CR LF", productAt, strings.ReplaceAll(product("bad: 1")+"[a](seller:)\n", "\n", "\r\n"),
			`4:1: unknown field "bad" (the fields are sku, gtin, availability, variants, name, summary, categories, price, attributes, media, website, links, files, proof, keywords, related, status, publishedAt, updatedAt, expiresAt, aliases, private)
6:5: "seller:" is not a Reference: a slug is missing`},
		{"spaces behind the marks of the front matter", productAt, "--- \nname: Arm\ncategories: [robots]\n---\t\nText", ""},
		{"no front matter", productAt, "Text\n", "1:1: the file has no front matter (begin with a line ---, then the fields in YAML, then another line ---)"},
		{"an empty file of Markdown", productAt, "", "1:1: the file has no front matter (begin with a line ---, then the fields in YAML, then another line ---)"},
		{"an empty file of YAML", sellerAt, "", "1:1: the file has no fields"},
		{"comments alone", sellerAt, "# nothing yet\n", "1:1: the file has no fields"},
		{"an empty front matter", productAt, "---\n---\nText\n", "2:1: the file has no fields"},
		{"a list", sellerAt, "- a\n", "1:1: the file takes a mapping of fields, not a list"},
		{"two documents", sellerAt, seller("acme.example", "---\nid: b\n"),
			"5:1: the YAML does not parse: expected single document, found multiple (remove the line --- that begins another)"},
		{"UTF-16 with a mark", productAt, "\xff\xfe-\x00-\x00", "1:1: the file is encoded as UTF-16 (save it as UTF-8)"},
		{"UTF-16 without a mark", productAt, "-\x00-\x00", "1:1: the file seems to be encoded as UTF-16 (save it as UTF-8)"},
		{"Latin-1", productAt, product("summary: K\xe4se"), "4:11: the file is not UTF-8: byte 0xe4 (save it as UTF-8)"},
		{"a NUL", articleAt, article("a\x00b"), "5:2: the file contains a NUL character (remove the character)"},
		{"a control character", productAt, product("summary: \"a\x1b[0m\""), "4:12: the YAML contains the control character U+001B (remove the character)"},

		// YAML.
		{"a tab", sellerAt, "officialDomain: acme.example\nversions:\n\t- version: 1\n",
			"3:1: the YAML does not parse: found character that cannot start any token (indent with spaces, and put text that begins with such a character in quotes)"},
		{"a colon in text", sellerAt, seller("acme.example", "id: Acme: ours\n"),
			"5:9: the YAML does not parse: mapping values are not allowed in this context (put text with a colon in quotes, or check the indentation, and the space behind the colon of the field above)"},
		{"a field without a space", productAt, "---\nname:Arm\ncategories: [robots]\n---\n",
			"3:11: the YAML does not parse: mapping values are not allowed in this context (put text with a colon in quotes, or check the indentation, and the space behind the colon of the field above)"},
		{"a tab below a text", productAt, product("summary: a\n\tsku: b"),
			"5:1: the YAML does not parse: found a tab character that violates indentation (indent with spaces)"},
		{"a first field further right", sellerAt, "  id: acme\nversions: []\n",
			"2:1: the YAML does not parse: did not find expected <document start> (begin all fields in the same column)"},
		{"a line that is no field", productAt, product("summary:\nA long arm.\n\nsku: a"),
			"5:1: the YAML does not parse: could not find expected ':' (write a field as name: value, and begin each further line of a text right of its field)"},
		{"text that begins with an ampersand", productAt, product("summary: & more"),
			"4:11: the YAML does not parse: did not find expected alphabetic or numeric character (put text that begins with & or * in quotes)"},
		{"text that begins with a bracket", productAt, product("summary: ], he said"),
			"4:10: the YAML does not parse: did not find expected node content (put text that begins with a comma, a bracket or # in quotes, and write something between two commas)"},
		{"a comment within brackets", productAt, product("attributes: {colour: #ff0000}"),
			"5:1: the YAML does not parse: did not find expected node content (put text that begins with a comma, a bracket or # in quotes, and write something between two commas)"},
		{"a comment right behind a bracket", productAt, product("keywords: [#1]"),
			"4:12: the YAML does not parse: found a comment without preceding whitespace (put text that begins with # in quotes)"},
		{"a list in the line of its field", productAt, product("keywords: - arm"),
			"4:11: the YAML does not parse: block sequence entries are not allowed in this context (begin a list in the line below its field, and put text that begins with a hyphen in quotes)"},
		{"text that begins with a question mark", productAt, product("summary: ? what"),
			"4:10: the YAML does not parse: mapping keys are not allowed in this context (put text that begins with ? in quotes)"},
		{"a backslash and a letter within quotes", productAt, product(`sku: "C:\dir"`),
			`4:9: the YAML does not parse: found unknown escape character (write \\ for each \ within "…", or the text within '…')`},
		{"a quote that does not end", sellerAt, seller("acme.example", "id: \"acme\n"),
			"5:5: the YAML does not parse: found unexpected end of stream (close the quote that begins here)"},
		{"half a character of JSON", productAt, product("sku: \"\\ud83d\\ude00\""),
			"4:9: the YAML does not parse: found invalid Unicode character escape code (write the character itself, in UTF-8)"},
		{"a bracket that does not end", productAt, product("price: {amount: 5,\n  currency: EUR\nsku: A\n"),
			"6:4: the YAML does not parse: did not find expected ',' or '}' (close the bracket that begins in line 4)"},
		{"text behind a quote", productAt, product("sku: 'Peter's'"),
			"4:13: the YAML does not parse: did not find expected key (check the indentation; where a value begins with a quote or a bracket, nothing may follow its end, and an apostrophe within '…' is written twice)"},
		{"text that begins with a sign of YAML", productAt, product("sku: > 5 kg"),
			"4:8: the YAML does not parse: did not find expected comment or line break (put text that begins with > or | in quotes)"},
		{"text that a comment cuts short", productAt, product("summary: We are #1 in arms\nsku: A-1 # not #2\nkeywords: [arm]\nattributes:\n  colour: red #3\n  size: \"#4\" #5"),
			`4:10: warning: the text ends at "#1 in arms", since a comment of YAML begins there (put all of it in quotes, or a space behind the #)
8:11: warning: the text ends at "#3", since a comment of YAML begins there (put all of it in quotes, or a space behind the #)`},
		{"a comment in the place of a value", productAt, "---\nname: #1 arm\ncategories: [robots]\nsummary: #1 in arms\nsku: # none yet\nattributes:\n  colour: #ff0000\n  size: {value: #4\n    }\nkeywords: ~ #soon\nprice: #in euros\n  amount: 5\n  currency: EUR\n---\n",
			`2:6: name is empty, since a comment of YAML begins at "#1 arm" (put all of it in quotes, or a space behind the #)
4:9: warning: summary is empty, since a comment of YAML begins at "#1 in arms" (put all of it in quotes, or a space behind the #)
7:10: the attribute "colour" takes text, a number, true or false, {value, unit}, or a list of texts, not nothing (put all of it in quotes, or a space behind the #)
9:5: the attribute "size" takes text, a number, true or false, {value, unit}, or a list of texts, not nothing (leave it out)`},
		{"a comment in the place of a text", "texts/en.yaml", "action.claim: #1\n", `1:14: the text takes text, not nothing (put all of it in quotes, or a space behind the #)`},
		{"no text where one of some words belongs", productAt, product("status: true\nproof: [{kind: [award], title: A, public: true}, {kind: 1, title: B, public: true}]"),
			`4:9: status is one of published, draft, unpublished, not the truth value true
5:16: kind is one of certification, award, customer, caseStudy, review, publication, not a list
5:57: kind is one of certification, award, customer, caseStudy, review, publication, not the number 1`},
		{"a decimal comma", productAt, product("price: {amount: 12,50, currency: EUR}\nattributes: {reach: {value: 8,5, unit: m}}\nvariants: [{name: A, price: {amount: 1.290,50, currency: EUR}}]"),
			`4:20: unknown field "50" (a comma ends the value before it: write a number with a point, as in 1290.50)
5:31: unknown field "5" (a comma ends the value before it: write a number with a point, as in 1290.50)
6:44: unknown field "50" (a comma ends the value before it: write a number with a point, as in 1290.50)`},
		{"a price without fields", productAt, product("price: 12.50"),
			"4:8: price takes a mapping of fields, not the number 12.50 (the fields are amount, currency, unit, from, list)"},
		{"attributes of several values or none", productAt, product("attributes: {colour: [red, blue], size: }"),
			`4:41: the attribute "size" takes text, a number, true or false, {value, unit}, or a list of texts, not nothing (leave it out)`},
		{"attributes of several values", productAt, product("attributes:\n  a: []\n  b: [x, 7, true, \"\", X, [y]]\n  c: {value: [x], unit: kg}\n  d: [~]\nvariants: [{name: V, attributes: {e: [x, y]}}]"),
			`5:6: the attribute "a" is an empty list (leave it out)
6:10: an item of the attribute "b" takes text, not the number 7 (write "7" in quotes)
6:13: an item of the attribute "b" takes text, not the truth value true (write "true" in quotes)
6:19: an item of the attribute "b" is empty
6:23: the attribute "b" has "X" twice (remove one)
6:26: an item of the attribute "b" takes text, not a list
7:14: the attribute "c" takes text, a number, true or false, {value, unit}, or a list of texts, not a list (a list has no unit: write the texts alone)
8:7: an item of the attribute "d" takes text, not nothing`},
		{"availability", productAt, product("availability: in stock\nvariants: [{name: V, availability: preorder}, {name: W, availability: onRequest}]"),
			`4:15: availability is one of inStock, outOfStock, preOrder, onRequest, discontinued, not "in stock" (did you mean "inStock"?)
5:36: availability is one of inStock, outOfStock, preOrder, onRequest, discontinued, not "preorder" (did you mean "preOrder"?)`},
		{"list prices", productAt, product("price: {amount: 10, currency: EUR, list: 10.00}\nvariants:\n- {name: A, price: {amount: 9.5, currency: EUR, list: \"9.50\"}}\n- {name: B, price: {amount: 9.5, currency: EUR, list: 10}}\n- {name: C, price: {amount: 0.45, currency: EUR, list: .5}}\n- {name: D, price: {amount: 0100, currency: EUR, list: 99}}\n- {name: E, price: {amount: \"099\", currency: EUR, list: \"100.1\"}}"),
			`4:8: the list price 10.00 is not above the amount 10 (leave list out, or write the price before the reduction)
6:20: the list price 9.50 is not above the amount 9.5 (leave list out, or write the price before the reduction)
8:56: ".5" is not an amount (write digits, with a point where needed, as in 1290.50)
9:29: the number 0100 begins with a zero, so some programs read it as octal (write 100)`},
		{"an availability of a service", "sellers/acme/services/arm.md", product("availability: inStock"),
			`4:1: unknown field "availability" (the fields are delivery, regions, name, summary, categories, price, attributes, media, website, links, files, proof, keywords, related, status, publishedAt, updatedAt, expiresAt, aliases, private)`},
		{"websites and links of offers", productAt, product("website: acme.example\nlinks: [{label: Manual, url: \"ftp://acme.example\"}, {url: \"https://acme.example\"}]"),
			`4:10: "acme.example" is not a web address (write it in full, as in https://acme.example/)
5:30: "ftp://acme.example" is not a web address (write it in full, as in https://acme.example/)
5:53: an item of links has no "label"`},
		{"files", productAt, product("files:\n- {file: media/a.pdf, label: Data sheet, language: de}\n- {file: media/a.svg, label: Drawing}\n- {file: \"https://acme.example/a.pdf\", label: A}\n- {file: ../../../../a.PDF, label: A}\n- {label: A, language: german!}\n- {file: a.pdf, label: \"\"}\nmedia: [{file: media/a.pdf, alt: A}]") + "![A](media/a.pdf) [A](media/a.pdf)",
			`6:10: "media/a.svg" is not a PDF in the content (files are PDFs, as in media/arm.pdf; a picture belongs in media, a web page in links)
7:10: "https://acme.example/a.pdf" is not a PDF in the content (write a path relative to this file, as in media/arm.pdf)
8:10: the PDF "../../../../a.PDF" is outside the content folder
9:3: an item of files has no "file"
9:24: "german!" is not a language (write a tag of BCP 47, as in en or pt-BR)
10:10: the PDF "a.pdf" is in no media folder (put it into a folder named media beside this file)
10:24: label is empty
11:16: "media/a.pdf" is a PDF, not a picture (name it in files, or link to it)
13:6: "media/a.pdf" is a PDF, not a picture (name it in files, or link to it)`},
		{"a file that is no PDF", "sellers/acme/media/a.pdf", "<html>", "1:1: this is not a PDF; it looks like HTML, perhaps a page about the picture or an error message: export it as a PDF, or give it its own ending"},
		{"21 files", productAt, product("files:" + strings.Repeat("\n- {file: media/a.pdf, label: A}", 21)), "25:3: files has 21 items (keep at most 20)"},
		{"pictures of variants", productAt, product("variants:\n- {name: A, image: media/a.svg}\n- {name: B, image: {file: media/b.svg}}\n- {name: C, image: {alt: C}}\n- {name: D, image: {file: media/d.svg, alt: D}}"),
			`5:20: image takes a mapping, not "media/a.svg" (write {file: media/name.svg, alt: what it shows})
6:20: the image has no "alt" (say in words what the picture shows)
7:20: the image has neither "file" nor "url"`},
		{"four attributes of cards", "categories/product/robots.yaml", "name: Robots\ncardAttributes: [a, b, c, d]\n", "2:27: cardAttributes has 4 items (keep at most 3)"},
		{"a price that is not indented", productAt, product("price:\namount: 5\ncurrency: EUR"),
			`5:1: unknown field "amount" (it is a field of price; the fields are sku, gtin, availability, variants, name, summary, categories, price, attributes, media, website, links, files, proof, keywords, related, status, publishedAt, updatedAt, expiresAt, aliases, private)
6:1: unknown field "currency" (it is a field of price; the fields are sku, gtin, availability, variants, name, summary, categories, price, attributes, media, website, links, files, proof, keywords, related, status, publishedAt, updatedAt, expiresAt, aliases, private)`},
		{"what belongs to a version", sellerAt, seller("acme.example", "logo: media/a.svg\n"),
			`5:1: unknown field "logo" (it is a field of versions; the fields are officialDomain, domainProof, versions, selectedVersion, id, formerDomains, replaces, categories, contact, details, proof, related, keywords, status, publishedAt, updatedAt, expiresAt, aliases, private)`},
		{"a field of two others", productAt, product("url: https://acme.example/"),
			`4:1: unknown field "url" (it is a field of media and of links and of proof; the fields are sku, gtin, availability, variants, name, summary, categories, price, attributes, media, website, links, files, proof, keywords, related, status, publishedAt, updatedAt, expiresAt, aliases, private)`},
		{"a description among the fields", productAt, product("description: A long arm.\nprice: {amount: 5, currency: EUR, description: net}"),
			`4:1: unknown field "description" (a description is the Markdown below the fields, in a file that ends in .md; the fields are sku, gtin, availability, variants, name, summary, categories, price, attributes, media, website, links, files, proof, keywords, related, status, publishedAt, updatedAt, expiresAt, aliases, private)
5:35: unknown field "description" (the fields are amount, currency, unit, from, list)`},
		{"a range in one attribute", productAt, product("attributes: {reach: {min: 1, unit: m}}"),
			`4:21: the attribute "reach" has no "value"
4:22: unknown field "min" (the fields are value, unit; a range is two attributes, as in reach from and reach to)`},
		{"an alias", productAt, product("price: &p {amount: \"1\", currency: EUR}\nvariants: [{name: A, price: *p}]"), ""},
		{"an alias to nothing", productAt, product("sku: *a"), "4:6: the YAML does not parse: unknown anchor 'a' referenced (put text that begins with * in quotes)"},
		{"an alias to itself", productAt, product("keywords: &a [*a]"),
			"2:1: the file's aliases expand to more than 100000 values or 8 MB of text, or contain themselves (write them out)"},
		{"aliases that multiply", sellerAt, seller("acme.example", "private: [&a ["+strings.Repeat("x,", 400)+"], &b ["+strings.Repeat("*a,", 400)+"], ["+strings.Repeat("*b,", 400)+"]]\n"),
			"1:1: the file's aliases expand to more than 100000 values or 8 MB of text, or contain themselves (write them out)"},
		{"a long text behind aliases", sellerAt, seller("acme.example", "private: [&a "+strings.Repeat("x", 100_000)+strings.Repeat(", *a", 100)+"]\n"),
			"1:1: the file's aliases expand to more than 100000 values or 8 MB of text, or contain themselves (write them out)"},
		{"a merge key", productAt, product("price: &p {amount: \"1\", currency: EUR}\nvariants: [{name: A, price: {<<: *p, amount: \"2\"}}]"),
			`5:29: price has no "currency"
5:30: merge keys are not supported (write the fields out, or use an alias for the whole value)`},
		{"a merge key as the name of an attribute", productAt, product("attributes: {a: &a {value: 1, unit: kg}, <<: *a, b: {<<: *a, value: 2}, \"<<\": 3}"),
			`4:42: merge keys are not supported (write the fields out, or use an alias for the whole value)
4:54: merge keys are not supported (write the fields out, or use an alias for the whole value)`},
		{"what a tag makes true", productAt, product("attributes: {a: !!bool yes, b: !!bool TRUE}\nproof: [{kind: award, title: A, public: !!bool yes}, {kind: award, title: B, public: yes}]"),
			`4:17: the attribute "a" takes text, a number, true or false, {value, unit}, or a list of texts, not the truth value yes
5:41: public takes true or false, not the truth value yes
5:86: public takes true or false, not "yes"`},
		{"a field twice", sellerAt, seller("acme.example", "id: a\nid: b\n"), `6:1: the field "id" appears twice`},
		{"a field whose name is a list", sellerAt, seller("acme.example", "? [a]\n: b\n"), "5:3: the name of a field takes text, not a list"},
		{"a tag", sellerAt, seller("acme.example", "id: !!binary YQ==\n"), "5:5: id takes text, not a value tagged !!binary"},
		{"a number tagged as text", sellerAt, seller("acme.example", "id: !!str 12\n"), ""},
		{"a number for text", sellerAt, seller("acme.example", "id: 12\n"), `5:5: id takes text, not the number 12 (write "12" in quotes)`},
		{"nothing for what may be left out", productAt, product("sku:\nprice: ~\nvariants: null"), ""},
		{"nothing for what is required", sellerAt, "officialDomain:\nversions:\n", "2:10: versions is empty"},
		{"private notes of any form", productAt, product("private: {a: 1, a: [*b], <<: x}\n"), "4:21: the YAML does not parse: unknown anchor 'b' referenced (put text that begins with * in quotes)"},

		// Domains.
		{"a domain in upper case, with a dot at its end", sellerAt, seller("ACME.Example.", ""), ""},
		{"an international domain", sellerAt, seller("bücher.example", ""), ""},
		{"two dots at its end", sellerAt, seller("acme.example..", ""), `1:17: "acme.example.." is not a domain (write the domain alone, as in acme.example)`},
		{"another script's dots at its end", sellerAt, seller("acme。example。。", ""), `1:17: "acme。example。。" is not a domain (write the domain alone, as in acme.example)`},
		{"an empty label", sellerAt, seller("a..b", ""), `1:17: "a..b" is not a domain (write the domain alone, as in acme.example)`},
		{"a label that is too long", sellerAt, seller(strings.Repeat("a", 64)+".example", ""),
			`1:17: "` + strings.Repeat("a", 60) + `…" is not a domain (write the domain alone, as in acme.example)`},
		{"a web address", sellerAt, seller("https://acme.example", ""), `1:17: "https://acme.example" is not a domain (write the domain alone, as in acme.example)`},
		{"an internet address", sellerAt, seller("192.168.0.1", ""), `1:17: "192.168.0.1" is not a domain (write the domain alone, as in acme.example)`},
		{"brackets", sellerAt, seller(`"[::1]"`, ""), `1:17: "[::1]" is not a domain (write the domain alone, as in acme.example)`},
		{"numbers alone", sellerAt, seller("1.2.3", ""), `1:17: "1.2.3" is not a domain (write the domain alone, as in acme.example)`},
		{"what browsers take for an address", sellerAt, seller("127.0x1", ""), `1:17: "127.0x1" is not a domain (write the domain alone, as in acme.example)`},
		{"a number before letters", sellerAt, seller("123.example", ""), ""},
		{"a number", sellerAt, seller("12", ""), `1:17: officialDomain takes text, not the number 12 (write "12" in quotes)`},
		{"a top-level domain", sellerAt, seller("com", ""), `1:17: the officialDomain "com" is a public suffix (use a domain that belongs to the company)`},
		{"a public suffix", sellerAt, seller("github.io", ""), `1:17: the officialDomain "github.io" is a public suffix (use a domain that belongs to the company)`},
		{"a page on a shared host", sellerAt, seller("acme.github.io", ""), ""},
		{"a mail provider in upper case", sellerAt, seller("GMAIL.com", ""), `1:17: the officialDomain "gmail.com" is a free-mail provider's (use a domain that belongs to the company)`},

		// Names.
		{"a direction change in a name", productAt, "---\ncategories: [robots]\nname: \"Arm \\u202egpj\"\n---\n", "3:7: name has a direction change (U+202E) as its character 5 (remove it)"},
		{"a zero-width space in a name", sellerAt, "officialDomain: acme.example\nversions:\n  - version: 1\n    name: Ac\u200bme\n", "4:11: name has a zero-width space (U+200B) as its character 3 (remove it)"},
		{"a joiner at the beginning of a name", articleAt, "---\ntitle: \"\\u200cمی\"\n---\n", "2:8: title has a zero-width non-joiner (U+200C) as its character 1 " + joinerMending},
		{"a joiner at the end of a name", articleAt, "---\ntitle: \"می\\u200c\"\n---\n", "2:8: title has a zero-width non-joiner (U+200C) as its character 3 " + joinerMending},
		{"a joiner at the end of a Sinhala word", articleAt, "---\ntitle: \"\u0dc1\u0dca\\u200d \u0dbb\u0dd3\"\n---\n", "2:8: title has a zero-width joiner (U+200D) as its character 3 " + joinerMending},
		{"a joiner without the sign before it", articleAt, "---\ntitle: \"\u0dc1\\u200d\u0dbb\u0dd3\"\n---\n", "2:8: title has a zero-width joiner (U+200D) as its character 2 " + joinerMending},
		{"two joiners", articleAt, "---\ntitle: \"می\\u200c\\u200cشود\"\n---\n", "2:8: title has a zero-width non-joiner (U+200C) as its character 3 " + joinerMending},
		{"a joiner that joins", articleAt, "---\ntitle: \"می\\u200dشود\"\n---\n", "2:8: title has a zero-width joiner (U+200D) as its character 3 " + joinerMending},
		{"a joiner behind a letter that joins nothing", articleAt, "---\ntitle: \"آزاد\\u200cراه\"\n---\n", "2:8: title has a zero-width non-joiner (U+200C) as its character 5 " + joinerMending},
		{"a joiner of Latin letters", articleAt, "---\ntitle: \"Ac\\u200dme\"\n---\n", "2:8: title has a zero-width joiner (U+200D) as its character 3 " + joinerMending},
		{"a joiner of two scripts", articleAt, "---\ntitle: \"\u0dc1\u0dca\\u200dme\"\n---\n", "2:8: title has a zero-width joiner (U+200D) as its character 3 " + joinerMending},
		{"a joiner of digits", articleAt, "---\ntitle: \"1\\u200c2\"\n---\n", "2:8: title has a zero-width non-joiner (U+200C) as its character 2 " + joinerMending},
		{"a joiner of emoji", articleAt, "---\ntitle: \"\U0001F469\\u200d\U0001F4BB\"\n---\n", "2:8: title has a zero-width joiner (U+200D) as its character 2 " + joinerMending},
		{"names with joiners", "market-maps/map.yaml", "title: ශ්\u200dරී\nsegments:\n  - {name: نرم\u200cافزار می\u200cخواهم, entries: []}\n  - {name: উদ্\u200cযাপন, entries: []}\n  - {name: র\u200d্যাম, entries: []}\n" +
			"  - {name: क्\u200dष, entries: []}\n  - {name: ക്\u200dഷ, entries: []}\n  - {name: مِی\u200cشود, entries: []}\n  - {name: श्\u200cरी श\u094d\u200cरी, entries: []}\n", ""},
		{"a line break in a name", sellerAt, seller("acme.example", "    legalName: |\n      Acme\n      Ltd\n"), "5:16: legalName has a line break (U+000A) as its character 5 (write it on one line)"},
		{"a filler in an author's name", articleAt, "---\ntitle: A\nauthors: [B, \"C\\u3164\"]\n---\n", "3:14: an item of authors has an invisible character (U+3164) as its character 2 (remove it)"},
		{"a mark of direction in an attribute's name", productAt, product("attributes: {\"a\\u200f\": 1}"), "4:14: the attribute's name has a direction mark (U+200F) as its character 2 (remove it)"},
		{"a bell in an id", sellerAt, seller("acme.example", "id: \"a\\x07\"\n"), "5:5: id has a control character (U+0007) as its character 2 (remove it)"},
		{"a tab in a segment's name", "market-maps/map.yaml", "title: M\nsegments: [{name: \"a\\tb\", entries: []}]\n", "2:19: name has a tab (U+0009) as its character 2 (remove it)"},
		{"names of many scripts", productAt, "---\ncategories: [robots]\nname: \"M\u00fcsli \u05d0 \u0627 \u2764\ufe0f \U0001F600 \u0600\"\nsummary: \"\u0645\u06cc\u200c\u0634\u0648\u062f \\n\"\n---\n", ""},

		// Invisible spaces.
		{"spaces at the edges of a seller's fields", sellerAt, "officialDomain: \"acme.example \"\nformerDomains: [\" old.example\"]\nversions: [{version: 1, name: Acme, website: \"https://acme.example\u00a0\", logo: \"media/a.svg \", founded: 1998, headquarters: {country: \"DE \"}, languages: [\"de \"]}]\n" +
			"categories: [\"product/tools \"]\nrelated: [\"seller:acme \"]\n",
			`1:17: "acme.example " begins or ends with a space (write "acme.example")
2:17: " old.example" begins or ends with a space (write "old.example")
3:46: "https://acme.example\u00a0" begins or ends with a space (write "https://acme.example")
3:77: "media/a.svg " begins or ends with a space (write "media/a.svg")
3:132: "DE " begins or ends with a space (write "DE")
3:152: "de " begins or ends with a space (write "de")
4:14: "product/tools " begins or ends with a space (write "product/tools")
5:11: "seller:acme " begins or ends with a space (write "seller:acme")`},
		{"spaces at the edges of a product's fields", productAt, "---\nname: Arm\ncategories: [\"robots \"]\nprice: {amount: \"5 \", currency: \"EUR \"}\npublishedAt: \" 2026-01-01\"\n---\n",
			`3:14: "robots " begins or ends with a space (write "robots")
4:17: "5 " begins or ends with a space (write "5")
4:33: "EUR " begins or ends with a space (write "EUR")
5:14: " 2026-01-01" begins or ends with a space (write "2026-01-01")`},
		{"spaces at the edges of the marketplace's fields", "marketplace.yaml", "name: M\nsiteUrl: \"https://m.example \"\ncontactEmail: \"desk@m.example \"\ntheme: {accent: \"#0b5c4a \", logo: \"theme/logo.svg \"}\n",
			`2:10: "https://m.example " begins or ends with a space (write "https://m.example")
3:15: "desk@m.example " begins or ends with a space (write "desk@m.example")
4:17: "#0b5c4a " begins or ends with a space (write "#0b5c4a")
4:35: "theme/logo.svg " begins or ends with a space (write "theme/logo.svg")`},
		{"spaces at the edges of destinations", articleAt, article("[a](<https://a.example/x >) ![b](<media/a.svg >) [c](<seller:acme >) [d](< mailto:a@b.example>)"),
			`5:6: "https://a.example/x " begins or ends with a space (write "https://a.example/x")
5:35: "media/a.svg " begins or ends with a space (write "media/a.svg")
5:55: "seller:acme " begins or ends with a space (write "seller:acme")
5:75: " mailto:a@b.example" begins or ends with a space (write "mailto:a@b.example")`},
		{"a file whose name ends with a space", "articles/news.md ", "", `1:1: the name "news.md " begins or ends with a space (name it "news.md")`},
		{"a folder whose name ends with a space", "articles /news.md", "", `1:1: the name "articles " begins or ends with a space (name it "articles")`},
		{"a seller whose name ends with a space", "sellers/acme /seller.yaml", "", `1:1: the slug "acme " is not allowed: use lower-case letters, digits and single hyphens between them (did you mean "acme"?)`},

		// Names that are reserved on Windows.
		{"a slug that Windows cannot hold", "articles/aux.md", "---\ntitle: A\n---\n", `1:1: warning: Windows cannot hold a file or a folder called "aux.md" (give it another name)`},
		{"a seller that Windows cannot hold", "sellers/con/seller.yaml", seller("con.example", ""), `1:1: warning: Windows cannot hold a file or a folder called "con" (give it another name)`},
		{"a product of a seller that Windows cannot hold", "sellers/con/products/arm.md", product(""), ""},
		{"a picture that Windows cannot hold", "sellers/acme/media/COM1.min.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>", `1:1: warning: Windows cannot hold a file or a folder called "COM1.min.svg" (give it another name)`},
		{"a page of site/ that Windows cannot hold", "site/nul.md", "---\ntitle: A\n---\n", `1:1: warning: Windows cannot hold a file or a folder called "nul.md" (give it another name)`},
		{"an alias that Windows cannot hold", productAt, product("aliases: [product:acme/lpt9]"), `4:11: warning: Windows cannot hold a file or a folder called "lpt9" (remove it if a release must work on Windows)`},
		{"slugs that begin like those that Windows cannot hold", "articles/con-artists.md", "---\ntitle: A\naliases: [article:com10, article:auxiliary]\n---\n", ""},

		// YAML directives.
		{"YAML 1.2", "categories/product/robots.yaml", "# A category.\n\n%YAML 1.2\n---\nname: Robots\nparnt: x\n", `6:1: unknown field "parnt" (did you mean "parent"?)`},
		{"a later YAML, with a comment", "categories/product/robots.yaml", "%YAML 1.3 # new\n--- # fields\nname: Robots\n", ""},
		{"YAML 2", "categories/product/robots.yaml", "%YAML 2.0\n---\nname: Robots\n", "1:1: the YAML does not parse: found incompatible YAML document"},
		{"text like a directive", productAt, "---\nname: \"%YAML 1.2\"\ncategories: [robots]\n---\n%YAML 1.2\n", ""},

		// Impossible numbers.
		{"fewer people than none", sellerAt, seller("acme.example", "    employees: -5\n"), `5:16: "-5" is not a number of people (write a whole number, or a range such as "11-50")`},
		{"fewer people than none as text", sellerAt, seller("acme.example", "    employees: \"−5\"\n"), `5:16: "−5" is not a number of people (write a whole number, or a range such as "11-50")`},
		{"half a person", sellerAt, seller("acme.example", "    employees: 2.5\n"), `5:16: "2.5" is not a number of people (write a whole number, or a range such as "11-50")`},
		{"a range of people that ends before it begins", sellerAt, seller("acme.example", "    employees: 50 - 11\n"), `5:16: the range "50 - 11" ends before it begins (write "11-50")`},
		{"people", sellerAt, seller("acme.example", "    employees: 11-50\n"), ""},
		{"nobody", sellerAt, seller("acme.example", "    employees: 0\n"), ""},
		{"people in words", sellerAt, seller("acme.example", "    employees: about 1,000\n"), ""},
		{"a year of two digits", sellerAt, seller("acme.example", "    founded: 98\n"), `5:14: founded cannot be 98 (write all digits of the year, as in 1998)`},
		{"a year before the first", sellerAt, seller("acme.example", "    founded: -5\n"), `5:14: founded cannot be -5 (write all digits of the year, as in 1998)`},
		{"the oldest company", sellerAt, seller("acme.example", "    founded: 578\n"), ""},
		{"a date of a year of three digits", productAt, product("updatedAt: 0998-01-01"), `4:12: "0998-01-01" is not in one of the years 1000 to 9999, in UTC (write 2026-01-31, or 2026-01-31T09:30:00Z)`},
		{"a country by its name", sellerAt, seller("acme.example", "    headquarters: {country: Netherlands}\n"), `5:29: "Netherlands" is not a country code (did you mean "NL"?)`},
		{"Kosovo", sellerAt, seller("acme.example", "    headquarters: {country: XK}\n"), ""},

		// Values with their own rules.
		{"days and moments", productAt, product("publishedAt: 2026-01-31\nupdatedAt: 2026-01-31T10:00:00+02:00\nexpiresAt: \"2026-12-31T10:00:00\""), ""},
		{"a day that is none", productAt, product("publishedAt: 2026-02-30"), `4:14: "2026-02-30" is not a date (write 2026-01-31, or 2026-01-31T09:30:00Z)`},
		{"moments of RFC 3339", productAt, product("publishedAt: 2026-01-02T01:00:00\nupdatedAt: 2026-01-02T01:00:00.25-23:59\nexpiresAt: 9999-12-31T23:59:59Z"), ""},
		{"an hour of one digit", productAt, product("publishedAt: 2026-01-02T1:00:00Z"),
			`4:14: "2026-01-02T1:00:00Z" is not a date (write 2026-01-31, or 2026-01-31T09:30:00Z)`},
		{"a comma before the fraction", productAt, product("publishedAt: '2026-01-02T01:00:00,5Z'\nupdatedAt: '2026-01-02T01:00:00,5'"),
			`4:14: "2026-01-02T01:00:00,5Z" is not a date (write 2026-01-31, or 2026-01-31T09:30:00Z)
5:12: "2026-01-02T01:00:00,5" is not a date (write 2026-01-31, or 2026-01-31T09:30:00Z)`},
		{"offsets of a day, and of an hour of minutes", productAt, product("publishedAt: 2026-01-02T01:00:00+24:00\nupdatedAt: 2026-01-02T01:00:00+01:60"),
			`4:14: "2026-01-02T01:00:00+24:00" is not a date (write 2026-01-31, or 2026-01-31T09:30:00Z)
5:12: "2026-01-02T01:00:00+01:60" is not a date (write 2026-01-31, or 2026-01-31T09:30:00Z)`},
		{"years that RFC 3339 cannot write in UTC", productAt, product("publishedAt: 0000-01-01T00:00:00+01:00\nexpiresAt: 9999-12-31T23:59:59-00:01"),
			`4:14: "0000-01-01T00:00:00+01:00" is not in one of the years 1000 to 9999, in UTC (write 2026-01-31, or 2026-01-31T09:30:00Z)
5:12: "9999-12-31T23:59:59-00:01" is not in one of the years 1000 to 9999, in UTC (write 2026-01-31, or 2026-01-31T09:30:00Z)`},
		{"what is no date to programs", productAt, product("publishedAt: 0001-01-01\nupdatedAt: 0001-01-01T00:00:00Z"),
			`4:14: "0001-01-01" is not in one of the years 1000 to 9999, in UTC (write 2026-01-31, or 2026-01-31T09:30:00Z)
5:12: "0001-01-01T00:00:00Z" is not in one of the years 1000 to 9999, in UTC (write 2026-01-31, or 2026-01-31T09:30:00Z)`},
		{"a year", productAt, product("publishedAt: 2026"), "4:14: the number 2026 is not a date (write 2026-01-31, or 2026-01-31T09:30:00Z)"},
		{"an amount without quotes", productAt, product("price: {amount: 149.00, currency: EUR}"), ""},
		{"an amount with an exponent", productAt, product("price: {amount: 1e3, currency: EUR}"), `4:17: "1e3" is not an amount (write digits, with a point where needed, as in 1290.50)`},
		{"an end before the beginning", productAt, product("expiresAt: 2026-01-31\npublishedAt: 2026-02-01"),
			"4:12: it expires on 2026-01-31 and is published on 2026-02-01, so it is never public (use a later expiresAt, or status: unpublished)"},
		{"an end at the beginning", productAt, product("publishedAt: 2026-02-01\nexpiresAt: 2026-02-01T00:00:00Z"),
			"5:12: it expires on 2026-02-01T00:00:00Z and is published on 2026-02-01, so it is never public (use a later expiresAt, or status: unpublished)"},
		{"an end on the day of the beginning", productAt, product("publishedAt: 2026-02-01\nexpiresAt: 2026-02-01T00:00:01Z"), ""},
		{"an amount below zero", productAt, product("price: {amount: -5, currency: EUR}"), `4:17: "-5" is not an amount (write digits, with a point where needed, as in 1290.50)`},
		{"an amount with a comma", productAt, product("price: {amount: \"12,50\", currency: EUR}"), `4:17: "12,50" is not an amount (write digits, with a point where needed, as in 1290.50)`},
		{"currencies of late", productAt, product("variants:\n  - {name: A, price: {amount: \"1\", currency: SLE}}\n  - {name: B, price: {amount: \"1\", currency: XCG}}"), ""},
		{"GTINs as numbers and as text", productAt, product("gtin: 4006381333931\nvariants:\n  - {name: A, gtin: \"036000291452\"}\n  - {name: B, gtin: 00012345678905}"), ""},
		{"a GTIN with a wrong digit", productAt, product("gtin: 4006381333932"), `4:7: "4006381333932" is not a GTIN (write the 8, 12, 13 or 14 digits under the bar code; the last one is computed from the others)`},
		{"a GTIN with spaces", productAt, product("gtin: 4006381 333931"), `4:7: "4006381 333931" is not a GTIN (write the 8, 12, 13 or 14 digits under the bar code; the last one is computed from the others)`},
		{"a currency that was withdrawn", productAt, product("price: {amount: \"1\", currency: DEM}"), `4:32: "DEM" is not a currency code (write three capital letters of ISO 4217, as in EUR)`},
		{"a currency in lower case", productAt, product("price: {amount: \"1\", currency: eur}"), `4:32: "eur" is not a currency code (did you mean "EUR"?)`},
		{"countries", sellerAt, seller("acme.example", "    headquarters: {country: UK}\n"), `5:29: "UK" is not a country code (did you mean "GB"?)`},
		{"a region of the world", sellerAt, seller("acme.example", "    headquarters: {country: EU}\n"), `5:29: "EU" is not a country code (write two capital letters of ISO 3166-1, as in DE)`},
		{"Norway, and Norwegian", sellerAt, seller("acme.example", "    headquarters: {country: NO}\n    languages: [no]\n"), ""},
		{"a language that is none", sellerAt, seller("acme.example", "    languages: [zz, xx-YY, de_DE]\n"),
			`5:17: "zz" is not a language (write a tag of BCP 47, as in en or pt-BR)
5:21: "xx-YY" is not a language (write a tag of BCP 47, as in en or pt-BR)
5:28: "de_DE" is not a language (write a tag of BCP 47, as in en or pt-BR)`},
		{"numbers of every form", productAt, product("attributes: {a: 0x1F, b: 1e3, c: 99999999999999999999, d: -0.5, e: +1}"), ""},
		{"numbers with a zero in front", productAt, product("attributes: {RAL: 07035, prefix: 0041, width: {value: 0150, unit: mm}, a: -09.50, b: 00, c: 00.5, d: 0_7, e: \"007\"}\nvariants:\n  - name: A\n    attributes:\n      RAL: 07035"),
			`4:19: the number 07035 begins with a zero, so some programs read it as octal (write "07035" in quotes if it is text, or else 7035)
4:34: the number 0041 begins with a zero, so some programs read it as octal (write "0041" in quotes if it is text, or else 41)
4:55: the number 0150 begins with a zero, so some programs read it as octal (write "0150" in quotes if it is text, or else 150)
4:75: the number -09.50 begins with a zero, so some programs read it as octal (write "-09.50" in quotes if it is text, or else -9.50)
4:86: the number 00 begins with a zero, so some programs read it as octal (write "00" in quotes if it is text, or else 0)
4:93: the number 00.5 begins with a zero, so some programs read it as octal (write "00.5" in quotes if it is text, or else 0.5)
4:102: the number 0_7 begins with a zero, so some programs read it as octal (write "0_7" in quotes if it is text, or else 7)
8:12: the number 07035 begins with a zero, so some programs read it as octal (write "07035" in quotes if it is text, or else 7035)`},
		{"an amount with a zero in front", productAt, product("price: {amount: 0150, currency: EUR}\nvariants:\n  - name: A\n    price: {amount: 00.50, currency: EUR}\n  - name: B\n    price: {amount: 0.50, currency: EUR}"),
			`4:17: the number 0150 begins with a zero, so some programs read it as octal (write 150)
7:21: the number 00.50 begins with a zero, so some programs read it as octal (write 0.50)`},
		{"a version with a zero in front", sellerAt, "officialDomain: acme.example\nversions: [{version: 01, name: Acme, employees: 011}, {version: \"02\", name: B}]\n",
			`2:22: the number 01 begins with a zero, so some programs read it as octal (write "01" in quotes if it is text, or else 1)
2:49: the number 011 begins with a zero, so some programs read it as octal (write "011" in quotes if it is text, or else 11)`},
		{"zeros that are no others' in front", productAt, product("attributes: {a: 0, b: 0.50, c: -0, d: 0x1F, e: 0o17, f: 0e1, g: 100}"), ""},
		{"a year with a zero in front", sellerAt, seller("acme.example", "    founded: 01777\n"),
			`5:14: the number 01777 begins with a zero, so some programs read it as octal (write 1777)`},
		{"what is no number", productAt, product("attributes: {a: .inf}"), `4:17: the attribute "a" takes text, a number, true or false, {value, unit}, or a list of texts, not the number .inf`},
		{"a value twice", productAt, product("attributes: {a: {value: 1, value: 2}}"), `4:28: the field "value" appears twice`},
		{"a seller's category without its root", sellerAt, seller("acme.example", "categories: [robots]\n"), `5:14: "robots" is not a category: write product/slug or service/slug`},
		{"a product's category with its root", productAt, "---\nname: Arm\ncategories: [product/robots]\n---\n",
			`3:14: the slug "product/robots" is not allowed: use lower-case letters, digits and single hyphens between them (write the slug alone: "robots")`},
		{"an entry with a space", "market-maps/m.yaml", "title: M\nsegments:\n  - name: A\n    entries:\n      - seller: acme\n", "5:9: an item of entries takes a Reference, not a mapping (write it without the space, as in seller:acme)"},
		{"a Reference with a space", productAt, product("related:\n  - seller: acme"), "5:5: an item of related takes a Reference, not a mapping (write it without the space, as in seller:acme)"},
		{"a Reference of no kind", productAt, product("related: [market-map:robots]"),
			`4:11: "market-map:robots" is not a Reference: write kind:path, as in seller:acme or product:acme/arm-7 (did you mean "marketMap:robots"?)`},

		// Aliases.
		{"former References", productAt, product("aliases: [product:acme/old-arm, product:bolt/arm]"), ""},
		{"an alias that is no Reference", productAt, product("aliases: [old-arm]"),
			`4:11: "old-arm" is not a Reference: write kind:path, as in seller:acme or product:acme/arm-7`},
		{"an alias of another kind", productAt, product("aliases: [service:acme/arm, seller:acme]"),
			`4:11: an alias of product:acme/arm is a former Reference of the same kind, and "service:acme/arm" is not (write it as in "product:acme/former-slug")
4:29: an alias of product:acme/arm is a former Reference of the same kind, and "seller:acme" is not (write it as in "product:acme/former-slug")`},
		{"an alias of the other root", "categories/product/robots.yaml", "name: Robots\naliases: [category:service/robots]\n",
			`2:11: an alias of category:product/robots is a former Reference of the same kind, and "category:service/robots" is not (write it as in "category:product/former-slug")`},
		{"an alias of itself", productAt, product("aliases: [product:acme/arm]"), `4:11: the alias "product:acme/arm" is its current Reference (remove it)`},
		{"an alias twice", productAt, product("aliases: [product:acme/old, product:acme/old]"), `4:29: the alias "product:acme/old" appears twice (remove one)`},
		{"100 aliases", productAt, product("aliases:" + manyAliases(100)), ""},
		{"101 aliases", productAt, product("aliases:" + manyAliases(101)), "105:3: aliases has 101 items (keep at most 100)"},
		{"an alias of the marketplace", "marketplace.yaml", "name: M\nsiteUrl: https://m.example\naliases: [seller:acme]\n",
			`3:11: the marketplace has no Reference, so "seller:acme" cannot be its alias (remove it)`},

		// Pictures.
		{"alt that is missing", productAt, product("media: [{url: \"https://acme.example/a.png\"}]"), `4:9: the item of media has no "alt" (say in words what the picture shows)`},
		{"alt that is empty", productAt, product("media: [{url: \"https://acme.example/a.png\", alt: \"\"}]"),
			"4:9: warning: the picture has an empty alt, so people who cannot see it do not know what it shows"},
		{"alt that is a number", productAt, product("media: [{url: \"https://acme.example/a.png\", alt: 12}]"), `4:50: alt takes text, not the number 12 (write "12" in quotes)`},
		{"a picture without place", productAt, product("media: [{alt: An arm}]"), `4:9: the item of media has neither "file" nor "url"`},
		{"a picture outside", productAt, product("media: [{file: ../../../../a.svg, alt: An arm}]"), `4:16: the picture "../../../../a.svg" is outside the content folder`},
		{"a picture in no media folder", productAt, product("media: [{file: a.svg, alt: An arm}]"),
			`4:16: the picture "a.svg" is in no media folder (put it into a folder named media beside this file)`},

		// Markdown.
		{"links of each form", articleAt, article("[a](seller:) [b][b] <seller:> [c](<seller:> \"title\")\n\n[b]: seller:\n"),
			`5:5: "seller:" is not a Reference: a slug is missing
5:22: "seller:" is not a Reference: a slug is missing
5:36: "seller:" is not a Reference: a slug is missing
7:6: "seller:" is not a Reference: a slug is missing`},
		{"what is code is no link", articleAt, article("`[a](seller:)`\n\n    [a](seller:)\n\n```\n[a](seller:)\n```\n"), ""},
		{"columns count characters", articleAt, article("äöü [a](seller:)"), `5:9: "seller:" is not a Reference: a slug is missing`},
		{"a script", articleAt, article("[a](javascript:alert(1))"),
			`5:5: a link must not point to "javascript:alert(1)" (use http, https, mailto or tel, or a Reference such as seller:acme)`},
		{"a Reference with a capital", articleAt, article("[a](Seller:acme)"), `5:5: a link must not point to "Seller:acme" (did you mean "seller:acme"?)`},
		{"a link to a file", articleAt, article("[a](other.md)"),
			`5:5: the link "other.md" has no target (link to a web address, a Reference such as seller:acme, or a picture such as media/plan.svg)`},
		{"web addresses that cannot be", articleAt, article("[a](https://.) [b](https://acme.example:99999/) [c](https://ac\u200bme.example) [d](https://acme.example)"),
			`5:5: "https://." is not a web address (write it in full, as in https://acme.example/)
5:20: "https://acme.example:99999/" is not a web address (write it in full, as in https://acme.example/)
5:53: "https://ac\u200bme.example" is not a web address (write it in full, as in https://acme.example/)`},
		{"a website that cannot be", sellerAt, seller("acme.example", "    website: https://acme..example/\n"),
			`5:14: "https://acme..example/" is not a web address (write it in full, as in https://acme.example/)`},
		{"web addresses with a password", sellerAt, seller("acme.example", "    website: https://u:p@acme.example/a\n    logo: https://u@acme.example/a.svg\n    links: [{label: A, url: \"https://acme.example/@u\"}, {label: B, url: \"https://@acme.example\"}]\nproof: [{kind: award, title: A, public: true, url: \"https://u:p@acme.example\"}]\n"),
			`5:14: "https://…@acme.example/a" contains a user or password, which would be public (write https://acme.example/a)
6:11: "https://…@acme.example/a.svg" contains a user or password, which would be public (write https://acme.example/a.svg)
7:73: "https://…@acme.example" contains a user or password, which would be public (write https://acme.example)
8:52: "https://…@acme.example" contains a user or password, which would be public (write https://acme.example)`},
		{"links and pictures with a password", articleAt, article("[a](https://u:p@acme.example) ![b](https://u:p@acme.example/a.png) <https://u:p@acme.example> [c](mailto:u@acme.example)"),
			`5:5: "https://…@acme.example" contains a user or password, which would be public (write https://acme.example)
5:36: "https://…@acme.example/a.png" contains a user or password, which would be public (write https://acme.example/a.png)
5:69: "https://…@acme.example" contains a user or password, which would be public (write https://acme.example)`},
		{"a place on the same page, a mailbox, a telephone", articleAt, article("[a](#b) [c](mailto:d@e.example) [f](tel:+1)"), ""},
		{"a picture without alt", articleAt, article("![](media/a.svg)"), "5:5: warning: the picture has no alt, so people who cannot see it do not know what it shows"},
		{"a picture by http", articleAt, article("![a](http://pictures.example/a.png) ![b](HTTP://pictures.example/b.png) ![c](https://pictures.example/c.png) [d](http://acme.example/)"),
			`5:6: warning: pages do not show the picture, because its address begins with http:// instead of https://
5:42: warning: pages do not show the picture, because its address begins with http:// instead of https://`},
		{"a logo by http", sellerAt, seller("acme.example", "    logo: http://acme.example/logo.svg\n"),
			"5:11: warning: pages do not show the picture, because its address begins with http:// instead of https://"},
		{"a picture with spaces in its path", articleAt, article("Ä ![a](media/my picture.svg) ![b]( media/b c.svg \"d\" )"),
			`5:8: the path "media/my picture.svg" has spaces, so it does not work (write <media/my picture.svg>, or media/my%20picture.svg)
5:36: the path "media/b c.svg" has spaces, so it does not work (write <media/b c.svg>, or media/b%20c.svg)`},
		{"a link to a picture with spaces in its path", articleAt, article("[a](media/my plan.svg)"),
			`5:5: the path "media/my plan.svg" has spaces, so it does not work (write <media/my plan.svg>, or media/my%20plan.svg)`},
		{"an address with spaces", articleAt, article("[a](https://acme.example/a b) [c](tel:+49 12) ![d](HTTPS://acme.example/a b.png \"e\")"),
			`5:5: the address "https://acme.example/a b" has spaces, so it does not work (write %20 for each, or leave them out)
5:35: the address "tel:+49 12" has spaces, so it does not work (write %20 for each, or leave them out)
5:52: the address "HTTPS://acme.example/a b.png" has spaces, so it does not work (write %20 for each, or leave them out)`},
		{"a Reference with a space in a text", articleAt, article("[a](seller: acme) [b](product: acme/arm-7 \"c\")"),
			`5:5: the Reference "seller: acme" has spaces, so it does not work (write seller:acme)
5:23: the Reference "product: acme/arm-7" has spaces, so it does not work (write product:acme/arm-7)`},
		{"a picture beside the text", articleAt, article("![a](plan.svg) ![b](/media/plan.svg) ![c](pictures/plan.svg) ![d]()"),
			`5:6: the picture "plan.svg" is in no media folder (put it into a folder named media beside this file)
5:21: "/media/plan.svg" is not a picture in the content (write a path relative to this file, as in media/logo.svg)
5:43: the picture "pictures/plan.svg" is in no media folder (put it into a folder named media beside this file)
5:67: the link "" has no target (link to a web address, a Reference such as seller:acme, or a picture such as media/plan.svg)`},
		{"brackets before words", articleAt, article("[a](as we say) [b](seller: who sells) [c](service: yes, always) ![b](see there) [c](<media/d e.svg>) `![f](media/g h.svg)`"), ""},
		{"a name with a space and percent signs", articleAt, article("![a](media/my%20picture.svg)"), ""},
		{"HTML in an article", articleAt, article("a <br> b"), `5:3: raw HTML "<br>" (write it in Markdown)`},
		{"footnotes", articleAt, article("a[^1] b[^b]\n\n```\n[^c]: d\n```\n\n[^1]: See there.\n\n[^b]: https://b.example\n"),
			"11:1: warning: footnotes are not part of CommonMark and are shown as they are written (write it in the text, or in a section of its own and link to that)"},
		{"a footnote of one word", articleAt, article("a[^1]\n\n[^1]: there\n"),
			`7:1: warning: footnotes are not part of CommonMark and are shown as they are written (write it in the text, or in a section of its own and link to that)`},
		{"a footnote in a quote, on the next line, and a Reference", articleAt, article("> [^1]:\n> <nowhere>\n\na[^1] [^2]\n\n[^2]: seller:acme\n\n[here]: there\n\n[here]\n"),
			`5:3: warning: footnotes are not part of CommonMark and are shown as they are written (write it in the text, or in a section of its own and link to that)
12:9: the link "there" has no target (link to a web address, a Reference such as seller:acme, or a picture such as media/plan.svg)`},
		{"no footnotes", articleAt, article("a[^1] [^2], `[^3]: x`\n\nin [^2]\\: x, and [^0-9]: is no digit\n"), ""},
		{"HTML in a product", productAt, product("") + "a <br> b", `6:3: raw HTML "<br>" (write it in Markdown)`},
		{"HTML in a seller's profile", "sellers/acme/seller.md", "---\n" + seller("acme.example", "---\n<b>a</b>\n"), `7:1: raw HTML "<b>" (write it in Markdown)
7:5: raw HTML "</b>" (write it in Markdown)`},
		{"HTML in a category", "categories/product/robots.md", "---\nname: R\n---\n\n<div>\n", `5:1: raw HTML "<div>" (write it in Markdown)`},
		{"HTML in a map", "market-maps/map.md", "---\ntitle: M\nsegments: [{name: A, entries: []}]\n---\na <i>\n", `5:3: raw HTML "<i>" (write it in Markdown)`},
		{"HTML of the marketplace", "marketplace.md", "---\nname: M\nsiteUrl: https://m.example\n---\na <i>\n", `5:3: raw HTML "<i>" (write it in Markdown)`},
		{"a comment", articleAt, article("a\n<!-- [a](seller:) -->"), `6:1: raw HTML "<!-- [a](seller:) -->" (remove the comment, which would be public; in front matter, text after # is not)`},

		// The marketplace.
		{"addresses that hold too much", "marketplace.yaml", "name: M\nsiteUrl: https://m.example/?a=b\napiUrl: https://m.example/v1\ncontactEmail: The desk <desk@m.example>\n",
			`2:10: "https://m.example/?a=b" is more than scheme, host and path (write only these, as in https://market.example)
3:9: the apiUrl "https://m.example/v1" does not end in /api/v1 (end it in /api/v1)
4:15: "The desk <desk@m.example>" is not an e-mail address (write the address alone, as in desk@market.example)`},
		{"a featured category, the same twice, and a way to join that runs something", "marketplace.yaml",
			"name: M\nsiteUrl: https://m.example\nfeatured: [seller:acme, category:product/arms, seller:acme]\njoin: \"javascript:alert(1)\"\nclaims: never\n",
			`3:25: category:product/arms is a category and cannot be featured (write a seller, a product, a service, an article or a market map)
3:48: seller:acme is featured twice (remove one)
4:7: "javascript:alert(1)" leads nowhere (write a web address, mailto:desk@market.example, or the path of a page such as /join)
5:9: claims is one of on, off, not "never"`},
		{"claims that are off, and ways to join", "marketplace.yaml", "name: M\nsiteUrl: https://m.example\njoin: /join\nclaims: off\n", ""},
		{"a contact page that runs something, a mailbox and a telephone number that are none", sellerAt,
			seller("acme.example", "contact: {url: \"javascript:alert(1)\", email: \"a@b.example?cc=c\", telephone: call me, address: {country: Germany}}\n"),
			`5:16: "javascript:alert(1)" is not a web address (write it in full, as in https://acme.example/)
5:46: "a@b.example?cc=c" is not an e-mail address (write the address alone, as in desk@market.example)
5:77: "call me" is not a telephone number (write digits, with the country's number in front, as in "+49 711 123456")
5:105: "Germany" is not a country code (did you mean "DE"?)`},
		{"addresses with an empty query, and an empty fragment", "marketplace.yaml", "name: M\nsiteUrl: https://m.example?\napiUrl: https://m.example/api/v1#\n",
			`2:10: "https://m.example?" is more than scheme, host and path (write only these, as in https://market.example)
3:9: "https://m.example/api/v1#" is more than scheme, host and path (write only these, as in https://market.example)
3:9: the apiUrl "https://m.example/api/v1#" does not end in /api/v1 (end it in /api/v1)`},
		{"an address with an empty user", "marketplace.yaml", "name: M\nsiteUrl: https://@m.example/\n",
			`2:10: "https://…@m.example/" contains a user or password, which would be public (write https://m.example/)`},
		{"addresses whose path leads elsewhere", "marketplace.yaml", "name: M\nsiteUrl: https://m.example//market\napiUrl: https://m.example/a/.%2E/./b/../api/v1/\n",
			`2:10: the path of "https://m.example//market" has a part that is empty, . or .., which browsers and servers change (write https://m.example/market)
3:9: the path of "https://m.example/a/.%2E/./b/../api/v1/" has a part that is empty, . or .., which browsers and servers change (write https://m.example/api/v1)`},
		{"an address with dots and many slashes at its end", "marketplace.yaml", "name: M\nsiteUrl: https://m.example/a..b/.c//\n", ""},
		{"addresses that are not in ASCII", "marketplace.yaml", "name: M\nsiteUrl: https://märkt.example:8080/bücher/\napiUrl: https://xn--mrkt-loa.example/ä/api/v1\n",
			`2:10: "https://märkt.example:8080/bücher/" is not in ASCII (write https://xn--mrkt-loa.example:8080/b%C3%BCcher/)
3:9: "https://xn--mrkt-loa.example/ä/api/v1" is not in ASCII (write https://xn--mrkt-loa.example/%C3%A4/api/v1)`},
		{"addresses with a port, a path and a slash at the end", "marketplace.yaml", "name: M\nsiteUrl: http://127.0.0.1:8080/market/\napiUrl: https://m.example/api/v1/\n", ""},
		{"a marketplace that is to be hidden", "marketplace.yaml", "name: M\nsiteUrl: https://m.example\nstatus: draft\npublishedAt: 2027-01-01\nexpiresAt: 2027-01-01\n",
			`3:1: warning: status has no effect here: the marketplace itself is always public
5:1: warning: expiresAt has no effect here: the marketplace itself is always public
5:12: it expires on 2027-01-01 and is published on 2027-01-01, so it is never public (use a later expiresAt, or none)`},
		{"a marketplace with what every file may have", "marketplace.yaml", "name: M\nsiteUrl: https://m.example\nstatus: published\npublishedAt: 2027-01-01\nupdatedAt: 2027-01-01\nexpiresAt:\nprivate: [a]\n", ""},

		// Pins.
		{"pins", "categories/product/robots.yaml", "name: R\npins: [product:acme/arm, product:bolt/arm]\n", ""},
		{"what is no listing as a pin", "categories/product/robots.yaml", "name: R\npins: [seller:acme, arm]\n",
			`2:8: seller:acme is not a listing and cannot be pinned (pin a listing, as in "product:acme/arm-7")
2:21: "arm" is not a Reference: write kind:path, as in seller:acme or product:acme/arm-7`},
		{"a pin of the other root", "categories/product/robots.yaml", "name: R\npins: [service:acme/help]\n",
			"2:8: service:acme/help cannot be in a category under the root product (pin it in a category under the root service)"},
		{"a pin twice", "categories/product/robots.yaml", "name: R\npins:\n  - product:acme/arm\n  - product:acme/arm\n",
			"4:5: the pin product:acme/arm appears twice (remove one)"},

		// Attributes.
		{"a colon in an attribute's name", productAt, product("attributes: {\"Reach: max\": 1}"),
			`4:14: the attribute's name "Reach: max" has a colon, which would end the name in a filter (write it without the colon)`},

		// Synonyms.
		{"synonyms", "synonyms.yaml", "- [ robot arm , manipulator, Roboterarm]\n- {from: cobot, to: [robot, robots]}\n- {from: robot, to: cobot}\n", ""},
		{"languages of one letter", "synonyms.yaml", "- [C, C++, 'C#']\n- {from: C, to: [C++, F#]}\n", ""},
		{"no synonyms yet", "synonyms.yaml", "# - [word, word]\n", ""},
		{"synonyms in a mapping", "synonyms.yaml", "robot: cobot\n", `1:1: the file takes a list of synonyms, not a mapping (start each item with "- ")`},
		{"a word alone", "synonyms.yaml", "- robot\n- [cobot]\n- []\n",
			`1:3: an item takes a list of words, or from and to, not "robot" (write [word, word], or {from: word, to: word})
2:3: an item has one word (name two words or more that mean the same)
3:3: an item has no word (name two words or more that mean the same)`},
		{"synonyms that are no text", "synonyms.yaml", "- [robot, 7]\n- [robot, [arm]]\n- [a, true]\n",
			`1:11: a word takes text, not the number 7 (write "7" in quotes)
2:11: a word takes text, not a list
3:7: a word takes text, not the truth value true (write "true" in quotes)`},
		{"empty words", "synonyms.yaml", "- [robot, ' ']\n- [robot, '!?']\n- {from: '', to: robot}\n",
			`1:11: a word is empty
2:11: "!?" has no letter or digit, so it never matches (write what people type)
3:10: a word is empty`},
		{"words twice", "synonyms.yaml", "- [robot, Robot]\n- [café, bar, cafe]\n", `1:11: the word "Robot" appears twice: words are compared without case and accents (remove one)
2:15: the word "cafe" appears twice: words are compared without case and accents (remove one)`},
		{"synonyms twice", "synonyms.yaml", "- [robot, cobot]\n- {from: a, to: b}\n- [Robot, cobot]\n- {from: b, to: a}\n- {from: A, to: b}\n",
			"3:3: the same synonyms appear twice (remove one)\n5:3: the same synonyms appear twice (remove one)"},
		{"one way without an end", "synonyms.yaml", "- {from: cobot}\n- {from: cobot, to: []}\n- {from: {a: b}, to: c}\n- {form: a, to: b}\n- {from: a, to: b, to: c}\n- {from: a, to: [b, A]}\n",
			`1:3: an item has no "to" (write {from: word, to: word})
2:21: to is an empty list
3:10: from takes a word or a list of words, not a mapping
4:3: an item has no "from" (write {from: word, to: word})
4:4: unknown field "form" (did you mean "from"?)
5:20: the field "to" appears twice
6:17: "A" is a synonym of itself (remove it)`},
		{"a zero-width space in a word", "synonyms.yaml", "- [ro\u200bbot, arm]\n", "1:4: a word has a zero-width space (U+200B) as its character 3 (remove it)"},
		{"synonyms under another ending", "synonyms.yml", "", "1:1: the name of the file ends in .yml (end it in .yaml or .md)"},
		{"synonyms in Markdown", "synonyms.md", "", "1:1: content does not belong here (name it synonyms.yaml)"},

		// The site's texts.
		{"texts", "texts/de.yaml", "action.claim: Übernehmen\naction.viewSeller: \"{company} ansehen\"\n", ""},
		{"no texts yet", "texts/de.yaml", "# action.claim: Übernehmen\n", ""},
		{"a text that there is not", "texts/de.yaml", "action.clam: Übernehmen\n", `1:1: there is no text "action.clam" (did you mean "action.claim"?)`},
		{"a text twice", "texts/de.yaml", "action.claim: A\naction.claim: B\n", `2:1: the text "action.claim" appears twice`},
		{"an unknown placeholder", "texts/de.yaml", "action.claim: A\naction.viewSeller: \"Über {compny} {company}\"\n",
			`2:20: the text has no placeholder {compny} (did you mean "company"?)`},
		{"a missing placeholder", "texts/de.yaml", "action.viewSeller: Über\n", "1:20: the placeholder {company} is missing"},
		{"a placeholder that is not closed", "texts/de.yaml", "action.viewSeller: Über {company\n", `1:20: the placeholder that begins at "{company" is not closed`},
		{"an empty text", "texts/de.yaml", "action.claim: \"\"\n", "1:15: the text is empty (leave the line out for the text as it is)"},
		{"a text that is a list", "texts/de.yaml", "action.claim: [a]\n", "1:15: the text takes text, not a list"},
		{"texts in a list", "texts/de.yaml", "- a\n", "1:1: the file takes a mapping of texts, not a list"},
		{"texts in no language", "texts/german.yaml", "", `1:1: "german" is not a language (name it after a tag of BCP 47, as in texts/nl.yaml or texts/pt-BR.yaml)`},
		{"texts in a language written otherwise", "texts/pt-br.yaml", "", `1:1: "pt-br" is not the standard form of the language tag (name it texts/pt-BR.yaml)`},
		{"texts in Markdown", "texts/de.md", "", "1:1: texts are in YAML (use a name that ends in .yaml)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			problems := read(c.file, []byte(c.text), rendition.Open("")).Problems
			problems.Sort()
			var got []string
			for _, p := range problems {
				if p.Warning {
					p.Text = "warning: " + p.Text
				}
				got = append(got, strings.TrimPrefix(p.String(), c.file+":"))
			}
			want := strings.FieldsFunc(c.want, func(r rune) bool { return r == '\n' })
			if !slices.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

func TestUnreadableFilesStillNameTheirItem(t *testing.T) {
	for file, text := range map[string]string{
		sellerAt: "officialDomain: [", productAt: "no front matter", articleAt: "\xff",
		"categories/product/robots.yaml": "", "market-maps/map.yaml": "title: a: b", "sellers/acme/services/help.yaml": "- a list",
	} {
		r := read(file, []byte(text), rendition.Open(""))
		if len(r.Problems) != 1 || r.Item == nil || r.Item.Common().File != file {
			t.Errorf("%s: what names it is told to name nothing: %v %v", file, r.Item, r.Problems)
		}
	}
}

func TestReservedSlugsAreMistakesInNamesAndAliases(t *testing.T) {
	for _, slug := range []string{"media", "product", "service", "pages", "index", "claim", "remove", "search"} {
		for _, file := range []string{
			"sellers/" + slug + "/seller.yaml", "sellers/acme/products/" + slug + ".yaml", "sellers/acme/services/" + slug + ".md",
			"categories/product/" + slug + ".yaml", "articles/" + slug + ".md", "market-maps/" + slug + ".yaml",
		} {
			if what, _, p := place(file); what != stray || p == nil || p.Text != fmt.Sprintf("the slug %q is reserved: choose another", slug) {
				t.Errorf("of %s is said %v", file, p)
			}
		}
		for file, alias := range map[string]string{
			"sellers/acme/seller.yaml": "seller:" + slug, productAt: "product:acme/" + slug, "sellers/acme/services/advice.yaml": "service:" + slug + "/advice",
			"categories/product/robots.yaml": "category:product/" + slug, articleAt: "article:" + slug, "market-maps/atlas.yaml": "marketMap:" + slug,
		} {
			text := "aliases: [\"" + alias + "\"]\n"
			if strings.HasSuffix(file, ".md") {
				text = "---\n" + text + "---\n"
			}
			problems := read(file, []byte(text), rendition.Open("")).Problems
			if !slices.ContainsFunc(problems, func(p problem.Problem) bool {
				return !p.Warning && strings.Contains(p.Text, fmt.Sprintf("%q is not a Reference", alias))
			}) {
				t.Errorf("%s with the alias %s: %v", file, alias, problems)
			}
		}
	}
}
