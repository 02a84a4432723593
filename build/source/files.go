package source

import "souk/build/catalog"

// The types in this file are the content files as their authors write them. The tags name each
// field, explain it, and say whether it is required or a name. The strict decoder, 'souk new'
// and the JSON Schemas are all derived from them.

// shared has the fields that every file may have.
type shared struct {
	Status      string      `yaml:"status" enum:"published draft unpublished" doc:"Editorial state; only published content is public. Default: published."`
	PublishedAt date        `yaml:"publishedAt" doc:"When it becomes public: a day (2026-01-31), or an RFC 3339 timestamp. Days begin at midnight UTC."`
	UpdatedAt   date        `yaml:"updatedAt" doc:"When the content last changed; shown to readers and search engines."`
	ExpiresAt   date        `yaml:"expiresAt" doc:"When it ceases to be public."`
	Aliases     []reference `yaml:"aliases" most:"100" doc:"Former References of the same thing, at most 100, whose addresses go on leading to it; a seller's stands for everything below it."`
	Private     anything    `yaml:"private" doc:"Notes of the operator, in any form. Never rendered, never indexed."`
}

type marketplaceFile struct {
	Name         string       `yaml:"name,required" text:"name" doc:"The name of the marketplace."`
	SiteURL      site         `yaml:"siteUrl,required" doc:"The address of its pages, without a trailing slash, as in https://market.example."`
	APIURL       site         `yaml:"apiUrl" doc:"The address of its API; it ends in /api/v1. Default: siteUrl with /api/v1."`
	Description  passage      `yaml:"description" doc:"What the marketplace offers, in a sentence or two of Markdown; or the text below the front matter of marketplace.md."`
	Language     tongue       `yaml:"language" doc:"The language of the content and of the texts around it, a BCP 47 tag. Default: en."`
	ContactEmail mailbox      `yaml:"contactEmail" doc:"Address for visitors; mails about claims and removals are sent from it."`
	Featured     []reference  `yaml:"featured" most:"12" doc:"References of sellers, products, services, articles or market maps, at most 12, which the home page shows first."`
	Claims       string       `yaml:"claims" enum:"on off" doc:"Whether companies may claim their profiles. Default: on."`
	Join         joinAddress  `yaml:"join" doc:"Where a company asks to be listed: a web address, a mailto: address, or the path of a page of site/, as in /join."`
	Theme        *themeFields `yaml:"theme" doc:"Colours, font and logo of the pages; templates and a style sheet are in the folder theme."`
	shared
}

type themeFields struct {
	Accent     colour `yaml:"accent" doc:"The colour of links and buttons, in hexadecimal, as in #0b5c4a."`
	AccentDark colour `yaml:"accentDark" doc:"The same on a dark ground. Default: accent, with as much white as it needs."`
	Font       bare   `yaml:"font" doc:"A stack of fonts that systems bring along (system, humanist, geometric, grotesque, rounded, serif, oldstyle, slab, typewriter), or a file of theme/ that ends in .woff2."`
	Logo       bare   `yaml:"logo" doc:"The market's logo, a picture in theme/, as in theme/sign.svg. Default: theme/logo.svg, .png, .jpg or .webp, if it is there."`
}

type headquartersFile struct {
	City    string  `yaml:"city" text:"name" doc:"The town."`
	Region  string  `yaml:"region" text:"name" doc:"The state, province or canton."`
	Country country `yaml:"country" doc:"ISO 3166-1 alpha-2, as in DE."`
}

type contactFile struct {
	Email     mailbox      `yaml:"email" doc:"Its mailbox for visitors."`
	Telephone telephone    `yaml:"telephone" doc:"Its telephone number, with the country's, as in +49 711 123456."`
	URL       webAddress   `yaml:"url" doc:"Its contact page."`
	Address   *addressFile `yaml:"address" doc:"Where to write to or visit it."`
}

type addressFile struct {
	Street     string  `yaml:"street" text:"name" doc:"Street and number."`
	PostalCode label   `yaml:"postalCode" doc:"The postal code."`
	City       string  `yaml:"city" text:"name" doc:"The town."`
	Region     string  `yaml:"region" text:"name" doc:"The state, province or canton."`
	Country    country `yaml:"country" doc:"ISO 3166-1 alpha-2, as in DE."`
}

type linkFile struct {
	Label string     `yaml:"label,required" text:"name" doc:"The text of the link."`
	URL   webAddress `yaml:"url,required" doc:"Where it leads."`
}

type detailFile struct {
	Label string `yaml:"label,required" text:"name" doc:"The name of the detail, as in Member since."`
	Value string `yaml:"value,required" doc:"The detail itself, as text."`
}

type proofFile struct {
	Kind     string     `yaml:"kind,required" enum:"certification award customer caseStudy review publication" doc:"What kind of proof it is."`
	Title    string     `yaml:"title,required" text:"name" doc:"The proof in words."`
	Issuer   string     `yaml:"issuer" text:"name" doc:"Who vouches for it."`
	URL      webAddress `yaml:"url" doc:"Where it can be read."`
	Date     date       `yaml:"date" doc:"When it was given."`
	Public   bool       `yaml:"public,required" doc:"Only true is rendered."`
	Evidence anything   `yaml:"evidence" doc:"The operator's evidence, in any form. Never rendered, never indexed."`
}

