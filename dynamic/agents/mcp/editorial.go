package mcp

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
)

// articles implements the tool articles.
func articles(ctx context.Context, m Market, a arguments) (*answer, error) {
	if q := strings.TrimSpace(a.texts["q"]); q != "" {
		return foundArticles(ctx, m, a, q)
	}
	return summaries(ctx, m, a, "articles")
}

// foundArticles returns the articles and market maps that match a text. Search returns only
// a few, so next is just the position among them.
func foundArticles(ctx context.Context, m Market, a arguments, q string) (*answer, error) {
	begin, err := a.offset()
	if err != nil {
		return nil, err
	}
	r, err := m.Search(ctx, search.Query{Text: q})
	if err != nil {
		return nil, err
	}
	if begin > 0 && begin >= len(r.Articles) {
		return nil, invalid("next", fault.Invalid, "there are %d articles and market maps: start again without next", len(r.Articles))
	}
	result := &answer{Total: len(r.Articles), Lead: fmt.Sprintf("Articles and market maps found: %d, each with title, address, summary.", len(r.Articles))}
	end := min(begin+a.number("limit", defaultLimit), len(r.Articles))
	for i := begin; i < end; i++ {
		f := r.Articles[i]
		result.Items = append(result.Items, item{
			value: map[string]any{"kind": f.Kind, "name": short(clean(f.Name), 200), "summary": short(clean(f.Summary), 300), "url": f.URL, "apiUrl": f.APIURL},
			row:   []string{f.Name, f.URL, f.Summary}, at: strconv.Itoa(i),
		})
	}
	if end < len(r.Articles) {
		result.Next = strconv.Itoa(end)
	}
	return result, nil
}

// summaries returns entries of a list of the release, continuing across pages. next is the
// page and the entry to start with, "{id}.{n}", or "{n}" on the first page.
func summaries(ctx context.Context, m Market, a arguments, list string) (*answer, error) {
	page, begin, err := a.place()
	if err != nil {
		return nil, err
	}
	limit := a.number("limit", defaultLimit)
	result := &answer{Total: -1}
	for {
		p, err := summaryPage(ctx, m, list, page)
		if err != nil {
			return nil, err
		}
		if page == "" {
			result.Total = p.Total
		}
		for i := begin; i < len(p.Items); i++ {
			at := strings.TrimPrefix(fmt.Sprintf("%s.%d", page, i), ".")
			if len(result.Items) == limit {
				result.Next = at
				break
			}
			result.Items = append(result.Items, summaryItem(p.Items[i], at))
		}
		_, following, more := strings.Cut(p.Next, "/pages/")
		if result.Next != "" || !more {
			break
		}
		if len(result.Items) == limit {
			result.Next = following + ".0"
			break
		}
		page, begin = following, 0
	}
	result.Lead = fmt.Sprintf("%d entries, newest first: title, address, summary.", len(result.Items))
	return result, nil
}

func summaryItem(s document.Summary, at string) item {
	value := map[string]any{"kind": s.Kind, "title": short(clean(s.Title), 200), "url": s.URL, "apiUrl": s.APIURL}
	if s.Summary != "" {
		value["summary"] = short(clean(s.Summary), 300)
	}
	if s.PublishedAt != "" {
		value["publishedAt"] = s.PublishedAt
	}
	return item{value: value, row: []string{s.Title, s.URL, s.Summary}, at: at}
}

// summaryPage reads a page of a list; "" means the first.
func summaryPage(ctx context.Context, m Market, list, page string) (p document.SummaryList, err error) {
	address := apiPath + "/" + list
	if page != "" {
		address += "/pages/" + page
	}
	state, err := load(ctx, m, address, &p)
	switch {
	case err != nil:
		return p, err
	case state != Found && page != "":
		return p, invalid("next", fault.Invalid, "the list has changed: start again without next")
	case state != Found:
		return p, orMissing(nil, list)
	}
	return p, nil
}

