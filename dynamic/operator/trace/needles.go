package trace

import (
	"bytes"
	"iter"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"souk/build/document"
)

// needles are the folded texts of a Subject to search for. They are read-only and safe for
// concurrent use.
type needles struct {
	slugs     map[string]bool
	names     []string
	domains   []string
	addresses []string
	media     map[string]bool
	// stems are the names of media without their extensions; they are digests.
	stems map[string]bool
	// rough are groups of texts: every file that contains anything of the subject contains
	// all texts of at least one group, or the digest of a picture.
	rough [][][]byte
	// sites are the hosts of the marketplace; if there are none, any host counts.
	sites []string
	// common means that a name is also in the site's own texts, so that it proves nothing
	// on a page.
	common bool
	// written contains the phrases that Souk itself writes with a domain of the subject.
	written map[phrase]bool
}

const stemLength = 32

func newNeedles(s Subject, sites []string) *needles {
	n := &needles{slugs: map[string]bool{}, media: map[string]bool{}, stems: map[string]bool{}}
	f := newFolder()
	for _, site := range sites {
		if u, err := url.Parse(site); err == nil && u.Host != "" {
			n.sites = append(n.sites, strings.ToLower(u.Host))
		}
	}
	for _, slug := range s.Slugs {
		if slug != "" {
			n.slugs[slug] = true
			n.addresses = append(n.addresses, "companies/"+slug)
			n.roughly(slug)
		}
	}
	for _, address := range s.Addresses {
		if address = strings.Trim(address, "/"); address != "" {
			n.addresses = append(n.addresses, address)
			n.roughly(address)
		}
	}
	for _, name := range s.Names {
		if folded := strings.TrimSpace(f.text(name)); folded != "" {
			n.names = append(n.names, folded)
			n.roughly(words(folded)...)
		}
	}
	for _, domain := range s.Domains {
		if domain == "" || n.isSite(domain) {
			continue
		}
		for _, spelling := range spellings(domain) {
			n.domains = append(n.domains, f.text(spelling))
			n.roughly(f.text(spelling))
		}
	}
	for _, name := range s.Media {
		n.media[name] = true
		if stem, _, _ := strings.Cut(name, "."); len(stem) == stemLength {
			n.stems[stem] = true
		}
	}
	n.thin()
	return n
}

// inSiteTexts reports whether the site's own texts contain one of the names, such as search or
// maker.
func (n *needles) inSiteTexts(own iter.Seq[string]) bool {
	s, said := &scanner{needles: n, folder: newFolder()}, false
	for text := range own {
		s.text([]byte(text), func(h hit, _ string, _ bool) { said = said || h.what == WhatName })
	}
	return said
}

// thin removes addresses that are found by searching for the others.
func (n *needles) thin() {
	slices.Sort(n.addresses)
	var short []string
	for _, a := range n.addresses {
		if !slices.ContainsFunc(short, func(s string) bool { return a == s || strings.HasPrefix(a, s+"/") }) {
			short = append(short, a)
		}
	}
	n.addresses = short
	slices.Sort(n.names)
	n.names = slices.Compact(n.names)
}

// isSite reports whether a domain is, or is a parent of, the marketplace's own host, so
// that every address would contain it.
func (n *needles) isSite(domain string) bool {
	return slices.ContainsFunc(n.sites, func(host string) bool {
		host, _, _ = strings.Cut(host, ":")
		return host == domain || strings.HasSuffix(host, "."+domain)
	})
}

// words returns the parts of a name that appear unchanged no matter how a file escapes
// punctuation and breaks lines. If the name is all punctuation, it returns the whole name.
func words(text string) []string {
	if list := strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) }); len(list) > 0 {
		return list
	}
	return []string{text}
}

func (n *needles) roughly(texts ...string) {
	var group [][]byte
	for _, text := range texts {
		group = append(group, []byte(text))
	}
	n.rough = append(n.rough, group)
}

// mayHold reports whether a file is worth a closer look, given its folded text without HTML
// escapes. JSON with escapes always is.
func (n *needles) mayHold(raw, folded []byte, isJSON bool) bool {
	for _, group := range n.rough {
		if !slices.ContainsFunc(group, func(text []byte) bool { return !bytes.Contains(folded, text) }) {
			return true
		}
	}
	if isJSON && (bytes.Contains(raw, []byte(`\u`)) || bytes.Contains(raw, []byte(`\/`))) {
		return true
	}
	return n.eachStem(folded, func(int) bool { return false })
}

