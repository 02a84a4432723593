// Package market stores, beside a release, the parts of a marketplace that a server without
// content needs and that are in no document, or only in a form for people: its name and
// addresses, its own texts, and its look. It has a format of its own, so that only values with
// a field here are stored.
//
// It does not know what the marketplace offers: that is in the release, where removals are
// applied.
package market

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"souk/build/document"
	"souk/build/kit/durable"
	"souk/build/kit/theme"
	"souk/build/release"
	"souk/build/site"
	"souk/templates/texts"
)

// A Market is the stored data.
type Market struct {
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Language     string `json:"language"`
	ContactEmail string `json:"contactEmail,omitempty"`
	// NoClaims means that companies cannot claim their profiles.
	NoClaims bool `json:"noClaims,omitempty"`
	// Join is where companies ask to be listed.
	Join string `json:"join,omitempty"`
	// SiteURL and APIURL are absolute, without a trailing slash.
	SiteURL string `json:"siteUrl"`
	APIURL  string `json:"apiUrl"`
	// Texts are the operator's own wording, by language and key.
	Texts map[string]map[string]string `json:"texts,omitempty"`
	// Sections are the links in the header of every page.
	Sections []Entry `json:"sections,omitempty"`
	// Menu contains the links in the footer of every page, in addition to those of every
	// market.
	Menu []Entry `json:"menu,omitempty"`
	// Placeholders are what 'souk init' wrote and nobody has changed, for the operator.
	Placeholders []string `json:"placeholders,omitempty"`
	// Look is the look of the pages, or nil if the release has none.
	Look *Look `json:"look,omitempty"`
}

// An Entry is a link of the menu. Its URL is absolute.
type Entry struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Entries returns the entries of links.
func Entries(links []document.MenuLink) (all []Entry) {
	for _, l := range links {
		all = append(all, Entry{Label: l.Label, URL: l.URL})
	}
	return all
}

func links(entries []Entry) (all []document.MenuLink) {
	for _, e := range entries {
		all = append(all, document.MenuLink{Label: e.Label, URL: e.URL})
	}
	return all
}

// A Look is the operator's theme, as package theme represents it.
type Look struct {
	Accent     string `json:"accent,omitempty"`
	AccentDark string `json:"accentDark,omitempty"`
	Font       string `json:"font,omitempty"`
	Logo       string `json:"logo,omitempty"`
	// Files are by path below the theme's folder.
	Files map[string][]byte `json:"files,omitempty"`
}

// NewLook returns the Look of a theme.
func NewLook(t theme.Theme) *Look {
	l := &Look{Accent: t.Accent, AccentDark: t.AccentDark, Font: t.Font, Logo: t.Logo}
	for file, body := range t.Files {
		if l.Files == nil {
			l.Files = map[string][]byte{}
		}
		l.Files[file] = []byte(body)
	}
	return l
}

// Catalogue returns the site's own texts, in the language of the market.
func (m Market) Catalogue() *texts.Catalogue { return texts.New(m.Language, m.Texts) }

// Addresses returns the roots of all addresses.
func (m Market) Addresses() document.Addresses {
	return document.Addresses{Site: m.SiteURL, API: m.APIURL}
}

// Site returns the renderer of pages made on request, or nil if the release has no pages.
func (m Market) Site() (*site.Site, error) {
	if m.Look == nil {
		return nil, nil
	}
	c := site.Config{
		Name: m.Name, Description: m.Description, Language: m.Language, SiteURL: m.SiteURL, APIURL: m.APIURL, Texts: m.Catalogue(),
		Sections: links(m.Sections), Menu: links(m.Menu), ContactEmail: m.ContactEmail, Join: m.Join,
	}
	look := theme.Theme{Accent: m.Look.Accent, AccentDark: m.Look.AccentDark, Font: m.Look.Font, Logo: m.Look.Logo}
	for file, body := range m.Look.Files {
		if look.Files == nil {
			look.Files = map[string]string{}
		}
		look.Files[file] = string(body)
	}
	return site.New(c, look)
}

// path returns the file beside a public folder.
func path(public string) string { return filepath.Join(release.Folder(public), "market") }

// Exists reports whether there is a Market beside a public folder.
func Exists(public string) bool {
	_, err := os.Stat(path(public))
	return err == nil
}

// Read returns the Market beside a public folder.
func Read(public string) (m Market, err error) {
	data, err := os.ReadFile(path(public))
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("the market's description for %s is missing: run 'souk build' to write %s again", public, path(public))
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err == nil && m.SiteURL == "" {
		err = errors.New("it has no siteUrl")
	}
	if err != nil {
		return Market{}, fmt.Errorf("read the market's description in %s: %w", path(public), err)
	}
	return m, nil
}

// Write stores a Market beside a public folder, durably. An up-to-date file stays as it is.
func (m Market) Write(public string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if known, err := os.ReadFile(path(public)); err == nil && bytes.Equal(known, data) {
		return nil
	}
	if err := durable.Replace(path(public), 0o644, data); err != nil {
		return fmt.Errorf("save the market's description for servers without content: %w", err)
	}
	return nil
}
