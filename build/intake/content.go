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
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"souk/build/catalog"
	"souk/build/intake/edit"
	"souk/build/intake/feed"
	"souk/build/intake/merge"
	"souk/build/kit/durable"
	"souk/build/kit/journal"
	"souk/build/kit/picture"
	"souk/build/kit/rendition"
)

// An entry is a thing as an import last wrote it.
type entry struct {
	ref  catalog.Ref
	keys []string
	// values are the fields, with a seller's identity merged into them.
	values merge.Map
	// pictures has digests of the pictures by their paths.
	pictures map[string]string
}

// note notes a picture of the thing.
func (e *entry) note(file, digest string) {
	if e.pictures == nil {
		e.pictures = map[string]string{}
	}
	e.pictures[file] = digest
}

func basePath(content, name string) string {
	return filepath.Join(content, journal.Folder, name+".base.jsonl")
}

func readBase(content, name string) (entries []*entry, err error) {
	data, err := os.ReadFile(basePath(content, name))
	if err != nil && !durable.Absent(err) {
		return nil, fmt.Errorf("read what was imported before: %w", err)
	}
	return parseBase(basePath(content, name), data)
}

func parseBase(file string, data []byte) (entries []*entry, err error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		value, err := merge.FromJSON(lines.Bytes())
		m, _ := value.(merge.Map)
		ref, wrong := catalog.ParseRef(m.Text("ref"))
		if err != nil || wrong != nil {
			return nil, fmt.Errorf("%s:%d: the line is damaged: restore the file with Git", file, n)
		}
		e := &entry{ref: ref, keys: texts(m.List("keys")), values: m.Map("values")}
		for _, p := range m.Map("pictures") {
			digest, _ := merge.Text(p.Value)
			e.note(p.Key, digest)
		}
		entries = append(entries, e)
	}
	return entries, lines.Err()
}

func writeBase(entries []*entry) (b []byte) {
	slices.SortFunc(entries, func(a, b *entry) int { return cmp.Compare(a.ref.String(), b.ref.String()) })
	for _, e := range entries {
		line := merge.Map{{Key: "ref", Value: e.ref.String()}, {Key: "keys", Value: merge.Texts(e.keys...)}, {Key: "values", Value: e.values}}
		var pictures merge.Map
		for file, sum := range e.pictures {
			pictures = append(pictures, merge.Pair{Key: file, Value: sum})
		}
		if pictures != nil {
			line = append(line, merge.Pair{Key: "pictures", Value: pictures})
		}
		b = append(merge.AppendJSON(b, line), '\n')
	}
	return b
}

// A file is a content file.
type file struct {
	path string
	// flat are its fields, with a seller's selected version merged into them.
	flat merge.Map
}

