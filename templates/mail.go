package templates

import (
	"embed"
	"html"
	htmltemplate "html/template"
	"net/url"
	"strings"
	"text/template"
	"unicode/utf8"
)

//go:embed mail/claimDone.txt.tmpl mail/claimLink.txt.tmpl mail/layout.txt.tmpl mail/removalDone.txt.tmpl mail/removalLink.txt.tmpl
var mailText embed.FS

//go:embed mail/claimDone.html.tmpl mail/claimLink.html.tmpl mail/removalDone.html.tmpl mail/removalLink.html.tmpl
//go:embed mail/layout.html.tmpl
var mailHTML embed.FS

// MailText contains the templates {kind}.subject and {kind}.text for each kind of
// mail. They take their wording from T, a texts.Catalogue.
var MailText = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{
	"wrap": wrap, "lines": lines, "facts": facts,
}).ParseFS(mailText, "mail/*.txt.tmpl"))

// MailHTML contains the template {kind}.html for each kind of mail.
var MailHTML = htmltemplate.Must(htmltemplate.New("").Option("missingkey=error").Funcs(htmltemplate.FuncMap{
	"strong": strong, "mailto": mailto, "profile": profile, "list": func(values ...any) []any { return values },
}).ParseFS(mailHTML, "mail/*.html.tmpl"))

// lineLength is the maximum length of a line in a mail, in characters; RFC 5322,
// section 2.1.1, recommends at most 78.
const lineLength = 72

// wrap breaks a text into lines. It does not break words that are longer than a
// line, such as addresses.
func wrap(text string) string { return wrapped(text, 0) }

// wrapped breaks a text into lines and indents all but the first.
func wrapped(text string, indent int) string {
	var b strings.Builder
	at := indent
	for i, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+length > lineLength:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += length
	}
	return b.String()
}

func lines(all ...string) string { return strings.Join(all, "\n") }

// facts formats pairs of labels and values in two columns.
func facts(pairs ...string) string {
	widest := 0
	for i := 0; i < len(pairs); i += 2 {
		widest = max(widest, utf8.RuneCountInString(pairs[i]))
	}
	indent := widest + len(":  ")
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		label := pairs[i] + ":"
		b.WriteString(label + strings.Repeat(" ", indent-utf8.RuneCountInString(label)))
		for j, line := range strings.Split(pairs[i+1], "\n") {
			if j > 0 {
				b.WriteString(strings.Repeat(" ", indent))
			}
			b.WriteString(wrapped(line, indent) + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// strong emphasizes a value in a text.
func strong(text string) htmltemplate.HTML {
	return htmltemplate.HTML("<strong>" + html.EscapeString(text) + "</strong>")
}

// mailto turns an address into a link in the given colour.
func mailto(address, colour string) htmltemplate.HTML {
	return link("mailto:"+url.PathEscape(address), address, colour)
}

// profile links a company's name to its page.
func profile(address, company string) htmltemplate.HTML {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return htmltemplate.HTML(html.EscapeString(company))
	}
	return link(address, company, "#0b5c4a")
}

func link(address, text, colour string) htmltemplate.HTML {
	return htmltemplate.HTML(`<a href="` + html.EscapeString(address) + `" style="color:` + html.EscapeString(colour) + `">` + html.EscapeString(text) + `</a>`)
}