// place parses next as a page and an entry.
func (a arguments) place() (page string, begin int, err error) {
	text := a.texts["next"]
	if text == "" {
		return "", 0, nil
	}
	number := text
	if id, n, paged := strings.Cut(text, "."); paged {
		page, number = id, n
	}
	begin, failed := strconv.Atoi(number)
	if failed != nil || begin < 0 || begin > 100 || strings.Trim(page, "0123456789abcdef") != "" {
		return "", 0, invalid("next", fault.Invalid, "%q is not valid: send next as the last answer has it, or leave it out", line(text, 60))
	}
	return page, begin, nil
}

// marketMaps implements the tool maps.
func marketMaps(ctx context.Context, m Market, a arguments) (*answer, error) {
	slug := strings.TrimPrefix(a.texts["map"], "marketMap:")
	if slug == "" {
		if a.texts["segment"] != "" {
			return nil, invalid("map", fault.Invalid, "say which map the segment belongs to")
		}
		return summaries(ctx, m, a, "market-maps")
	}
	begin, err := a.offset()
	if err != nil {
		return nil, err
	}
	var one document.MarketMap
	state, err := load(ctx, m, "marketMap:"+slug, &one)
	if err != nil {
		return nil, err
	}
	if state != Found {
		return nil, invalid("map", fault.Invalid, "there is no market map %q: call maps without it for all", line(slug, 100))
	}
	if name := a.texts["segment"]; name != "" {
		return members(ctx, m, one, name, begin, a.number("limit", defaultLimit*2))
	}
	return segments(one, begin, a.number("limit", maxList))
}

// segments returns the segments of a map with a few of their members.
func segments(of document.MarketMap, begin, limit int) (*answer, error) {
	result := &answer{Total: len(of.Segments), Lead: fmt.Sprintf("%d segments of the map: name, number of entries, some of them, summary. Ask for one with segment.", len(of.Segments))}
	result.Extra = map[string]any{"map": map[string]any{"title": short(clean(of.Title), 200), "url": of.URL, "apiUrl": of.APIURL}}
	end := min(begin+limit, len(of.Segments))
	for i := begin; i < end; i++ {
		s := of.Segments[i]
		var names []string
		for _, e := range s.Entries[:min(len(s.Entries), 3)] {
			names = append(names, short(clean(e.Name), 60))
		}
		value := map[string]any{"kind": "segment", "segment": short(clean(s.Name), 200), "entryCount": len(s.Entries)}
		if c := s.Category; c != nil {
			value["category"] = c.RootKind + "/" + c.Slug
		}
		result.Items = append(result.Items, item{value: value, at: strconv.Itoa(i), row: []string{s.Name, strconv.Itoa(len(s.Entries)), strings.Join(names, ", "), short(s.Summary, 80)}})
	}
	if end < len(of.Segments) {
		result.Next = strconv.Itoa(end)
	}
	return result, nil
}

// members returns the members of a segment. The document of a large map does not include
// them, so they are read from their own documents.
func members(ctx context.Context, m Market, of document.MarketMap, name string, begin, limit int) (*answer, error) {
	var names []string
	for _, s := range of.Segments {
		if !strings.EqualFold(s.Name, name) && line(s.Name, 200) != name {
			names = append(names, line(s.Name, 80))
			continue
		}
		result := &answer{Total: len(s.Entries), Lead: fmt.Sprintf("%d in the segment: name, kind, address, summary.", len(s.Entries))}
		end := min(begin+limit, len(s.Entries))
		for i := begin; i < end; i++ {
			e := s.Entries[i]
			if of.Large() {
				var own struct{ Summary string }
				if _, err := load(ctx, m, e.APIURL, &own); err != nil {
					return nil, err
				}
				e.Summary = own.Summary
			}
			value := map[string]any{"kind": e.Kind, "name": short(clean(e.Name), 120), "url": e.URL, "apiUrl": e.APIURL}
			if about := e.Note + e.Summary; about != "" {
				value["summary"] = short(clean(strings.TrimSpace(e.Note+" "+e.Summary)), 160)
			}
			result.Items = append(result.Items, item{value: value, at: strconv.Itoa(i), row: []string{e.Name, e.Kind, e.URL, short(e.Summary, 80)}})
		}
		if end < len(s.Entries) {
			result.Next = strconv.Itoa(end)
		}
		return result, nil
	}
	return nil, invalid("segment", fault.Invalid, "the map has no segment %q: choose from %s", line(name, 80), short(strings.Join(names, "; "), 1500))
}
