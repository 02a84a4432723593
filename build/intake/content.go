package intake

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"souk/build/catalog"
	"souk/build/intake/edit"
	"souk/build/intake/feed"
	"souk/build/intake/merge"
	"souk/build/kit/durable"
	"souk/build/kit/journal"
	"souk/build/kit/picture"
)

// An entry is a thing as an import last wrote it.
type entry struct {
	ref  catalog.Ref
	keys []string
	// values are the fields, a seller's identity beside the others.
	values merge.Map
	// pictures has digests of the pictures by their paths.
	pictures map[string]string
}

func basePath(content, name string) string {
	return filepath.Join(content, journal.Folder, name+".base.jsonl")
}

func readBase(content, name string) (entries []*entry, err error) {
	data, err := os.ReadFile(basePath(content, name))
	if durable.Absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was imported before: %w", err)
	}
	return parseBase(basePath(content, name), data)
}

func parseBase(file string, data []byte) (entries []*entry, err error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		value, err := merge.FromJSON(lines.Bytes())
		m, is := value.(merge.Map)
		text, _ := merge.Text(m.Get("ref"))
		ref, wrong := catalog.ParseRef(text)
		if err != nil || !is || wrong != nil {
			return nil, fmt.Errorf("%s:%d: the line is damaged: restore the file with Git", file, n)
		}
		e := &entry{ref: ref, keys: texts(m.Get("keys")), pictures: map[string]string{}}
		e.values, _ = m.Get("values").(merge.Map)
		pictures, _ := m.Get("pictures").(merge.Map)
		for _, p := range pictures {
			e.pictures[p.Key], _ = merge.Text(p.Value)
		}
		entries = append(entries, e)
	}
	return entries, lines.Err()
}

func writeBase(entries []*entry) []byte {
	slices.SortFunc(entries, func(a, b *entry) int { return cmp.Compare(a.ref.String(), b.ref.String()) })
	var b []byte
	for _, e := range entries {
		line := merge.Map{{Key: "ref", Value: e.ref.String()}}
		var keys merge.List
		for _, key := range e.keys {
			keys = append(keys, key)
		}
		line = append(line, merge.Pair{Key: "keys", Value: keys}, merge.Pair{Key: "values", Value: e.values})
		var pictures merge.Map
		for file, sum := range e.pictures {
			pictures = append(pictures, merge.Pair{Key: file, Value: sum})
		}
		if len(pictures) > 0 {
			line = append(line, merge.Pair{Key: "pictures", Value: pictures})
		}
		b = append(merge.AppendJSON(b, line, true), '\n')
	}
	return b
}

// A file is a content file.
type file struct {
	path string
	edit *edit.File
	// flat are its fields, a seller's selected version beside the others.
	flat merge.Map
}

// pathOf returns where the file of a thing is, without its extension.
func pathOf(ref catalog.Ref) string {
	switch ref.Kind {
	case catalog.KindSeller:
		return "sellers/" + ref.Slug + "/seller"
	case catalog.KindProduct, catalog.KindService:
		return "sellers/" + ref.Company + "/" + ref.Kind.String() + "s/" + ref.Slug
	case catalog.KindCategory:
		return "categories/" + ref.Root.String() + "/" + ref.Slug
	case catalog.KindMarketMap:
		return "market-maps/" + ref.Slug
	}
	return "articles/" + ref.Slug
}

// pathOf returns the path of a thing's file, as it will be.
func (p *planner) pathOf(ref catalog.Ref) string {
	if f := p.files[ref]; f != nil {
		return f.path
	}
	return pathOf(ref) + ".yaml"
}