type versionFile struct {
	Version      label             `yaml:"version,required" doc:"Number of this version of the identity."`
	Name         string            `yaml:"name,required" text:"name" doc:"The company's name."`
	LegalName    string            `yaml:"legalName" text:"name" doc:"Its registered name."`
	Tagline      string            `yaml:"tagline" text:"name" doc:"What it does, in half a line."`
	Summary      string            `yaml:"summary" doc:"What it does, in a sentence or two."`
	Website      webAddress        `yaml:"website" doc:"Its own website."`
	Founded      year              `yaml:"founded" doc:"Year in which it was founded."`
	Employees    headcount         `yaml:"employees" doc:"How many people work there: a number, or a range such as 11-50."`
	Headquarters *headquartersFile `yaml:"headquarters" doc:"Where its head office is."`
	Logo         image             `yaml:"logo" doc:"Its logo: a file beside this one, as in media/acme.svg, or a web address."`
	Languages    []tongue          `yaml:"languages" doc:"Languages spoken with customers, as BCP 47 tags."`
	Links        []linkFile        `yaml:"links" doc:"Other pages of the company."`
}

type sellerFile struct {
	OfficialDomain  official      `yaml:"officialDomain,usual" doc:"The company's own domain: whoever receives mail there may claim or remove the profile. Without it nobody can by mail."`
	DomainProof     string        `yaml:"domainProof" enum:"declared derived" doc:"Where the officialDomain comes from: derived by an import from the website, or declared. Never public. Default: declared."`
	Versions        []versionFile `yaml:"versions,required" doc:"The company's identity, one entry for each version of it; only the selected one is public."`
	SelectedVersion label         `yaml:"selectedVersion" doc:"Which version is shown. Default: the highest."`
	ID              placed        `yaml:"id" doc:"The canonical id, which survives a change of slug. Default: the slug."`
	FormerDomains   []domain      `yaml:"formerDomains" doc:"Domains that the company had before."`
	Replaces        string        `yaml:"replaces" enum:"removed" doc:"Declares that this is a different company from the removed one that had this slug before. It needs an id and an officialDomain of its own."`
	Categories      []rooted      `yaml:"categories" doc:"Where the company belongs, as in product/robots."`
	Contact         *contactFile  `yaml:"contact" doc:"How to reach the company; public."`
	Details         []detailFile  `yaml:"details" doc:"Further facts, in the order in which they are shown."`
	Proof           []proofFile   `yaml:"proof" doc:"Evidence for what the company says."`
	Related         []relation    `yaml:"related" doc:"References to what belongs with it, or mappings of ref and rel, which says how."`
	Keywords        []string      `yaml:"keywords" doc:"Words that searches should find what it offers by, where no listing has them itself."`
	shared
}

type priceFile struct {
	Amount   amount `yaml:"amount,required" doc:"A decimal number, as in 1290.50; its digits are kept as they are written."`
	Currency money  `yaml:"currency,required" doc:"ISO 4217, as in EUR."`
	Unit     string `yaml:"unit" doc:"What the price is for, as in hour."`
	From     bool   `yaml:"from" doc:"true if it is the lowest of several."`
	List     amount `yaml:"list" doc:"The price before a reduction, above amount."`
}

type variantFile struct {
	Name         string     `yaml:"name,required" text:"name" doc:"What distinguishes it from the others."`
	SKU          placed     `yaml:"sku" doc:"The seller's article number."`
	GTIN         tradeItem  `yaml:"gtin" doc:"The number under its bar code."`
	Attributes   attributes `yaml:"attributes" doc:"Properties of this variant, like those of the product."`
	Price        *priceFile `yaml:"price" doc:"Default: the product's."`
	Availability string     `yaml:"availability" enum:"inStock outOfStock preOrder onRequest discontinued" doc:"Whether it can be had. Default: the product's."`
	Image        *mediaFile `yaml:"image" doc:"A picture of this variant."`
}

type attachmentFile struct {
	File     attachment `yaml:"file,required" doc:"A PDF beside this file, as in media/arm.pdf, of at most 20 MB; published as it is."`
	Label    string     `yaml:"label,required" text:"name" doc:"What it is, as in Data sheet."`
	Language tongue     `yaml:"language" doc:"Its language, a BCP 47 tag."`
}

type mediaFile struct {
	File image      `yaml:"file" doc:"A picture beside this file, as in media/arm.svg."`
	URL  webAddress `yaml:"url" doc:"Or the web address of a picture."`
	Alt  string     `yaml:"alt" doc:"The picture in words, for those who cannot see it. Required."`

	at catalog.Position
}

