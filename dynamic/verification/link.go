package verification

import (
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"
)

// Mail gateways encode the link once or more, pack it into one of theirs, add parameters,
// and write & as an entity. The first script of the page, templates/verify/link.js, reads
// the same.
var (
	encodedByte = regexp.MustCompile(`(?i)%(?:25)*[0-9a-f]{2}`)
	idAndToken  = regexp.MustCompile(`((?:claim|removal)-[a-z2-7]{26})(?:\.|.*?token=)([\w-]{43})`)
)

// ReadLink returns the id and the token in a link or a code that a person copied out of
// a mail, or two empty texts.
func ReadLink(text string) (id, token string) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	text = encodedByte.ReplaceAllStringFunc(text, func(encoded string) string {
		b, _ := hex.DecodeString(encoded[len(encoded)-2:]) // the pattern says so
		return string(b)
	})
	found := idAndToken.FindStringSubmatch(text)
	if found == nil {
		return "", ""
	}
	return found[1], found[2]
}