// file reads the file of a thing, once. It returns nil if there is none.
func (p *planner) file(ref catalog.Ref) (*file, error) {
	if f, known := p.files[ref]; known {
		return f, nil
	}
	for _, ext := range []string{".yaml", ".md"} {
		at := pathOf(ref) + ext
		data, err := os.ReadFile(filepath.Join(p.Content, filepath.FromSlash(at)))
		if durable.Absent(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		parsed, err := edit.Parse(data, ext == ".md")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		p.files[ref] = &file{at, parsed, flatten(ref.Kind, parsed.Fields)}
		return p.files[ref], nil
	}
	p.files[ref] = nil
	return nil, nil
}

// findStrangers reads the sellers that this import did not write.
func (p *planner) findStrangers() error {
	p.strangers = map[string]catalog.Ref{}
	folders, err := os.ReadDir(filepath.Join(p.Content, "sellers"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, folder := range folders {
		ref := catalog.SellerRef(folder.Name())
		if p.base[ref] || catalog.CheckSlug(ref.Slug) != nil {
			continue
		}
		if f, err := p.file(ref); err == nil && f != nil {
			if domain, _ := merge.Text(f.flat.Get("officialDomain")); domain != "" {
				p.strangers[bareDomain(domain)] = ref
			}
		}
	}
	return nil
}

// identity are the fields of a version of a seller, in the order in which they are written.
var identity = strings.Fields("name legalName tagline summary website founded employees headquarters logo languages links")

// written is the order in which new files have their fields; others come last.
var written = slices.Concat([]string{"officialDomain", "domainProof", "id"}, identity, strings.Fields("title categories parent sku gtin availability delivery regions price variants attributes media details"))

// flatten returns fields with those of the selected version of a seller beside the others.
func flatten(kind catalog.Kind, fields merge.Map) (flat merge.Map) {
	if kind != catalog.KindSeller {
		return fields
	}
	versions, at := selected(fields)
	if at >= 0 {
		version, _ := versions[at].(merge.Map)
		for _, p := range version {
			if p.Key != "version" {
				flat = append(flat, p)
			}
		}
	}
	for _, p := range fields {
		if p.Key != "versions" {
			flat = append(flat, p)
		}
	}
	return flat
}

// selected returns the versions of a seller, and which of them is shown, -1 for none.
func selected(fields merge.Map) (versions merge.List, at int) {
	versions, _ = fields.Get("versions").(merge.List)
	at = -1
	wanted, _ := merge.Text(fields.Get("selectedVersion"))
	highest := -1.0
	for i, v := range versions {
		version, _ := v.(merge.Map)
		label, _ := merge.Text(version.Get("version"))
		number, _ := strconv.ParseFloat(label, 64)
		if label == wanted {
			return versions, i
		}
		if number >= highest {
			highest, at = number, i
		}
	}
	return versions, at
}

// unflatten is the reverse of flatten, for a file with the fields that it had.
func unflatten(kind catalog.Kind, had, flat merge.Map) merge.Map {
	if kind != catalog.KindSeller {
		return flat
	}
	versions, at := selected(had)
	version := merge.Map{{Key: "version", Value: merge.Raw("1")}}
	if at >= 0 {
		version, _ = versions[at].(merge.Map)
	}
	var fields merge.Map
	for _, name := range identity {
		version = version.Set(name, flat.Get(name))
	}
	for _, p := range flat {
		if !slices.Contains(identity, p.Key) {
			fields = append(fields, p)
		}
	}
	if at >= 0 {
		versions = slices.Clone(versions)
		versions[at] = version
	} else {
		versions = merge.List{version}
	}
	first := 0
	for first < len(fields) && slices.Contains([]string{"officialDomain", "domainProof", "id"}, fields[first].Key) {
		first++
	}
	return slices.Insert(fields, first, merge.Pair{Key: "versions", Value: versions})
}

// fill gives a thing the values of the base where the source has no place for them.
func fill(b *feed.Batch, kind catalog.Kind, above string, base, theirs merge.Map) merge.Map {
	for _, p := range slices.Concat(base, theirs) {
		field := p.Key
		if above != "" {
			field = above + "." + p.Key
		}
		had := base.Get(p.Key)
		all, part := b.Covers(kind, field)
		switch {
		case all || field == "status" || field == "officialDomain" || field == "domainProof":
		case part:
			was, _ := had.(merge.Map)
			is, _ := theirs.Get(p.Key).(merge.Map)
			if below := fill(b, kind, field, was, is); len(below) > 0 {
				theirs = theirs.Set(p.Key, below)
			}
		default:
			theirs = theirs.Set(p.Key, had)
		}
	}
	return theirs
}

// settle takes a text from ours where they differ in nothing but white space.
func settle(ours, theirs merge.Map) merge.Map {
	for _, p := range theirs {
		a, is := merge.Text(ours.Get(p.Key))
		if b, too := merge.Text(p.Value); is && too && a != b && slices.Equal(strings.Fields(a), strings.Fields(b)) {
			theirs = theirs.Set(p.Key, ours.Get(p.Key))
		}
	}
	return theirs
}

// resolve returns the fields of a thing with References and paths in the place of Links
// and Pictures.
func (p *planner) resolve(t *feed.Thing, before, after *entry) merge.Map {
	var walk func(v merge.Value) merge.Value
	walk = func(v merge.Value) merge.Value {
		switch v := v.(type) {
		case feed.Link:
			if p.out[v.To] {
				return nil
			}
			return v.Form(p.refs[v.To])
		case feed.Picture:
			return p.picture(t, v.Name, before, after)
		case merge.Map:
			var m merge.Map
			for _, pair := range v {
				if value := walk(pair.Value); value != nil {
					m = append(m, merge.Pair{Key: pair.Key, Value: value})
				} else if _, is := pair.Value.(feed.Picture); is {
					return nil // what describes the picture goes with it
				}
			}
			return m
		case merge.List:
			var list merge.List
			for _, item := range v {
				if value := walk(item); value != nil && !slices.ContainsFunc(list, func(had merge.Value) bool { return merge.Equal(had, value) }) {
					list = append(list, value)
				}
			}
			if list == nil {
				return nil
			}
			return list
		}
		return v
	}
	fields, _ := walk(t.Fields).(merge.Map)
	at := func(p merge.Pair) int {
		if i := slices.Index(written, p.Key); i >= 0 {
			return i
		}
		return len(written)
	}
	slices.SortStableFunc(fields, func(a, b merge.Pair) int { return at(a) - at(b) })
	return fields
}

// picture plans the file of a picture, and returns its path from the thing's file; nil if
// the picture cannot be used.
func (p *planner) picture(t *feed.Thing, name string, before, after *entry) merge.Value {
	base, mark := name, ""
	if u, err := url.Parse(name); err == nil && u.Host != "" {
		base, mark = u.Path, fmt.Sprintf("-%08x", uint32(feed.Digest(name))) // many pictures of the web are called 1.jpg
	}
	ext := path.Ext(base)
	local := "media/" + feed.Slug(strings.TrimSuffix(path.Base(base), ext)) + mark + strings.ToLower(ext)
	at := path.Dir(pathOf(p.refs[t])) + "/" + local
	lose := func(reason string) merge.Value {
		t.Values--
		p.batch.Lose("pictures", reason, t.Line, 1)
		return nil
	}
	if p.Picture == nil {
		return lose("there is no folder of pictures: name it with --pictures")
	}
	data, err := p.Picture(name)
	if had := before.pictures[local]; err != nil && had != "" {
		p.batch.Notes["kept a picture that could not be read again"]++
		after.pictures[local] = had
		return local
	}
	if err != nil {
		return lose("the picture is missing or cannot be read")
	}
	digest := digestOf(data)
	if before.pictures[local] != digest {
		_, _, faults := picture.Clean(data)
		if slices.ContainsFunc(faults, func(f picture.Fault) bool { return !f.Warning }) || len(data) == 0 {
			return lose("the picture is broken, or cannot be published")
		}
	}
	after.pictures[local] = digest
	there, err := os.ReadFile(filepath.Join(p.Content, filepath.FromSlash(at)))
	if err == nil {
		if had := digestOf(there); had != digest && had != before.pictures[local] {
			if before.pictures[local] != digest {
				p.report.Conflicts = append(p.report.Conflicts, Conflict{File: at, Field: "(the picture)", Yours: had, Source: digest})
				after.pictures[local] = before.pictures[local]
			}
			return local
		}
	}
	p.writes[at] = data
	return local
}

func digestOf(picture []byte) string {
	sum := sha256.Sum256(picture)
	return hex.EncodeToString(sum[:16])
}

func (p *planner) sameFile(at string, data []byte) bool {
	there, err := os.ReadFile(filepath.Join(p.Content, filepath.FromSlash(at)))
	return err == nil && bytes.Equal(there, data)
}

// shared are hosts where many companies have pages or mailboxes, with those below them.
var shared = strings.Fields(`github.com gitlab.com bitbucket.org codeberg.org sourceforge.net huggingface.co linkedin.com facebook.com
instagram.com twitter.com x.com youtube.com youtu.be medium.com substack.com wordpress.com blogspot.com tumblr.com wixsite.com weebly.com
squarespace.com sites.google.com docs.google.com play.google.com apps.apple.com notion.site notion.so linktr.ee crunchbase.com meetup.com
discord.gg discord.com slack.com t.me reddit.com etsy.com ebay.com myshopify.com webflow.io bit.ly
gmail.com outlook.com hotmail.com yahoo.com gmx.de gmx.net web.de t-online.de`)

// bareDomain returns a domain, however it is spelled, in the form in which domains are compared.
func bareDomain(domain string) string {
	for _, host := range catalog.Hosts("//" + domain) {
		return catalog.BareDomain(host)
	}
	return ""
}

// webOf returns the hosts of a seller's web addresses and of its mailbox.
func webOf(fields merge.Map) []string {
	contact, _ := fields.Get("contact").(merge.Map)
	text := func(m merge.Map, key string) string { s, _ := merge.Text(m.Get(key)); return s }
	return catalog.Hosts(text(fields, "website"), text(contact, "url"), "//"+text(contact, "email"))
}

// ownDomain returns the registrable domain of all websites, "" if they have several or it
// may belong to many.
func ownDomain(websites []string) (own string) {
	for _, host := range catalog.Hosts(websites...) {
		domain, err := publicsuffix.EffectiveTLDPlusOne(host)
		suffix, icann := publicsuffix.PublicSuffix(host)
		if err != nil || !icann && strings.Contains(suffix, ".") || manyHave(host) || own != "" && own != domain {
			return ""
		}
		own = domain
	}
	return own
}

func manyHave(host string) bool {
	return slices.ContainsFunc(shared, func(one string) bool { return host == one || strings.HasSuffix(host, "."+one) })
}

// deriveDomains gives sellers the domain of their websites as official domain, if no other
// seller has it.
func (p *planner) deriveDomains() {
	owners := map[string][]*feed.Thing{}
	for _, t := range p.batch.Things {
		if t.Kind != catalog.KindSeller {
			continue
		}
		domain, stated := merge.Text(t.Fields.Get("officialDomain"))
		if !stated {
			domain = ownDomain(t.Websites)
		}
		if domain = bareDomain(domain); domain != "" {
			owners[domain] = append(owners[domain], t)
		}
	}
	for domain, sellers := range owners {
		if len(sellers) > 1 {
			p.batch.Notes["left out an official domain that several sellers have"]++
			for _, t := range sellers {
				if t.Fields.Get("officialDomain") != nil {
					t.Values--
					p.batch.Lose("officialDomain", "several sellers have it", t.Line, 1)
				}
				t.Fields = t.Fields.Set("officialDomain", nil)
			}
			continue
		}
		t := sellers[0]
		t.Keys = append(t.Keys, "seller with domain "+domain)
		if t.Derived = t.Fields.Get("officialDomain") == nil; t.Derived {
			t.Fields = t.Fields.Set("officialDomain", domain)
			if p.batch.Has(catalog.KindSeller, "domainProof") {
				t.Fields = t.Fields.Set("domainProof", "derived")
			}
		}
	}
}
