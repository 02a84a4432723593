package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
)

// called calls a tool of a market and returns the answer cut to its budget.
func called(t *testing.T, m Market, name, args string) (*answer, error) {
	t.Helper()
	for _, one := range tools() {
		if one.name == name {
			return New(Config{Market: m}).call(t.Context(), one, []byte(args))
		}
	}
	t.Fatalf("there is no tool %s", name)
	return nil, nil
}

// edited is a market in which every text matches the articles 0 to 4.
type edited struct{ stubMarket }

func (edited) Search(context.Context, search.Query) (*search.Result, error) {
	r := new(search.Result)
	for i := range 5 {
		r.Articles = append(r.Articles, document.FoundArticle{Link: document.Link{Kind: "article", Name: fmt.Sprint(i)}})
	}
	return r, nil
}

func TestFoundArticlesRespectTheLimit(t *testing.T) {
	for _, tt := range []struct{ args, names, next string }{
		{`{"q":"etcd"}`, "01234", ""},
		{`{"q":"etcd","limit":5}`, "01234", ""},
		{`{"q":"etcd","limit":2}`, "01", "2"},
		{`{"q":"etcd","limit":2,"next":"2"}`, "23", "4"},
		{`{"q":"etcd","limit":2,"next":"4"}`, "4", ""},
	} {
		a, err := called(t, edited{}, "articles", tt.args)
		if err != nil {
			t.Errorf("%s: %v", tt.args, err)
			continue
		}
		var names string
		for _, one := range a.Items {
			names += one.row[0]
		}
		if names != tt.names || a.Next != tt.next || a.Total != 5 {
			t.Errorf("%s: %s, next %q, of %d", tt.args, names, a.Next, a.Total)
		}
	}
	for _, next := range []string{"5", "00ff.1"} {
		_, err := called(t, edited{}, "articles", `{"q":"etcd","next":"`+next+`"}`)
		var wrong *fault.Error
		if !errors.As(err, &wrong) || wrong.Errors[0].Field != "next" || !strings.Contains(wrong.Errors[0].Message, "without next") && !strings.Contains(wrong.Errors[0].Message, "leave it out") {
			t.Errorf("next %s: %v", next, err)
		}
	}
}

// mapped is a market with a map of that many members. If they are many, the map's document
// does not include them.
type mapped struct {
	stubMarket
	members int
}

func (m mapped) Document(_ context.Context, file string) ([]byte, State, error) {
	if !strings.Contains(file, "/market-maps/") {
		body, err := json.Marshal(document.Seller{Summary: "Says " + file})
		return body, Found, err
	}
	all := document.Segment{Name: "All"}
	for i := range m.members {
		e := document.MapEntry{Link: document.Link{Kind: "seller", Name: fmt.Sprint(i), APIURL: fmt.Sprintf("https://m.example/api/v1/marketplace/companies/s%d", i)}, Note: "Noted."}
		if m.members <= 100 {
			e.Summary = "Says itself"
		}
		all.Entries = append(all.Entries, e)
	}
	body, err := json.Marshal(document.MarketMap{Title: "Atlas", Segments: []document.Segment{all}})
	return body, Found, err
}

func TestMapMembersHaveSummaries(t *testing.T) {
	for members, want := range map[int]string{100: "Noted. Says itself", 101: "Noted. Says api/v1/marketplace/companies/s7.json"} {
		a, err := called(t, mapped{members: members}, "maps", `{"map":"atlas","segment":"All","next":"7","limit":2}`)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Items) != 2 || a.Total != members || a.Items[0].value["summary"] != want || a.Items[0].value["name"] != "7" {
			t.Errorf("of %d members: %+v", members, a.Items)
		}
	}
}
