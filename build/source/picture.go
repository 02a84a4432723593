package source

import (
	"cmp"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"souk/build/catalog"
	"souk/build/kit/picture"
)

// image is a file in the content folder, relative to the file that shows it, or a web address.
type image struct {
	file string
	url  string
	at   catalog.Position
}

func (v *image) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	text, ok := d.word(n)
	if !ok {
		return
	}
	if IsWebAddress(text) {
		v.url = text
		d.checkUser(text, v.at)
		d.checkPicture(text, v.at)
		return
	}
	v.file = d.pictureFile(text, v.at)
}

// checkPicture checks the web address of a picture: whether a page can load it over https, and
// whether it is itself a web page.
func (d *decoder) checkPicture(to string, at catalog.Position) {
	if scheme, _, _ := strings.Cut(to, ":"); strings.EqualFold(scheme, "http") {
		d.warnAt(at, "", "pages do not show the picture, because its address begins with http:// instead of https://")
	}
	if u, err := url.Parse(to); err == nil && hasHost(u) && isPage(u) {
		d.wrongAt(at, "link to it instead, or show a picture of it from a folder media", "%q is a web page or another file, not a picture", shorten(to))
	}
}

// notPictures are hosts with pages for videos or posts. Their pictures are on other hosts,
// such as i.ytimg.com, or nowhere.
var notPictures = map[string]bool{
	"youtube.com": true, "m.youtube.com": true, "music.youtube.com": true, "youtube-nocookie.com": true, "youtu.be": true, "vimeo.com": true, "player.vimeo.com": true,
	"dailymotion.com": true, "dai.ly": true, "loom.com": true, "twitch.tv": true, "clips.twitch.tv": true, "player.twitch.tv": true, "tiktok.com": true, "rumble.com": true,
	"bilibili.com": true, "player.bilibili.com": true, "odysee.com": true, "facebook.com": true, "m.facebook.com": true, "fb.watch": true, "instagram.com": true,
	"linkedin.com": true, "x.com": true, "twitter.com": true, "mobile.twitter.com": true,
}

// viewer matches the path of a page that shows one file, in a repository or on Wikimedia.
var viewer = regexp.MustCompile(`^/[^/]+/[^/]+/blob/|/-/blob/|^/wiki/(File|Datei|Fichier):`)

// isPage reports whether the form of an address shows that it is a web page or another file
// that is not a picture. Most addresses without a picture's extension are pictures all the
// same.
func isPage(u *url.URL) bool {
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".html", ".htm", ".xhtml":
		return true
	case ".pdf", ".mp4", ".webm", ".mov", ".mp3", ".zip":
		return u.RawQuery == "" // with a query, a service may draw a picture
	}
	start := strings.Trim(u.Path, "/") == ""
	return u.RawQuery == "" && (start || viewer.MatchString(u.Path)) || notPictures[strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")]
}

// pictureFile returns the path of a picture relative to the content folder. If there is a
// mistake, it adds a problem and returns "".
func (d *decoder) pictureFile(text string, at catalog.Position) string {
	if picture.IsPDF(text) {
		d.wrongAt(at, "name it in files, or link to it", "%q is a PDF, not a picture", shorten(text))
		return ""
	}
	return d.mediaFile(text, at)
}

// mediaFile is pictureFile for a picture or a PDF.
func (d *decoder) mediaFile(text string, at catalog.Position) string {
	what, example := "picture", "media/logo.svg"
	if picture.IsPDF(text) {
		what, example = "PDF", "media/arm.pdf"
	}
	if strings.HasPrefix(text, "/") || strings.Contains(text, "\\") || strings.Contains(text, "://") {
		d.wrongAt(at, "write a path relative to this file, as in "+example, "%q is not a %s in the content", shorten(text), what)
		return ""
	}
	file := path.Join(path.Dir(d.file), text)
	if file == ".." || strings.HasPrefix(file, "../") {
		d.wrongAt(at, "", "the %s %q is outside the content folder", what, shorten(text))
		return ""
	}
	if !inMedia(file) {
		d.wrongAt(at, "put it into a folder named media beside this file", "the %s %q is in no media folder", what, shorten(text))
		return ""
	}
	return file
}

// linkedFile is mediaFile for the destination of a Markdown link, and pictureFile for that of a
// picture.
func (d *decoder) linkedFile(destination string, isPicture bool, at catalog.Position) string {
	if isPicture {
		return d.pictureFile(unescaped(destination), at)
	}
	return d.mediaFile(unescaped(destination), at)
}

