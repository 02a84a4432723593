package verification

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"
)

// Mail gateways encode the link once or more, wrap it in a link of their own, add
// parameters, and write & as an entity. The first script of the page,
// templates/verify/link.js, parses the same forms.
var (
	encodedByte = regexp.MustCompile(`(?i)%(?:25)*[0-9a-f]{2}`)
	// Proofpoint writes - for % and _ for /; Sophos encodes the whole link in base64.
	proofpoint = regexp.MustCompile(`(?i)https?-(?:25)*3a(?:__|-(?:25)*2f)[^&]*`)
	dashedByte = regexp.MustCompile(`(?i)-(?:25)*[0-9a-f]{2}`)
	base64Link = regexp.MustCompile(`aHR0c[\w+/-]+`)
	idAndToken = regexp.MustCompile(`((?:claim|removal)-[a-z2-7]{26})(?:\.|.*?token=)([\w-]{43})`)
)

// ReadLink returns the id and the token in a link or code that a person copied from a mail,
// or two empty strings.
func ReadLink(text string) (id, token string) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	found := idAndToken.FindStringSubmatch(unpacked(text))
	if found == nil {
		return "", ""
	}
	return found[1], found[2]
}

// unpacked removes what gateways wrapped around a link, from the outside in. Each step
// makes the text shorter.
func unpacked(text string) string {
	for _, step := range []func(string) string{
		func(text string) string { return encodedByte.ReplaceAllStringFunc(text, lastByte) },
		func(text string) string {
			return proofpoint.ReplaceAllStringFunc(text, func(packed string) string {
				return dashedByte.ReplaceAllStringFunc(strings.ReplaceAll(packed, "_", "/"), lastByte)
			})
		},
		func(text string) string {
			return base64Link.ReplaceAllStringFunc(text, func(packed string) string {
				link, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(packed))
				if err != nil {
					return packed
				}
				return string(link)
			})
		},
	} {
		if next := step(text); next != text {
			return unpacked(next)
		}
	}
	return text
}

// lastByte returns the byte encoded by the two hexadecimal digits at the end of a text.
func lastByte(encoded string) string {
	b, _ := hex.DecodeString(encoded[len(encoded)-2:]) // the patterns guarantee two digits
	return string(b)
}
