package picture

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const byteOrderMark = "\ufeff"

// declaration matches the XML declaration (XML 1.0, production 23). encoding/xml is not
// used here since it misses an encoding with blanks around the equals sign, which browsers
// obey.
var declaration = regexp.MustCompile(`^<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')` +
	`(?:\s+encoding\s*=\s*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?` +
	`(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>`)

// asUTF8 returns the document as UTF-8 with line feeds as line ends and without a byte
// order mark, and the end of its XML declaration. If there is a problem with the encoding,
// it returns the text of a fault and its position.
func asUTF8(data []byte) (text []byte, declared int, fault string, at int) {
	text, marked := bytes.CutPrefix(data, []byte(byteOrderMark))
	text = withLineFeeds(text)
	encoding := "utf-8"
	if bytes.HasPrefix(text, []byte("<?xml")) && len(text) > 5 && isBlank(text[5]) {
		match := declaration.FindSubmatch(text)
		if match == nil {
			return text, 0, `the XML declaration cannot be read: write <?xml version="1.0" encoding="UTF-8"?>`, 0
		}
		declared = len(match[0])
		if name := string(match[1]) + string(match[2]); name != "" && !marked {
			encoding = strings.ToLower(name)
		}
	}
	switch encoding {
	case "utf-8", "utf8":
	case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252":
		text, _ = charmap.Windows1252.NewDecoder().Bytes(text) // browsers treat all these names as windows-1252
	default:
		return text, 0, fmt.Sprintf("the picture is declared to be written in %s: save it as UTF-8", encoding), 0
	}
	for at, r := range string(text) {
		switch {
		case isControl(r):
			return text, 0, fmt.Sprintf("XML does not allow the control character U+%04X: remove it", r), at
		case r == utf8.RuneError && !bytes.HasPrefix(text[at:], []byte("\uFFFD")):
			return text, 0, "this is not UTF-8: save the picture as UTF-8", at
		}
	}
	return text, declared, "", 0
}

// withLineFeeds normalizes line ends as XML parsers must (XML 1.0, section 2.11), so that a
// drawing does not depend on the editor's system.
func withLineFeeds(text []byte) []byte {
	if bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