// eachStem calls yield with the position of each digest of the subject's pictures until
// yield returns false. It reports whether there is any.
func (n *needles) eachStem(folded []byte, yield func(at int) bool) bool {
	if len(n.stems) == 0 {
		return false
	}
	found, run := false, 0
	for i := 0; i <= len(folded); i++ {
		if i < len(folded) && (folded[i] >= '0' && folded[i] <= '9' || folded[i] >= 'a' && folded[i] <= 'f') {
			run++
			continue
		}
		if run == stemLength && n.stems[string(folded[i-run:i])] {
			found = true
			if !yield(i - run) {
				return true
			}
		}
		run = 0
	}
	return found
}

// A hit is a position in a folded text.
type hit struct {
	what     string
	from, to int
}

// hits finds everything in a folded text. The hits of each kind are sorted by position.
func (n *needles) hits(folded []byte) []hit {
	var all []hit
	add := func(what string, needle string, bounded func(from, to int) bool) {
		for from := 0; ; {
			at := bytes.Index(folded[from:], []byte(needle))
			if at < 0 {
				return
			}
			at += from
			if bounded(at, at+len(needle)) {
				all = append(all, hit{what, at, at + len(needle)})
			}
			from = at + len(needle)
		}
	}
	for _, address := range n.addresses {
		add(WhatAddress, address, func(from, to int) bool { return n.isAddress(folded, from, to) })
	}
	for _, domain := range n.domains {
		add(WhatDomain, domain, func(from, to int) bool { return isDomain(folded, from, to) })
	}
	named := all
	for _, name := range n.names {
		add(WhatName, name, func(from, to int) bool {
			// A company may have its domain as its name.
			within := slices.ContainsFunc(named, func(h hit) bool { return h.what == WhatDomain && h.from <= from && to <= h.to })
			return !within && isName(folded, from, to)
		})
	}
	n.eachStem(folded, func(at int) bool {
		all = append(all, hit{WhatMedia, at, at + stemLength})
		return true
	})
	return all
}

func isSlugByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// isAddress reports whether a path occurs in a text as whole segments and, within a web
// address, below the marketplace.
func (n *needles) isAddress(folded []byte, from, to int) bool {
	if from > 0 && isSlugByte(folded[from-1]) || to < len(folded) && isSlugByte(folded[to]) {
		return false
	}
	_, rest, absolute := strings.Cut(string(before(folded, from)), "://")
	if !absolute || len(n.sites) == 0 {
		return true
	}
	host, _, _ := strings.Cut(rest, "/")
	return slices.Contains(n.sites, host)
}

// before returns the text directly before a position that belongs to it, such as the start
// of a web address.
func before(folded []byte, from int) []byte {
	return folded[bytes.LastIndexAny(folded[:from], " \"'()<>[]")+1 : from]
}

// A phrase is a whole address or word, and the kind of file that contains it.
type phrase struct{ kind, text string }

// phraseOf returns the whole address or word that contains a hit.
func phraseOf(file string, folded []byte, h hit) phrase {
	const ends = " \"'`()<>[]\\"
	if end := bytes.IndexAny(folded[h.to:], ends); end >= 0 {
		folded = folded[:h.to+end]
	}
	whole := folded[bytes.LastIndexAny(folded[:h.from], ends)+1:]
	kind := path.Ext(file)
	if _, document := document.ParseFile(file); document {
		kind = "document"
	}
	return phrase{kind, string(bytes.TrimRight(whole, ".,;:!?"))}
}

// isName reports whether a name occurs in a text as whole words and outside a web address,
// which is checked separately.
func isName(folded []byte, from, to int) bool {
	return !wordBefore(folded, from) && !wordAfter(folded, to) && !bytes.Contains(before(folded, from), []byte("://"))
}

// isDomain reports whether a domain occurs in a text on its own or as the parent of a
// subdomain.
func isDomain(folded []byte, from, to int) bool {
	if from > 0 && isSlugByte(folded[from-1]) || wordBefore(folded, from) {
		return false
	}
	if to < len(folded) && isSlugByte(folded[to]) || wordAfter(folded, to) {
		return false
	}
	// acme.com.evil is another domain; "acme.com." is the end of a sentence.
	return to+1 >= len(folded) || folded[to] != '.' || !wordAfter(folded, to+1)
}

func wordBefore(b []byte, at int) bool {
	r, _ := utf8.DecodeLastRune(b[:at])
	return at > 0 && isWord(r)
}

func wordAfter(b []byte, at int) bool {
	r, _ := utf8.DecodeRune(b[at:])
	return at < len(b) && isWord(r)
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}

// ofSubject reports whether a file is below one of the subject's addresses.
func (n *needles) ofSubject(file string) bool {
	if n.slugs[document.CompanyOf(file)] {
		return true
	}
	plain, _ := document.IsGone(file)
	plain = strings.TrimSuffix(plain, ".json")
	return slices.ContainsFunc(n.addresses, func(a string) bool {
		return strings.HasSuffix(plain, "marketplace/"+a) || strings.Contains(plain, "marketplace/"+a+"/")
	})
}
