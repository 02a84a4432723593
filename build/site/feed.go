package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"time"

	"souk/build/document"
)

// The feeds of the Articles and Market Maps: Atom (RFC 4287) and JSON Feed 1.1. A feed is
// dated by its newest entry, because no file depends on the clock of the build.

type atomFeed struct {
	XMLName  xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Language string   `xml:"xml:lang,attr"`
	Title    string   `xml:"title"`
	Subtitle string   `xml:"subtitle,omitempty"`
	ID       string   `xml:"id"`
	Updated  string   `xml:"updated"`
	// Generator distinguishes the file from another site's file of the same name.
	Generator string      `xml:"generator"`
	Author    atomPerson  `xml:"author"`
	Links     []atomLink  `xml:"link"`
	Entries   []atomEntry `xml:"entry"`
}

type atomPerson struct {
	Name string `xml:"name"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	Title     string       `xml:"title"`
	ID        string       `xml:"id"`
	Link      atomLink     `xml:"link"`
	Published string       `xml:"published"`
	Updated   string       `xml:"updated"`
	Authors   []atomPerson `xml:"author"`
	Summary   string       `xml:"summary,omitempty"`
}

type jsonFeed struct {
	Version     string `json:"version"`
	Title       string `json:"title"`
	Home        string `json:"home_page_url"`
	URL         string `json:"feed_url"`
	Description string `json:"description,omitempty"`
	Language    string `json:"language"`
	// Generator is an extension (JSON Feed 1.1, Extensions) that distinguishes the file from
	// another site's file of the same name.
	Generator jsonGenerator `json:"_generator"`
	Items     []jsonItem    `json:"items"`
}

type jsonGenerator struct {
	Name string `json:"name"`
}

type jsonItem struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Title     string `json:"title"`
	Summary   string `json:"summary,omitempty"`
	Content   string `json:"content_text"`
	Published string `json:"date_published"`
	Modified  string `json:"date_modified,omitempty"`
}

func (s *Site) feeds(feed document.Feed, put func(name string, body []byte) error) error {
	m, home := s.market, s.market.SiteURL+"/"
	atom := atomFeed{
		Language: m.Language, Title: m.Name, Subtitle: m.Description, ID: home, Author: atomPerson{m.Name},
		Generator: document.Generator, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339),
		Links: []atomLink{
			{"self", "application/atom+xml", home + document.AtomFile}, {"alternate", "text/html", home},
		},
	}
	all := jsonFeed{
		Version: "https://jsonfeed.org/version/1.1", Title: m.Name, Home: home, URL: home + document.JSONFeedFile,
		Description: m.Description, Language: m.Language, Generator: jsonGenerator{document.Generator}, Items: []jsonItem{},
	}
	for _, one := range feed.Items {
		published := moment(one.PublishedAt)
		updated := cmp.Or(moment(one.UpdatedAt), published)
		atom.Updated = max(atom.Updated, updated)
		entry := atomEntry{
			Title: one.Title, ID: one.URL, Link: atomLink{"alternate", "text/html", one.URL},
			Published: published, Updated: updated, Summary: one.Summary,
		}
		atom.Entries = append(atom.Entries, entry)
		all.Items = append(all.Items, jsonItem{
			ID: one.URL, URL: one.URL, Title: one.Title, Summary: one.Summary, Content: cmp.Or(one.Summary, one.Title),
			Published: published, Modified: moment(one.UpdatedAt),
		})
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", " ")
	if err := e.Encode(atom); err != nil {
		return err
	}
	b.WriteByte('\n')
	if err := put(document.AtomFile, b.Bytes()); err != nil {
		return err
	}
	b.Reset()
	j := json.NewEncoder(&b)
	j.SetEscapeHTML(false)
	if err := j.Encode(all); err != nil {
		return err
	}
	return put(document.JSONFeedFile, b.Bytes())
}

// moment returns a date or RFC 3339 timestamp of the content as RFC 3339 in UTC.
func moment(text document.Date) string {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, string(text)); err == nil {
			return t.UTC().Format(time.RFC3339)
		}
	}
	return ""
}
