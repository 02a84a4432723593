package trace

import (
	"context"
	"regexp"
)

// askAgent calls the MCP tools for each slug of the subject.
func askAgent(ctx context.Context, c Config, s Subject) (found Findings, err error) {
	for _, slug := range s.Slugs {
		own := regexp.MustCompile(`/companies/` + regexp.QuoteMeta(slug) + `["/]`)
		for _, call := range []struct {
			tool      string
			arguments map[string]any
		}{
			{"get", map[string]any{"refs": []string{"seller:" + slug}, "detail": "full"}},
			{"search", map[string]any{"q": cut(slug), "limit": 100}},
			{"suggest", map[string]any{"q": cut(slug), "limit": 20}},
		} {
			answer, err := c.Agent(ctx, call.tool, call.arguments)
			if err != nil {
				return nil, err
			}
			if at := own.Find(answer); at != nil {
				found = append(found, Finding{File: "mcp " + call.tool + " " + slug, What: WhatAddress, Where: "answer", Excerpt: string(at[:len(at)-1])})
			}
		}
	}
	return found, nil
}