// edited returns the bytes of the file with other fields, and whether they are Markdown.
func (p *planner) edited(f *file, kind catalog.Kind, fields merge.Map) (data []byte, markdown bool, err error) {
	if data, err = os.ReadFile(filepath.Join(p.Content, filepath.FromSlash(f.path))); err == nil {
		var parsed *edit.File
		if parsed, err = edit.Parse(data, path.Ext(f.path) == ".md"); err == nil {
			data, markdown, err = parsed.Edit(unflatten(kind, parsed.Fields, fields))
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", f.path, err)
	}
	return data, markdown, err
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

// extensions are the file extensions of content.
var extensions = []string{".yaml", ".md"}

// exists reports whether the content has a file.
func (p *planner) exists(file string) bool {
	_, err := os.Stat(filepath.Join(p.Content, filepath.FromSlash(file)))
	return err == nil
}

// file reads the file of a thing, once. It returns nil if there is none.
func (p *planner) file(ref catalog.Ref) (*file, error) {
	if f, known := p.files[ref]; known {
		return f, nil
	}
	for _, ext := range extensions {
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
		p.files[ref] = &file{at, flatten(ref.Kind, parsed.Fields)}
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
			if domain := f.flat.Text("officialDomain"); domain != "" {
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

// inOrder returns fields in the order in which new files have them.
func inOrder(fields merge.Map) merge.Map {
	at := func(p merge.Pair) int {
		if i := slices.Index(written, p.Key); i >= 0 {
			return i
		}
		return len(written)
	}
	return slices.SortedStableFunc(slices.Values(fields), func(a, b merge.Pair) int { return at(a) - at(b) })
}

// flatten merges the fields of a seller's selected version into the others.
func flatten(kind catalog.Kind, fields merge.Map) merge.Map {
	if kind != catalog.KindSeller {
		return fields
	}
	_, version := selected(fields)
	return append(slices.Clone(version.Set("version", nil)), fields.Set("versions", nil)...)
}

// selected returns the index of the seller's selected version, or -1.
func selected(fields merge.Map) (at int, version merge.Map) {
	at = -1
	highest := -1.0
	for i, v := range fields.List("versions") {
		one, _ := v.(merge.Map)
		label := one.Text("version")
		number, _ := strconv.ParseFloat(label, 64)
		if label == fields.Text("selectedVersion") {
			return i, one
		}
		if number >= highest {
			highest, at, version = number, i, one
		}
	}
	return at, version
}

// unflatten is the reverse of flatten, for a file with the fields that it had.
func unflatten(kind catalog.Kind, had, flat merge.Map) merge.Map {
	if kind != catalog.KindSeller {
		return flat
	}
	at, version := selected(had)
	versions := slices.Clone(had.List("versions"))
	if at < 0 {
		at, version, versions = 0, merge.Map{{Key: "version", Value: merge.Raw("1")}}, merge.List{nil}
	}
	for _, name := range identity {
		version, flat = version.Set(name, flat.Get(name)), flat.Set(name, nil)
	}
	versions[at] = version
	first := slices.IndexFunc(flat, func(p merge.Pair) bool { return !slices.Contains(written[:3], p.Key) })
	if first < 0 {
		first = len(flat)
	}
	return slices.Insert(slices.Clone(flat), first, merge.Pair{Key: "versions", Value: versions})
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

// settle takes a text from ours where they differ in nothing but white space, or in how a
// moment is written.
func settle(ours, theirs merge.Map) merge.Map {
	for _, p := range theirs {
		a, is := merge.Text(ours.Get(p.Key))
		b, too := merge.Text(p.Value)
		if !is || !too || a == b {
			continue
		}
		was, err := time.Parse(time.RFC3339, a)
		now, wrong := time.Parse(time.RFC3339, b)
		if err == nil && wrong == nil && was.Equal(now) || slices.Equal(strings.Fields(a), strings.Fields(b)) {
			theirs = theirs.Set(p.Key, ours.Get(p.Key))
		}
	}
	return theirs
}

// resolve returns the fields of a thing with References and paths in the place of Links
// and Pictures.
func (p *planner) resolve(t *feed.Thing, f *file, before, after *entry) (fields merge.Map) {
	var walk func(v merge.Value) merge.Value
	walk = func(v merge.Value) merge.Value {
		switch v := v.(type) {
		case feed.Link:
			if p.out[v.To] {
				return nil
			}
			return v.Form(p.refs[v.To])
		case feed.Picture:
			return p.picture(t, v, f, before, after)
		case merge.Map:
			var m merge.Map
			for _, pair := range v {
				value := walk(pair.Value)
				if _, is := pair.Value.(feed.Link); is && value == nil {
					return nil // the kind of relation is dropped with the item
				}
				if pair.Value = value; value != nil {
					m = append(m, pair)
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
	for _, pair := range t.Fields {
		if pair.Value = walk(pair.Value); pair.Value != nil {
			fields = append(fields, pair)
		}
	}
	return fields
}

// picture returns a field's value for a picture: its place and its text, or nil if it cannot
// be used.
func (p *planner) picture(t *feed.Thing, one feed.Picture, f *file, before, after *entry) merge.Value {
	field, lost := "file", ""
	u, err := url.Parse(one.Name)
	web := err == nil && u.Host != ""
	where := ""
	if web && f != nil {
		where = p.ours(path.Base(u.Path), f, before, after)
	}
	switch {
	case where != "":
	case web && !p.Fetch && one.PDF:
		lost = "a PDF must be in the content: --fetch downloads it"
	case web && !p.Fetch:
		field, where = "url", one.Name
	case web: // many pictures of the web are called 1.jpg
		where, lost = p.fileOf(t, one.Name, u.Path, fmt.Sprintf("-%08x", uint32(feed.Digest(one.Name))), before, after)
	default:
		where, lost = p.fileOf(t, one.Name, one.Name, "", before, after)
	}
	switch {
	case lost != "":
		t.Values--
		p.batch.Lose("pictures and PDFs", lost, t.Line, 1)
		return nil
	case one.Alt == "":
		return where
	case one.PDF:
		return merge.Map{{Key: field, Value: where}, {Key: "label", Value: one.Alt}}
	}
	return merge.Map{{Key: field, Value: where}, {Key: "alt", Value: one.Alt}}
}

// ours returns the picture that the market publishes under a name, or "", so that an
// exported picture becomes the original file again.
func (p *planner) ours(name string, f *file, before, after *entry) string {
	for local, was := range before.pictures {
		if was == name {
			after.note(local, name)
			return local
		}
	}
	if len(strings.TrimSuffix(name, path.Ext(name))) != len(rendition.Name(nil, ""))-1 {
		return ""
	}
	for _, local := range picturesIn(f.flat) {
		data, err := os.ReadFile(filepath.Join(p.Content, filepath.FromSlash(path.Join(path.Dir(f.path), local))))
		if clean, info, _ := picture.Public(local, data); err == nil && rendition.Name(clean, info.Extension) == name {
			after.note(local, name)
			return local
		}
	}
	return ""
}

// picturesIn returns the files of pictures that fields name.
func picturesIn(v merge.Value) (all []string) {
	switch v := v.(type) {
	case merge.Map:
		for _, p := range v {
			if text, is := merge.Text(p.Value); is && (p.Key == "file" || p.Key == "logo") {
				all = append(all, text)
			}
			all = append(all, picturesIn(p.Value)...)
		}
	case merge.List:
		for _, item := range v {
			all = append(all, picturesIn(item)...)
		}
	}
	return all
}

// fileOf plans the file of a picture, and returns its path from the thing's file, or why
// the picture is lost.
func (p *planner) fileOf(t *feed.Thing, name, base, mark string, before, after *entry) (local, lost string) {
	ext := path.Ext(base)
	local = "media/" + feed.Slug(strings.TrimSuffix(path.Base(base), ext)) + mark + strings.ToLower(ext)
	at := path.Dir(pathOf(p.refs[t])) + "/" + local
	had := before.pictures[local]
	if web := strings.Contains(name, "://"); web && had != "" && p.exists(at) {
		after.note(local, had) // its name has a digest of its address
		return local, ""
	}
	if p.Picture == nil {
		return "", "there is no folder of pictures: name it with --pictures"
	}
	data, err := p.Picture(name)
	switch {
	case err != nil && had != "":
		p.batch.Notes["kept a picture that could not be read again"]++
		after.note(local, had)
		return local, ""
	case err != nil:
		return "", "the file is missing or cannot be read"
	}
	digest := digestOf(data)
	if had != digest {
		_, _, faults := picture.Public(local, data)
		if len(data) == 0 || slices.ContainsFunc(faults, func(f picture.Fault) bool { return !f.Warning }) {
			return "", "the file is broken, or cannot be published"
		}
	}
	after.note(local, digest)
	there, err := os.ReadFile(filepath.Join(p.Content, filepath.FromSlash(at)))
	is := digestOf(there)
	switch {
	case err != nil, is == digest, is == had, had != digest && p.Accept == merge.Theirs:
		p.writes[at] = data
	case had != digest && p.Accept == merge.Neither:
		p.report.Conflicts = append(p.report.Conflicts, Conflict{File: at, Field: "(the picture)", Yours: is, Source: digest})
		after.note(local, had)
	}
	return local, ""
}

func digestOf(picture []byte) string {
	sum := sha256.Sum256(picture)
	return hex.EncodeToString(sum[:16])
}

func (p *planner) sameFile(at string, data []byte) bool {
	there, err := os.ReadFile(filepath.Join(p.Content, filepath.FromSlash(at)))
	return err == nil && bytes.Equal(there, data)
}

// shared lists hosts on which, or below which, many companies have pages or mailboxes.
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

// deriveDomains sets sellers' official domains to those of their websites, unless another
// seller has the domain.
func (p *planner) deriveDomains() {
	owners := map[string][]*feed.Thing{}
	for _, t := range p.batch.Things {
		if t.Kind != catalog.KindSeller {
			continue
		}
		domain := cmp.Or(t.Fields.Text("officialDomain"), ownDomain(t.Websites))
		if domain = bareDomain(domain); domain != "" {
			owners[domain] = append(owners[domain], t)
		}
	}
	for _, domain := range slices.Sorted(maps.Keys(owners)) {
		sellers := owners[domain]
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
		if t.Fields.Get("officialDomain") == nil {
			t.Fields = t.Fields.Set("officialDomain", domain).Set("domainProof", "derived")
		}
	}
}
