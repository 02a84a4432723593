package site

import (
	"encoding/json"
	"encoding/xml"
	"testing"
	"time"

	"souk/build/document"
)

// aFeed returns a feed with an item of each kind, one of them without text.
func aFeed(s *Site) document.Feed {
	at := s.market.SiteURL
	return document.Feed{Items: []document.Summary{
		{Kind: "article", Title: "New <b>", Summary: "What & why.", URL: at + "/articles/new", PublishedAt: "2026-02-01", UpdatedAt: "2026-02-03T10:00:00+02:00"},
		{Kind: "marketMap", Title: "Old", URL: at + "/market-maps/old", PublishedAt: "2025-02-01T10:00:00Z"},
	}}
}

func TestAtomFeedFollowsRFC4287(t *testing.T) {
	for _, empty := range []bool{false, true} {
		s := newSite(t, market("de", "https://market.example/m"))
		feed := aFeed(s)
		if empty {
			feed = document.Feed{}
		}
		var a struct {
			XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
			Lang    string   `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
			ID      string   `xml:"id"`
			Title   string   `xml:"title"`
			Updated string   `xml:"updated"`
			Author  []string `xml:"author>name"`
			Links   []struct {
				Rel  string `xml:"rel,attr"`
				Href string `xml:"href,attr"`
			} `xml:"link"`
			Entries []struct {
				ID        string `xml:"id"`
				Title     string `xml:"title"`
				Updated   string `xml:"updated"`
				Published string `xml:"published"`
				Links     []struct {
					Rel  string `xml:"rel,attr"`
					Href string `xml:"href,attr"`
				} `xml:"link"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal([]byte(rendered(t, s, feed)[document.AtomFile]), &a); err != nil {
			t.Fatal(err)
		}
		if a.ID == "" || a.Title == "" || len(a.Author) != 1 || a.Lang != "de" || len(a.Links) != 2 || a.Links[0].Rel != "self" || a.Links[0].Href != "https://market.example/m/feed.atom" {
			t.Errorf("the feed says %+v", a)
		}
		at(t, a.Updated)
		ids := map[string]bool{a.ID: true}
		for _, e := range a.Entries {
			if ids[e.ID] || e.ID == "" || e.Title == "" || len(e.Links) != 1 || e.Links[0].Rel != "alternate" || e.Links[0].Href != e.ID {
				t.Errorf("the entry %+v", e)
			}
			ids[e.ID] = true
			if at(t, e.Published).After(at(t, e.Updated)) || at(t, e.Updated).After(at(t, a.Updated)) {
				t.Errorf("%s was published after it changed, or changed after the feed", e.ID)
			}
		}
		if len(a.Entries) != len(feed.Items) {
			t.Errorf("%d entries", len(a.Entries))
		}
	}
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Error(err)
	}
	return moment
}

func TestJSONFeedFollowsVersion11(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	var f struct {
		Version, Title, Language string
		Home                     string `json:"home_page_url"`
		URL                      string `json:"feed_url"`
		Items                    []map[string]string
	}
	if err := json.Unmarshal([]byte(rendered(t, s, aFeed(s))[document.JSONFeedFile]), &f); err != nil {
		t.Fatal(err)
	}
	if f.Version != "https://jsonfeed.org/version/1.1" || f.Title == "" || f.Home != "https://market.example/" || f.URL != "https://market.example/feed.json" || len(f.Items) != 2 {
		t.Errorf("%+v", f)
	}
	for _, item := range f.Items {
		if item["id"] == "" || item["url"] != item["id"] || item["content_text"] == "" {
			t.Errorf("%v lacks what an item must have", item)
		}
		at(t, item["date_published"])
	}
}
