package dynamic

import (
	"path"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/dynamic/web/preview"
)

// show shows the result of the last build in the preview. mistakes are those that keep
// content out of the release.
func (b *builds) show(mistakes problem.List) {
	if b.preview == nil {
		return
	}
	mistakes = slices.Clone(mistakes)
	for i := range mistakes {
		folder, file := b.config.Build.Content, mistakes[i].File
		if below, ours := strings.CutPrefix(file, "theme/"); ours && b.config.Build.Theme != "" {
			folder, file = b.config.Build.Theme, below
		}
		mistakes[i].File = path.Join(folder, file)
	}
	s := preview.State{Release: b.builder.Tree().ID(), Mistakes: mistakes, Empty: true}
	b.builder.Catalog().EachSeller(func(n *catalog.Node) { s.Empty = s.Empty && !n.Current() })
	if b.config.Build.Drafts {
		s.Marks = marks(b.builder.Catalog())
	}
	b.preview.Show(s)
}

// marks maps the address of a thing's page to the reason why the thing is in no published
// release.
func marks(c *catalog.Catalog) map[string]string {
	all := map[string]string{}
	c.Each(func(n *catalog.Node) {
		if !n.Current() {
			return
		}
		switch hiding, h := c.Draft(n); hiding {
		case catalog.Nothing:
		case catalog.ByDraft:
			all["/"+n.Ref().Path()] = "Draft"
		case catalog.ByUnpublished:
			all["/"+n.Ref().Path()] = "Unpublished"
		case catalog.ByPublishedAt:
			all["/"+n.Ref().Path()] = "From " + h.PublishedAt.String() + " on"
		case catalog.ByExpiresAt:
			all["/"+n.Ref().Path()] = "Expired on " + h.ExpiresAt.String()
		}
	})
	return all
}
