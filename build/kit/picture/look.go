package picture

import (
	"bytes"
	"unicode/utf8"
)

// looks maps the first bytes of files that people take for publishable pictures to names
// for messages.
var looks = []struct{ magic, name string }{
	{"II*\x00", "TIFF"},
	{"MM\x00*", "TIFF"},
	{"\x00\x00\x01\x00", "an icon (ICO)"},
	{"\xff\x0a", "JPEG XL"},
	{"\x00\x00\x00\x0cJXL ", "JPEG XL"},
	{"\x00\x00\x00\x0cjP  ", "JPEG 2000"},
	{"8BPS", "a Photoshop document"},
	{"%PDF-", "PDF"},
	{"%!PS", "PostScript (EPS)"},
	{"\xc5\xd0\xd3\xc6", "PostScript (EPS)"},
	{"\x1f\x8b", "a compressed file (gzip, perhaps .svgz)"},
	{"PK\x03\x04", "a ZIP archive"},
	{"\xfe\xff", "text in UTF-16"},
	{"\xff\xfe", "text in UTF-16"},
	{"version https://git-lfs", "a Git LFS pointer in place of the file itself"},
}

// boxBrands are the brands of files made of ISO media boxes (ISO/IEC 14496-12, 4.3).
var boxBrands = map[string]string{
	"avif": "AVIF", "avis": "AVIF",
	"heic": "HEIC", "heix": "HEIC", "hevc": "HEIC", "heim": "HEIC", "heis": "HEIC",
	"mif1": "HEIF", "msf1": "HEIF",
}

// lookOf returns what data looks like, to explain why it was rejected.
func lookOf(data []byte) string {
	if len(data) == 0 {
		return "an empty file"
	}
	for _, look := range looks {
		if bytes.HasPrefix(data, []byte(look.magic)) {
			return look.name
		}
	}
	switch {
	case isBMP(data):
		return "BMP"
	case len(data) >= 12 && string(data[4:8]) == "ftyp":
		if name, known := boxBrands[string(data[8:12])]; known {
			return name
		}
		return "a video"
	case len(data) >= 12 && string(data[:4]) == "RIFF":
		return "sound or video (RIFF)"
	case isHTML(data):
		return "HTML, perhaps a page about the picture or an error message"
	case utf8.Valid(data) && !bytes.ContainsFunc(data, isControl):
		return "plain text"
	}
	return "another kind of file"
}

func isControl(r rune) bool { return r < ' ' && !isBlank(byte(r)) }

// isBMP also checks that the two reserved fields are zero, since a text may begin with BM.
func isBMP(data []byte) bool {
	return len(data) >= 10 && string(data[:2]) == "BM" && string(data[6:10]) == "\x00\x00\x00\x00"
}

func isHTML(data []byte) bool {
	data = afterBlanks(data)
	for _, start := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if len(data) >= len(start) && bytes.EqualFold(data[:len(start)], []byte(start)) {
			return true
		}
	}
	return false
}

// isMarkup reports whether data should be parsed as XML. A drawing with other text before
// its first tag counts too, so that the fault can name the place.
func isMarkup(data []byte) bool {
	if isHTML(data) {
		return false
	}
	if bytes.HasPrefix(afterBlanks(data), []byte("<")) {
		return true
	}
	head := data[:min(len(data), 1024)]
	for _, look := range looks {
		if bytes.HasPrefix(head, []byte(look.magic)) {
			return false
		}
	}
	return bytes.IndexByte(head, 0) < 0 && bytes.Contains(head, []byte("<svg"))
}

func afterBlanks(data []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), " \t\r\n")
}
