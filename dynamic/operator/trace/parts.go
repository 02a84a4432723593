package trace

import (
	"fmt"
	"slices"

	"souk/build/index"
)

// inParts finds the search parts that contain documents of the subject, whether or not a
// search finds them.
func inParts(folder string, n *needles, s Subject) (all Findings, err error) {
	if folder == "" {
		return nil, nil
	}
	list, err := index.Companies(folder)
	if err != nil {
		return nil, fmt.Errorf("trace in the search parts: %w", err)
	}
	for _, one := range list {
		switch {
		case n.slugs[one.Slug]:
			all = append(all, Finding{File: "search/" + one.Part, What: WhatSlug, Where: "documents", Excerpt: one.Slug})
		case one.Domain != "" && slices.Contains(s.Domains, one.Domain):
			all = append(all, Finding{File: "search/" + one.Part, What: WhatDomain, Where: "documents", Excerpt: one.Domain})
		}
	}
	return all, nil
}
