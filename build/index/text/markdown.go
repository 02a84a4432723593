package text

import "strings"

// Prose returns Markdown without the addresses in it; its words stay.
func Prose(source string) string {
	if !strings.Contains(source, "](") && !strings.Contains(source, "://") {
		return source
	}
	var b strings.Builder
	b.Grow(len(source))
	for i := 0; i < len(source); {
		rest := source[i:]
		switch {
		case strings.HasPrefix(rest, "]("):
			end := strings.IndexAny(rest, ")\n")
			if end < 0 {
				end = len(rest) - 1
			}
			i += end + 1
			b.WriteString("] ")
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
