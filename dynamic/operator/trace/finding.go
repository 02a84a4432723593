package trace

import (
	"cmp"
	"slices"
	"strings"
)

// The ways in which a seller may show.
const (
	WhatSlug    = "slug"
	WhatName    = "name"
	WhatDomain  = "domain"
	WhatMedia   = "media"
	WhatAddress = "address"
	// WhatStub means that a stub at one of the seller's addresses has the wrong body.
	WhatStub = "stub"
	// WhatUnreadable means that the file cannot be read, so its content is unknown.
	WhatUnreadable = "unreadable"
)

// A Finding is one place where a seller shows.
type Finding struct {
	// File is the path below the public folder, without the extension of a twin; for a
	// search result, it is the address that was requested.
	File string `json:"file"`
	// Twin is gz or br if the place is in a compressed twin that differs from its file or
	// has none.
	Twin string `json:"twin,omitempty"`
	What string `json:"what"`
	// Where is a path in JSON, such as products.items[0].name, a line number, or "file" for
	// the file's own name.
	Where   string `json:"where"`
	Excerpt string `json:"excerpt,omitempty"`
	// Warning marks what an editor has to decide.
	Warning bool `json:"warning,omitempty"`
}

// Findings are sorted by file, then by place.
type Findings []Finding

// Split separates findings from warnings.
func (f Findings) Split() (found, warnings Findings) {
	for _, one := range f {
		if one.Warning {
			warnings = append(warnings, one)
		} else {
			found = append(found, one)
		}
	}
	return found, warnings
}

// sort sorts findings by file and removes those that report the same place twice. The
// places within a file keep their order.
func (f Findings) sort() Findings {
	slices.SortStableFunc(f, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Twin, b.Twin))
	})
	type place struct{ file, twin, what, where string }
	seen := map[place]int{}
	kept := make(Findings, 0, len(f))
	for _, one := range f {
		p := place{one.File, one.Twin, one.What, one.Where}
		at, twice := seen[p]
		switch {
		case !twice:
			seen[p] = len(kept)
			kept = append(kept, one)
		case kept[at].Warning && !one.Warning:
			kept[at] = one
		}
	}
	return kept
}
