package build

import (
	"souk/build/release/market"
	"souk/build/source"
)

// tellMarket stores beside the release what a server without content needs to know.
func (b *Builder) tellMarket() error {
	r := b.renderer()
	c, m := b.content.catalog.Market(), market.Market{SiteURL: r.SiteURL(), APIURL: r.APIURL()}
	m.Name, m.Description, m.Language, m.ContactEmail, m.Texts = c.Name, c.Summary(), c.Language, c.ContactEmail, c.Texts
	m.Sections, m.Menu = market.Entries(r.Sections()), market.Entries(r.Menu())
	m.Join, m.NoClaims = r.Join(), c.NoClaims
	if b.config.Pages {
		m.Look = market.NewLook(c.Theme)
	}
	m.Placeholders = source.Placeholders(b.config.Content, m.SiteURL, m.ContactEmail)
	return m.Write(b.config.Public)
}
