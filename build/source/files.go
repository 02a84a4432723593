package source

import "souk/build/catalog"

// The types of this file are the content files as their authors write them.
// The tags name each field, say whether it is required, and explain it: the
// strict decoder, `souk new` and the JSON Schemas are all made from them.

// shared is what every file may hold.
type shared struct {
	Status      string   `yaml:"status" enum:"published draft unpublished" doc:"Editorial state; only what is published is public. Default: published."`
	PublishedAt date     `yaml:"publishedAt" doc:"From when on it is public: a day (2026-01-31), or a moment of RFC 3339. Days begin at midnight UTC."`
	UpdatedAt   date     `yaml:"updatedAt" doc:"When the content last changed; shown, and told to search engines."`
	ExpiresAt   date     `yaml:"expiresAt" doc:"From when on it is no longer public."`
	Private     anything `yaml:"private" doc:"Notes of the operator, in any form. Never rendered, never indexed."`
}

type marketplaceFile struct {
	Name         string `yaml:"name,required" doc:"What the marketplace is called."`
	SiteURL      site   `yaml:"siteUrl,required" doc:"Where its pages stand, without a slash at the end, as in https://market.example."`
	APIURL       site   `yaml:"apiUrl" doc:"Where its API stands; ends in /api/v1. Default: siteUrl with /api/v1."`
	Description  string `yaml:"description" doc:"What is found here, in a sentence or two."`
	Language     tongue `yaml:"language" doc:"The language of the content, a tag of BCP 47. Default: en."`
	ContactEmail placed `yaml:"contactEmail" doc:"Whom visitors may write to; mails about claims and removals come from here."`
	shared
}

type headquartersFile struct {
	City    string  `yaml:"city" doc:"The town."`
	Region  string  `yaml:"region" doc:"The state, province or canton."`
	Country country `yaml:"country" doc:"ISO 3166-1 alpha-2, as in DE."`
}

type linkFile struct {
	Label string     `yaml:"label,required" doc:"What the link is called."`
	URL   webAddress `yaml:"url,required" doc:"Where it leads."`
}

type detailFile struct {
	Label string `yaml:"label,required" doc:"What is told, as in Member since."`
	Value string `yaml:"value,required" doc:"The detail itself, as text."`
}

type proofFile struct {
	Kind     string     `yaml:"kind,required" enum:"certification award customer caseStudy review publication" doc:"What kind of proof it is."`
	Title    string     `yaml:"title,required" doc:"The proof in words."`
	Issuer   string     `yaml:"issuer" doc:"Who vouches for it."`
	URL      webAddress `yaml:"url" doc:"Where it can be read."`
	Date     date       `yaml:"date" doc:"When it was given."`
	Public   bool       `yaml:"public,required" doc:"Only true is rendered."`
	Evidence anything   `yaml:"evidence" doc:"The operator's evidence, in any form. Never rendered, never indexed."`
}

type versionFile struct {
	Version      label             `yaml:"version,required" doc:"Number of this version of the identity."`
	Name         string            `yaml:"name,required" doc:"The company's name."`
	LegalName    string            `yaml:"legalName" doc:"Its name in the register."`
	Tagline      string            `yaml:"tagline" doc:"What it does, in half a line."`
	Summary      string            `yaml:"summary" doc:"What it does, in a sentence or two."`
	Website      webAddress        `yaml:"website" doc:"Its own pages."`
	Founded      int               `yaml:"founded" doc:"Year of foundation."`
	Employees    label             `yaml:"employees" doc:"How many people work there: a number, or a range such as 11-50."`
	Headquarters *headquartersFile `yaml:"headquarters" doc:"Where it has its seat."`
	Logo         image             `yaml:"logo" doc:"Its logo: a file beside this one, as in media/acme.svg, or a web address."`
	Languages    []tongue          `yaml:"languages" doc:"Languages spoken with customers, tags of BCP 47."`
	Links        []linkFile        `yaml:"links" doc:"Other pages of the company."`
}

type sellerFile struct {
	OfficialDomain  official      `yaml:"officialDomain,required" doc:"The company's own domain: whoever receives mail there may claim or remove the profile."`
	Versions        []versionFile `yaml:"versions,required" doc:"The company's identity, one entry for each version of it; only the selected one is public."`
	SelectedVersion label         `yaml:"selectedVersion" doc:"Which version is shown. Default: the highest."`
	ID              placed        `yaml:"id" doc:"The canonical identity, which outlives a change of slug. Default: the slug."`
	FormerDomains   []domain      `yaml:"formerDomains" doc:"Domains that were the company's before."`
	Replaces        string        `yaml:"replaces" enum:"removed" doc:"That this is another company than the removed one that had this slug before. It needs an id and an officialDomain of its own."`
	Categories      []rooted      `yaml:"categories" doc:"Where the company belongs, as in product/robots."`
	Details         []detailFile  `yaml:"details" doc:"Further facts, in the order in which they are shown."`
	Proof           []proofFile   `yaml:"proof" doc:"What speaks for the company."`
	Related         []reference   `yaml:"related" doc:"References to what belongs with it."`
	Keywords        []string      `yaml:"keywords" doc:"Words by which it should be found."`
	shared
}

