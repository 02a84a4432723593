package site

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"souk/build/document"
	"souk/build/internal/markdown"
)

// The pages of items also exist as Markdown, for agents: the same text, with links to pages,
// and without the frame.

// A writer writes Markdown. It escapes texts by strangers, unless they are Markdown
// themselves.
type writer struct {
	bytes.Buffer
	site *Site
}

// escape escapes the characters of a text that have a meaning in Markdown, including those of
// bare links and email addresses in GitHub Flavored Markdown.
var escape = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "#", `\#`, "~", `\~`, "&", `\&`, "@", `\@`,
	"://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`, "\n", " ", "\r", " ", "\v", " ", "\f", " ",
)

var listMark = regexp.MustCompile(`^[0-9]+([.)])(\s|$)`)

// plain returns a text whose characters Markdown shows literally, even at the start of a line.
func plain(text string) string {
	text = strings.TrimSpace(escape.Replace(text))
	if text == "" {
		return ""
	}
	switch text[0] {
	case '-', '+', '=':
		return `\` + text
	}
	// A number begins a list only if a space or nothing follows (CommonMark, 5.2).
	if mark := listMark.FindStringSubmatchIndex(text); mark != nil {
		return text[:mark[2]] + `\` + text[mark[2]:]
	}
	return text
}

func (w *writer) line(format string, arguments ...any) { fmt.Fprintf(w, format+"\n", arguments...) }

// paragraph writes a text and an empty line, unless the text is empty.
func (w *writer) paragraph(text string) {
	if text != "" {
		w.line("%s\n", text)
	}
}

// source writes a Markdown text with its headings at a level and below.
func (w *writer) source(text string, level int) {
	w.paragraph(markdown.Closed(markdown.Below(strings.TrimRight(text, " \n"), level)))
}

// description writes a Markdown text under a heading, which ends the list before it.
func (w *writer) description(text string) {
	if strings.TrimSpace(text) != "" {
		w.heading(2, w.site.text("site.description"))
		w.source(text, underSection)
	}
}

func (w *writer) heading(level int, text string) {
	w.line("%s %s\n", strings.Repeat("#", level), plain(text))
}

// link returns a link, or only its text if it must not point to the address.
func link(name, address string) string {
	if !safe(address, false) {
		return plain(name)
	}
	text := plain(name)
	if text == "x" || text == "X" { // at the start of an item, a ticked checkbox
		text = fmt.Sprintf("&#%d;", text[0])
	}
	return "[" + text + "](<" + destination.Replace(address) + ">)"
}

// pictures writes pictures, each as a paragraph, or only the alternative text if a picture
// must not be shown.
func (w *writer) pictures(all []document.Media) {
	for _, m := range all {
		if safe(m.URL, true) {
			w.line("![%s](<%s>)\n", plain(m.Alt), destination.Replace(m.URL))
		} else {
			w.paragraph(plain(m.Alt))
		}
	}
}

// destination returns an address in the form for the angle brackets of a link.
var destination = strings.NewReplacer("<", "%3C", ">", "%3E", `\`, "%5C", "&", "&amp;", " ", "%20", "\n", "", "\r", "", "\t", "")

func (w *writer) fact(label, value string) {
	if value != "" {
		w.line("- %s: %s", plain(label), value)
	}
}

// value writes the value of a fact, as a link if it is a web address.
func (w *writer) value(text string) string {
	if f := w.site.fact(text); f.URL != "" {
		return link(string(f.URL), string(f.URL))
	}
	return plain(text)
}

// detail writes a detail of a Seller.
func (w *writer) detail(text string) string {
	if f := w.site.detail(text); f.URL != "" {
		return link(text, string(f.URL))
	}
	return plain(text)
}

// dates writes the dates of publication and last change, each as a paragraph.
func (w *writer) dates(published, updated document.Date) {
	for _, one := range [][2]string{{"site.published", published.UTC()}, {"site.updated", updated.UTC()}} {
		if one[1] != "" {
			w.paragraph(plain(w.site.text(one[0]) + ": " + one[1]))
		}
	}
}

func (w *writer) links(label string, links []document.Link) {
	if len(links) == 0 {
		return
	}
	names := make([]string, 0, len(links))
	for _, l := range links {
		names = append(names, link(l.Name, l.URL))
	}
	w.fact(label, strings.Join(names, ", "))
}

func (w *writer) related(links []document.Link) {
	if len(links) == 0 {
		return
	}
	w.heading(2, w.site.text("site.related"))
	for _, l := range links {
		kind := w.site.kindOf(l)
		if rel := w.site.relation(l); rel != "" {
			kind += " · " + rel
		}
		w.line("- %s: %s", kind, link(l.Name, l.URL))
	}
	w.line("")
}

func (w *writer) proof(all []document.Proof) {
	if len(all) == 0 {
		return
	}
	w.heading(2, w.site.text("site.proof"))
	for _, p := range all {
		title := plain(p.Title)
		if p.URL != "" {
			title = link(p.Title, p.URL)
		}
		for _, more := range []string{p.Issuer, p.Date.UTC()} {
			if more != "" {
				title += ", " + plain(more)
			}
		}
		w.line("- %s: %s", w.site.named(document.ProofTexts())(p.Kind), title)
	}
	w.line("")
}

// listings writes the first page of a list, with the names of sellers if it has several.
func (w *writer) listings(title string, page document.ListingPage, sellers bool) {
	if page.Total == 0 {
		return
	}
	w.heading(2, fmt.Sprintf("%s (%d)", title, page.Total))
	w.items(page.Items, sellers)
	if page.Next != "" {
		w.line("- %s", link(w.site.text("site.next"), w.site.page(page.Next)))
	}
	w.line("")
}

// items writes listings, each an item, with or without the names of sellers.
func (w *writer) items(listings []document.Listing, sellers bool) {
	for _, l := range listings {
		var offer []string
		if sellers {
			offer = append(offer, l.Seller.Name)
		}
		if l.Price != nil {
			offer = append(offer, w.site.money(l.Price))
		}
		line := link(l.Name, l.URL)
		if len(offer) > 0 {
			line += ", " + plain(strings.Join(offer, " "))
		}
		for _, a := range l.Attributes {
			line += ", " + plain(a.Name) + " " + plain(w.site.value(a))
		}
		if l.Availability != "" {
			line += ", " + w.site.named(document.AvailabilityTexts())(l.Availability)
		}
		if l.Summary != "" {
			line += ": " + plain(l.Summary)
		}
		var proof []string
		for _, p := range l.Proof {
			proof = append(proof, plain(p.Title))
		}
		if len(proof) > 0 {
			line += " (" + strings.Join(proof, ", ") + ")"
		}
		w.line("- %s", line)
	}
}

// money formats a price on one line of plain text.
func (s *Site) money(p *document.Price) string {
	text := s.format.price(p)
	if p.From {
		text = s.text("site.from") + " " + text
	}
	if p.Unit != "" {
		text += " / " + p.Unit
	}
	if list := listPrice(p); list != nil {
		text += " (" + s.text("site.listPrice", "price", s.format.price(list)) + ")"
	}
	return text
}

func (s *Site) markdown(value any) []byte {
	w := &writer{site: s}
	w.line("> %s\n", link(s.text("site.agents"), s.market.SiteURL+"/"+document.LLMsFile))
	switch d := value.(type) {
	case document.Seller:
		w.seller(d)
	case document.Product:
		w.offer(d.Name, d.Seller, d.Summary, func() {
			w.price(d.Price)
			w.available(d.Availability)
			w.fact(s.text("site.sku"), plain(d.SKU))
			w.fact("GTIN", plain(d.GTIN))
			w.links(s.text("site.categories"), d.Categories)
			w.attributes(d.Attributes)
			w.website(website(d.Actions))
			w.leads(d.Actions, d.Links, d.Files)
			w.fact(s.text("site.updated"), plain(d.UpdatedAt.UTC()))
		}, d.Media, d.Description)
		w.variants(d.Variants)
		w.proof(d.Proof)
		w.maker(d.By)
		w.related(d.Related)
	case document.Service:
		w.offer(d.Name, d.Seller, d.Summary, func() {
			w.price(d.Price)
			if d.Delivery != "" {
				w.fact(s.text("site.delivery"), s.named(document.DeliveryTexts())(d.Delivery))
			}
			w.fact(s.text("site.regions"), plain(strings.Join(s.countries(d.Regions), ", ")))
			w.links(s.text("site.categories"), d.Categories)
			w.attributes(d.Attributes)
			w.website(website(d.Actions))
			w.leads(d.Actions, d.Links, d.Files)
			w.fact(s.text("site.updated"), plain(d.UpdatedAt.UTC()))
		}, d.Media, d.Description)
		w.proof(d.Proof)
		w.maker(d.By)
		w.related(d.Related)
	case document.Article:
		w.heading(1, d.Title)
		w.paragraph(plain(d.Summary))
		if len(d.Authors) > 0 {
			w.paragraph(plain(s.text("site.by", "authors", strings.Join(d.Authors, ", "))))
		}
		w.dates(d.PublishedAt, d.UpdatedAt)
		w.pictures(unshown(d.Source, d.Media))
		w.source(d.Source, underTitle)
		w.related(d.Related)
	case document.MarketMap:
		w.marketMap(d)
	default:
		w.list(value)
	}
	return w.Bytes()
}

func (w *writer) seller(d document.Seller) {
	s := w.site
	w.heading(1, d.Name)
	if d.Logo != nil {
		w.pictures([]document.Media{*d.Logo})
	}
	w.paragraph(plain(d.Tagline))
	w.paragraph(plain(d.Summary))
	w.fact(s.text("site.legalName"), plain(d.LegalName))
	if h := d.Headquarters; h != nil {
		w.fact(s.text("site.headquarters"), plain(s.place(h)))
	}
	if d.Founded != 0 {
		w.fact(s.text("site.founded"), fmt.Sprint(d.Founded))
	}
	if d.Employees != nil {
		w.fact(s.text("site.employees"), plain(fmt.Sprint(d.Employees)))
	}
	w.fact(s.text("site.languages"), plain(strings.Join(d.Languages, ", ")))
	w.website(d.Website)
	for _, l := range d.Links {
		w.fact(l.Label, link(l.URL, l.URL))
	}
	for _, one := range d.Details {
		w.fact(one.Label, w.detail(one.Value))
	}
	w.contact(d.Contact)
	w.links(s.text("site.categories"), d.Categories)
	w.fact(s.text("site.updated"), plain(d.UpdatedAt.UTC()))
	w.line("")
	w.description(d.Description)
	w.proof(d.Proof)
	w.listings(s.text("name.products"), d.Products, false)
	w.listings(s.text("name.services"), d.Services, false)
	w.related(d.Related)
}

func (w *writer) contact(c *document.Contact) {
	if c == nil {
		return
	}
	s := w.site
	if c.Address != nil {
		w.fact(s.text("site.contact.address"), plain(strings.Join(s.addressLines(c.Address), ", ")))
	}
	if c.Telephone != "" {
		w.fact(s.text("site.contact.telephone"), link(c.Telephone, document.TelephoneURL(c.Telephone)))
	}
	if c.Email != "" {
		w.fact(s.text("site.contact.email"), link(c.Email, "mailto:"+c.Email))
	}
	if c.URL != "" {
		w.fact(s.text("site.contact.page"), link(c.URL, c.URL))
	}
}

// addressLines returns a postal address as on a letter.
func (s *Site) addressLines(a *document.PostalAddress) (lines []string) {
	town := strings.TrimSpace(a.PostalCode + " " + a.City)
	for _, line := range []string{a.Street, town, a.Region, s.format.country(a.Country)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func (w *writer) offer(name string, seller document.Link, summary string, facts func(), media []document.Media, description string) {
	w.heading(1, name)
	w.line("%s\n", link(seller.Name, seller.URL))
	w.paragraph(plain(summary))
	facts()
	w.line("")
	w.pictures(media)
	w.description(description)
}

func (w *writer) price(p *document.Price) {
	if p != nil {
		w.fact(w.site.text("site.price"), plain(w.site.money(p)))
	}
}

func (w *writer) website(address string) {
	if address != "" {
		w.fact(w.site.text("site.website"), link(address, address))
	}
}

// maker writes the seller's part of an offer's page.
func (w *writer) maker(by document.Seller) {
	if by.Name == "" {
		return
	}
	w.heading(2, w.site.text("site.offeredBy", "company", by.Name))
	w.entry(link(by.Name, by.URL), by.Tagline)
	if by.Headquarters != nil {
		w.fact(w.site.text("site.headquarters"), plain(w.site.place(by.Headquarters)))
	}
	var spoken, proof []string
	for _, tag := range by.Languages {
		spoken = append(spoken, plain(w.site.format.language(tag)))
	}
	for _, p := range by.Proof {
		proof = append(proof, plain(p.Title))
	}
	w.fact(w.site.text("site.languages"), strings.Join(spoken, ", "))
	w.fact(w.site.text("site.proof"), strings.Join(proof, ", "))
	w.line("")
}

// ask returns where to ask the seller of an offer, or "".
func ask(actions []document.Action) string { return actionOf(actions, "contact") }

// website returns the address of an offer on the company's own site, or "".
func website(actions []document.Action) string { return actionOf(actions, "visitWebsite") }

func actionOf(actions []document.Action, rel string) string {
	for _, a := range actions {
		if a.Rel == rel {
			return a.Href
		}
	}
	return ""
}

func (w *writer) attributes(all []document.Attribute) {
	for _, a := range all {
		w.fact(a.Name, w.value(w.site.value(a)))
	}
}

func (w *writer) available(availability string) {
	if availability != "" {
		w.fact(w.site.text("site.availability"), w.site.named(document.AvailabilityTexts())(availability))
	}
}

// leads writes where to ask about an offer, further pages, and its files.
func (w *writer) leads(actions []document.Action, links []document.LabelledURL, files []document.File) {
	if to := ask(actions); to != "" {
		w.fact(w.site.text("site.ask"), link(to, to))
	}
	for _, l := range links {
		w.line("- %s", link(l.Label, l.URL))
	}
	for _, f := range files {
		w.line("- %s (PDF, %s)", link(f.Label, f.URL), w.site.size(f.Bytes))
	}
}

func (w *writer) variants(all []document.Variant) {
	if len(all) == 0 {
		return
	}
	s := w.site
	w.heading(2, s.text("site.variants"))
	for _, v := range all {
		line := plain(v.Name)
		if v.SKU != "" {
			line += ", " + plain(v.SKU)
		}
		if v.GTIN != "" {
			line += ", GTIN " + plain(v.GTIN)
		}
		for _, a := range v.Attributes {
			line += ", " + plain(a.Name) + " " + plain(s.value(a))
		}
		if v.Price != nil {
			line += ", " + plain(s.money(v.Price))
		}
		if v.Availability != "" {
			line += ", " + s.named(document.AvailabilityTexts())(v.Availability)
		}
		w.line("- %s", line)
	}
	w.line("")
}

func (w *writer) marketMap(d document.MarketMap) {
	w.heading(1, d.Title)
	w.paragraph(plain(d.Summary))
	w.dates(d.PublishedAt, d.UpdatedAt)
	w.source(d.Description, underTitle)
	for _, segment := range d.Segments {
		w.heading(2, segment.Name)
		w.paragraph(plain(segment.Summary))
		if c := segment.Category; c != nil {
			w.paragraph(link(w.site.text("site.allIn", "category", c.Name), c.URL))
		}
		for _, e := range segment.Entries {
			w.entry(link(e.Name, e.URL), e.Note)
		}
		w.line("")
	}
	w.paragraph(link(w.site.text("site.picture"), d.URL+".svg"))
	w.related(d.Related)
}

// place formats the location of a head office.
func (s *Site) place(h *document.Headquarters) string {
	var parts []string
	for _, part := range []string{h.City, h.Region} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if h.Country != "" {
		parts = append(parts, s.format.country(h.Country))
	}
	return strings.Join(parts, ", ")
}

// countries names the countries among regions; other regions stay as they are.
func (s *Site) countries(codes []string) []string {
	names := make([]string, 0, len(codes))
	for _, c := range codes {
		names = append(names, s.format.country(c))
	}
	return names
}