// offerFile has the fields that Products and Services share.
type offerFile struct {
	Name       string           `yaml:"name,required" text:"name" doc:"Its name."`
	Summary    string           `yaml:"summary" doc:"What it is, in a sentence or two."`
	Categories []categorySlug   `yaml:"categories,required" doc:"Slugs of categories under the root of its kind."`
	Price      *priceFile       `yaml:"price" doc:"What it costs."`
	Attributes attributes       `yaml:"attributes" doc:"Names with text, a number, true or false, {value, unit}, or a list of texts; shown in this order."`
	Media      []mediaFile      `yaml:"media" doc:"Pictures; the first file is shown on its card."`
	Website    webAddress       `yaml:"website" doc:"Its own page at the seller's, where its page leads. Default: the seller's website."`
	Links      []linkFile       `yaml:"links" doc:"Other pages about it."`
	Files      []attachmentFile `yaml:"files" most:"20" doc:"PDFs to read or to print, at most 20, such as a data sheet."`
	Proof      []proofFile      `yaml:"proof" doc:"Evidence for what is said of it."`
	Keywords   []string         `yaml:"keywords" doc:"Words that searches should find it by."`
	Related    []relation       `yaml:"related" doc:"References to what belongs with it, or mappings of ref and rel, which says how."`
	shared
}

type productFile struct {
	SKU          placed        `yaml:"sku" doc:"The seller's article number; a search for it finds this product."`
	GTIN         tradeItem     `yaml:"gtin" doc:"The number under its bar code (EAN, UPC, ISBN): 8, 12, 13 or 14 digits; a search for it finds this product."`
	Availability string        `yaml:"availability" enum:"inStock outOfStock preOrder onRequest discontinued" doc:"Whether it can be had."`
	Variants     []variantFile `yaml:"variants" doc:"The forms in which it is sold."`
	offerFile
}

type serviceFile struct {
	Delivery string   `yaml:"delivery" enum:"remote onsite hybrid" doc:"Where the work is done."`
	Regions  []string `yaml:"regions" doc:"Where it is offered, as text, or as codes such as DE, which pages show as the names of countries."`
	offerFile
}

type categoryFile struct {
	Name           string       `yaml:"name,required" text:"name" doc:"Its name."`
	Summary        string       `yaml:"summary" doc:"What is found in it."`
	Parent         categorySlug `yaml:"parent" doc:"Slug of the category above, under the same root. Default: the top."`
	Synonyms       []string     `yaml:"synonyms" text:"name" doc:"Other words for it; searched and suggested."`
	Order          *int         `yaml:"order" doc:"Position among its siblings; categories without one come last."`
	Related        []relation   `yaml:"related" doc:"References to what belongs with it, or mappings of ref and rel, which says how."`
	Pins           []pin        `yaml:"pins" doc:"References of products or services in it that come first in search where the category is chosen, in this order."`
	CardAttributes []string     `yaml:"cardAttributes" most:"3" text:"name" doc:"Names of attributes, at most 3, that the cards of its listings show; of a listing in several categories, its first one says."`
	shared
}

type articleFile struct {
	Title     string      `yaml:"title,required" text:"name" doc:"The headline."`
	Summary   string      `yaml:"summary" doc:"What it says, in a sentence or two."`
	Authors   []string    `yaml:"authors" text:"name" doc:"Who wrote it."`
	Related   []relation  `yaml:"related" doc:"References to what belongs with it, besides what the text links to, or mappings of ref and rel, which says how."`
	Media     []mediaFile `yaml:"media" doc:"Pictures of the article."`
	Editorial anything    `yaml:"editorial" doc:"Notes of the editors, in any form. Never rendered, never indexed."`
	shared
}

type pageFile struct {
	Title   string `yaml:"title,required" text:"name" doc:"The headline."`
	Summary string `yaml:"summary" doc:"What it says, in a sentence or two; for search engines and previews."`
	Menu    string `yaml:"menu" text:"name" doc:"Its label in the footer of every page. Default: it is not there."`
	Order   *int   `yaml:"order" doc:"Position in the footer; pages without one come last, by address."`
	shared
}

type entryFile struct {
	Ref  reference `yaml:"ref,required" doc:"A Seller, Product or Service."`
	Note string    `yaml:"note" doc:"A remark beside it."`
}

type relationFile struct {
	Ref reference `yaml:"ref,required" doc:"What it belongs with."`
	Rel string    `yaml:"rel" enum:"related worksWith alternativeTo requires partOf successorOf serviceFor" doc:"How. Default: related."`
}

type segmentFile struct {
	Name     string  `yaml:"name,required" text:"name" doc:"The name of the segment."`
	Summary  string  `yaml:"summary" doc:"What belongs in it."`
	Category rooted  `yaml:"category" doc:"The category that it corresponds to, as in product/robots."`
	Entries  []entry `yaml:"entries,present" doc:"References, or mappings of ref and note, in the order in which they are shown."`
}

type marketMapFile struct {
	Title    string        `yaml:"title,required" text:"name" doc:"The headline."`
	Summary  string        `yaml:"summary" doc:"What the map shows."`
	Segments []segmentFile `yaml:"segments,required" doc:"The groups of the map."`
	Related  []relation    `yaml:"related" doc:"References to what belongs with it, or mappings of ref and rel, which says how."`
	shared
}
