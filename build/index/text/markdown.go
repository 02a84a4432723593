package text

import "strings"

// Prose returns Markdown without the addresses in it; its words stay. What a link leads
// to is no word of a text, and may be what is public no longer.
func Prose(source string) string {
	if !strings.Contains(source, "](") && !strings.Contains(source, "]:") && !strings.Contains(source, "://") && !strings.Contains(source, "<") {
		return source
	}
	var b strings.Builder
	b.Grow(len(source))
	for i := 0; i < len(source); {
		rest := source[i:]
		switch {
		case strings.HasPrefix(rest, "]("):
			i += 2 + blank(rest[2:])
			end := strings.IndexAny(source[i:], ")\n")
			if end < 0 {
				end = len(source[i:]) - 1
			}
			i += end + 1
			b.WriteString("]()")
		case strings.HasPrefix(rest, "]:"):
			// The destination of a definition, which may stand on the next line.
			i += 2 + blank(rest[2:])
			if end := strings.IndexAny(source[i:], " \t\n"); end >= 0 {
				i += end
			} else {
				i = len(source)
			}
			b.WriteString("] ")
		case rest[0] == '<' && isAddress(rest):
			i += strings.IndexByte(rest, '>') + 1
			b.WriteByte(' ')
		case strings.HasPrefix(rest, "http://"), strings.HasPrefix(rest, "https://"):
			end := strings.IndexAny(rest, " \t\n)>\"")
			if end < 0 {
				end = len(rest)
			}
			i += end
			b.WriteByte(' ')
		default:
			b.WriteByte(source[i])
			i++
		}
	}
	return b.String()
}

// blank returns how many bytes of white space a text begins with.
func blank(text string) int { return len(text) - len(strings.TrimLeft(text, " \t\r\n")) }
