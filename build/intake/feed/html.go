package feed

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// maxMarkdown is the longest text that content may have.
const maxMarkdown = 256 << 10

var toMarkdown = converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(),
	commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)), strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))

// dropped are the elements that have no place in Markdown.
var dropped = strings.Fields("script style iframe object embed input button select textarea video audio canvas svg")

// Markdown converts HTML, and counts what was dropped in the notes of the batch.
func (b *Batch) Markdown(source string) (string, error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return "", fmt.Errorf("the HTML cannot be read: %w", err)
	}
	b.tidy(root)
	data, err := toMarkdown.ConvertNode(root)
	text := strings.TrimSpace(string(data))
	switch {
	case err != nil:
		return "", fmt.Errorf("the HTML cannot be read: %w", err)
	case len(text) > maxMarkdown:
		return "", errors.New("the text is longer than 256 KB")
	}
	return text, nil
}

// tidy removes everything below a node that Markdown cannot express. It keeps pictures at
// web addresses, and links to web addresses, mailboxes and telephones; addresses relative
// to the source's site are meaningless elsewhere.
func (b *Batch) tidy(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next, drop := c.NextSibling, ""
		switch {
		case c.Type == html.CommentNode:
			n.RemoveChild(c)
		case c.Type != html.ElementNode:
		case slices.Contains(dropped, c.Data):
			drop = "<" + c.Data + ">"
		case c.Data == "img" && !leads(c, "src", "http:", "https:"):
			drop = "a picture without a web address"
		case c.Data == "a" && !leads(c, "href", "http:", "https:", "mailto:", "tel:"):
			if c.FirstChild != nil {
				b.Notes["kept only the text of a link without a web address in HTML"]++
			}
			c.Data, c.DataAtom, c.Attr = "span", 0, nil
		}
		if drop != "" {
			b.Notes[fmt.Sprintf("dropped %s from HTML", drop)]++
			n.RemoveChild(c)
		}
		b.tidy(c)
		c = next
	}
}

// leads reports whether the address in an attribute has one of the schemes. Addresses
// without a scheme (//host) get https.
func leads(n *html.Node, attribute string, schemes ...string) bool {
	at := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == attribute })
	if at < 0 {
		return false
	}
	address := strings.TrimSpace(n.Attr[at].Val)
	if strings.HasPrefix(address, "//") {
		address = "https:" + address
	}
	n.Attr[at].Val = address
	return slices.ContainsFunc(schemes, func(scheme string) bool {
		return len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme)
	})
}