// fileAt returns the same path for a destination that may be wrong.
func (d *decoder) fileAt(destination string) string {
	return path.Join(path.Dir(d.file), unescaped(destination))
}

// unescaped returns a path that may be percent-encoded.
func unescaped(destination string) string {
	if text, err := url.PathUnescape(destination); err == nil {
		return text
	}
	return destination
}

func inMedia(file string) bool {
	dir := path.Dir(file)
	return path.Base(dir) == "media" || strings.Contains(dir+"/", "/media/") || strings.HasPrefix(dir+"/", "media/")
}

// attachment is a PDF in the content folder, given relative to the file that offers it.
type attachment struct {
	file string
	at   catalog.Position
}

func (v *attachment) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	text, ok := d.word(n)
	switch {
	case !ok:
	case !picture.IsPDF(text):
		d.wrongAt(v.at, "files are PDFs, as in media/arm.pdf; a picture belongs in media, a web page in links", "%q is not a PDF in the content", shorten(text))
	default:
		v.file = d.mediaFile(text, v.at)
	}
}

func (v *mediaFile) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "write {file: media/name.svg, alt: what it shows}", "%s takes a mapping, not %s", d.name, what(n))
		return
	}
	name := "the " + strings.TrimPrefix(d.name, "an ")
	d.decodeStruct(n, reflect.ValueOf(v).Elem(), name)
	var alt *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "alt" {
			alt = resolve(n.Content[i+1])
		}
	}
	switch {
	case alt == nil || isNull(alt):
		d.wrong(n, "say in words what the picture shows", "%s has no \"alt\"", name)
	case alt.ShortTag() == "!!str" && strings.TrimSpace(v.Alt) == "":
		d.warnAt(v.at, "", "the picture has an empty alt, so people who cannot see it do not know what it shows")
	}
	if shown := cmp.Or(v.File.file, string(v.URL)); d.alts[shown] == "" && !saysNothing(v.Alt, shown) {
		if d.alts == nil {
			d.alts = map[string]string{}
		}
		d.alts[shown] = v.Alt
	}
	d.checkPicture(string(v.URL), v.at)
	hasFile, hasURL := v.File != image{}, v.URL != ""
	switch {
	case !hasFile && !hasURL && !d.wrongBelow(n):
		d.wrong(n, "", "%s has neither \"file\" nor \"url\"", name)
	case hasFile && hasURL:
		d.wrong(n, "keep one of them", "%s has both \"file\" and \"url\"", name)
	case v.File.url != "":
		d.wrong(n, "write it as url", "the file of %s is a web address", name)
	}
}

// wrongBelow reports whether a mistake was already found inside a mapping, so that its
// consequences are not reported too.
func (d *decoder) wrongBelow(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		at := d.at(n.Content[i+1])
		for _, p := range d.problems {
			if p.Line == at.Line && p.Column == at.Column && !p.Warning {
				return true
			}
		}
	}
	return false
}

// entry is a Reference, or a mapping of ref and note.
type entry catalog.Entry

func (v *entry) fromNode(d *decoder, n *yaml.Node) {
	var e entryFile
	if n.Kind == yaml.MappingNode && !isSpaced(n) {
		d.decodeStruct(n, reflect.ValueOf(&e).Elem(), "the entry")
	} else {
		e.Ref.fromNode(d, n)
	}
	switch e.Ref.Ref.Kind {
	case catalog.KindNone, catalog.KindSeller, catalog.KindProduct, catalog.KindService:
	default:
		d.wrong(n, "", "a map groups sellers, products and services, not %s", e.Ref.Ref)
	}
	*v = entry{Mention: catalog.Mention(e.Ref), Note: e.Note}
}

// relation is a Reference, or a mapping of ref and rel.
type relation catalog.Relation

func (v *relation) fromNode(d *decoder, n *yaml.Node) {
	var f relationFile
	if n.Kind == yaml.MappingNode && !isSpaced(n) {
		d.decodeStruct(n, reflect.ValueOf(&f).Elem(), "the relation")
	} else {
		f.Ref.fromNode(d, n)
	}
	*v = relation{Mention: catalog.Mention(f.Ref), Rel: catalog.ParseRel(f.Rel)}
}
