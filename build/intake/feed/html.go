package feed

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
)

// maxMarkdown is the longest text that content may have.
const maxMarkdown = 256 << 10

var toMarkdown = converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))

// dropped are the parts of HTML that have no place in Markdown.
var dropped = regexp.MustCompile(`(?i)<(script|style|iframe|object|embed|form|input|video|audio|canvas|svg)\b`)

// comment matches what the converter keeps of HTML.
var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// Markdown converts HTML, and counts what was dropped in the notes of the batch.
func (b *Batch) Markdown(html string) (string, error) {
	for _, tag := range dropped.FindAllStringSubmatch(html, -1) {
		b.Notes[fmt.Sprintf("dropped <%s> from HTML", strings.ToLower(tag[1]))]++
	}
	text, err := toMarkdown.ConvertString(comment.ReplaceAllString(html, ""))
	text = strings.TrimSpace(comment.ReplaceAllString(text, ""))
	switch {
	case err != nil:
		return "", fmt.Errorf("the HTML cannot be read: %w", err)
	case len(text) > maxMarkdown:
		return "", fmt.Errorf("the text is longer than 256 KB")
	}
	return text, nil
}