type priceFile struct {
	Amount   amount `yaml:"amount,required" doc:"A decimal number in quotes, as in \"1290.50\"."`
	Currency money  `yaml:"currency,required" doc:"ISO 4217, as in EUR."`
	Unit     string `yaml:"unit" doc:"What the price is for, as in hour."`
	From     bool   `yaml:"from" doc:"true where it is the lowest of several."`
}

type variantFile struct {
	Name       string     `yaml:"name,required" doc:"What tells it from the others."`
	SKU        placed     `yaml:"sku" doc:"The seller's article number."`
	Attributes attributes `yaml:"attributes" doc:"Properties of this variant, as those of the product."`
	Price      *priceFile `yaml:"price" doc:"Default: the product's."`
}

type mediaFile struct {
	File image      `yaml:"file" doc:"A picture beside this file, as in media/arm.svg."`
	URL  webAddress `yaml:"url" doc:"Or a picture elsewhere."`
	Alt  string     `yaml:"alt" doc:"The picture in words, for those who do not see it. Required."`

	at catalog.Position
}

// offerFile is what Products and Services share.
type offerFile struct {
	Name       string         `yaml:"name,required" doc:"What it is called."`
	Summary    string         `yaml:"summary" doc:"What it is, in a sentence or two."`
	Categories []categorySlug `yaml:"categories,required" doc:"Slugs of categories under the root of its kind."`
	Price      *priceFile     `yaml:"price" doc:"What it costs."`
	Attributes attributes     `yaml:"attributes" doc:"Names with text, a number, true or false, or {value, unit}; shown in this order."`
	Media      []mediaFile    `yaml:"media" doc:"Pictures; the first file is shown on its card."`
	Proof      []proofFile    `yaml:"proof" doc:"What speaks for it."`
	Keywords   []string       `yaml:"keywords" doc:"Words by which it should be found."`
	Related    []reference    `yaml:"related" doc:"References to what belongs with it."`
	shared
}

type productFile struct {
	SKU      placed        `yaml:"sku" doc:"The seller's article number; leads to this product in search."`
	Variants []variantFile `yaml:"variants" doc:"The forms in which it is sold."`
	offerFile
}

type serviceFile struct {
	Delivery string   `yaml:"delivery" enum:"remote onsite hybrid" doc:"Where the work is done."`
	Regions  []string `yaml:"regions" doc:"Where it is offered."`
	offerFile
}

type categoryFile struct {
	Name     string       `yaml:"name,required" doc:"What it is called."`
	Summary  string       `yaml:"summary" doc:"What is found in it."`
	Parent   categorySlug `yaml:"parent" doc:"Slug of the category above, under the same root. Default: the top."`
	Synonyms []string     `yaml:"synonyms" doc:"Other words for it; searched and suggested."`
	Order    *int         `yaml:"order" doc:"Place among its neighbours; those without come last."`
	Related  []reference  `yaml:"related" doc:"References to what belongs with it."`
	shared
}

type articleFile struct {
	Title     string      `yaml:"title,required" doc:"The headline."`
	Summary   string      `yaml:"summary" doc:"What it says, in a sentence or two."`
	Authors   []string    `yaml:"authors" doc:"Who wrote it."`
	Related   []reference `yaml:"related" doc:"References to what belongs with it, beside what the text links to."`
	Media     []mediaFile `yaml:"media" doc:"Pictures of the article."`
	Editorial anything    `yaml:"editorial" doc:"Notes of the editors, in any form. Never rendered, never indexed."`
	shared
}

type entryFile struct {
	Ref  reference `yaml:"ref,required" doc:"A Seller, Product or Service."`
	Note string    `yaml:"note" doc:"A remark beside it."`
}

type segmentFile struct {
	Name     string  `yaml:"name,required" doc:"What the segment is called."`
	Summary  string  `yaml:"summary" doc:"What belongs in it."`
	Category rooted  `yaml:"category" doc:"The category that it corresponds to, as in product/robots."`
	Entries  []entry `yaml:"entries,present" doc:"References, or mappings of ref and note, in the order in which they are shown."`
}

type marketMapFile struct {
	Title    string        `yaml:"title,required" doc:"The headline."`
	Summary  string        `yaml:"summary" doc:"What the map shows."`
	Segments []segmentFile `yaml:"segments,required" doc:"The groups of the map."`
	Related  []reference   `yaml:"related" doc:"References to what belongs with it."`
	shared
}
