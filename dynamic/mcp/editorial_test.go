package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
)

// called answers a call of a tool of a market, as it fits.
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

// edited is a market in which every text finds the articles 0 to 4.
type edited struct{ shelf }

func (edited) Search(context.Context, search.Query) (*search.Result, error) {
	r := new(search.Result)
	for i := range 5 {
		r.Articles = append(r.Articles, document.FoundArticle{Link: document.Link{Kind: "article", Name: fmt.Sprint(i)}})
	}
	return r, nil
}

func TestArticlesThatATextFindsComeAsManyAtOnceAsIsAskedFor(t *testing.T) {
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
