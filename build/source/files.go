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
	Aliases     []reference `yaml:"aliases" most:"100" doc:"Former References, at most 100, whose addresses still lead here; those of a seller also apply to its products and services."`
	Private     anything    `yaml:"private" doc:"The operator's notes, in any form. Never rendered or indexed."`
}

type marketplaceFile struct {
	Name         string       `yaml:"name,required" text:"name" doc:"The name of the marketplace."`
	SiteURL      site         `yaml:"siteUrl,required" doc:"The address of its pages, without a trailing slash, such as https://market.example."`
	APIURL       site         `yaml:"apiUrl" doc:"The address of its API, ending in /api/v1. Default: siteUrl plus /api/v1."`
	Description  passage      `yaml:"description" doc:"What the marketplace offers, in a sentence or two of Markdown. Alternatively, the text below the front matter of marketplace.md."`
	Language     tongue       `yaml:"language" doc:"The language of the content and the pages, a BCP 47 tag. Default: en."`
	ContactEmail mailbox      `yaml:"contactEmail" doc:"Address for visitors; mails about claims and removals are sent from it."`
	Featured     []reference  `yaml:"featured" most:"12" doc:"References of sellers, products, services, articles or market maps that the home page shows first; at most 12."`
	Claims       string       `yaml:"claims" enum:"on off" doc:"Whether companies may claim their profiles. Default: on."`
	Join         joinAddress  `yaml:"join" doc:"Where companies ask to be listed: a web address, a mailto: address, or the path of a page in site/, such as /join."`
	Theme        *themeFields `yaml:"theme" doc:"Colours, font and logo of the pages. Templates and style sheets belong in the folder theme."`
	shared
}

type themeFields struct {
	Accent     colour            `yaml:"accent" doc:"The colour of links and buttons in hexadecimal, such as #0b5c4a."`
	AccentDark colour            `yaml:"accentDark" doc:"The same in dark mode. Default: accent, lightened as needed."`
	Font       positionedAddress `yaml:"font" doc:"A stack of system fonts (system, humanist, geometric, grotesque, rounded, serif, oldstyle, slab, typewriter), or a .woff2 file in theme/."`
	Logo       positionedAddress `yaml:"logo" doc:"The market's logo, a picture in theme/, such as theme/sign.svg. Default: theme/logo.svg, .png, .jpg or .webp, if it exists."`
}

type headquartersFile struct {
	City    string  `yaml:"city" text:"name" doc:"The town."`
	Region  string  `yaml:"region" text:"name" doc:"The state, province or canton."`
	Country country `yaml:"country" doc:"ISO 3166-1 alpha-2 code, such as DE."`
}

type contactFile struct {
	Email     mailbox      `yaml:"email" doc:"Its email address for inquiries."`
	Telephone telephone    `yaml:"telephone" doc:"Its telephone number with country code, such as +49 711 123456."`
	URL       webAddress   `yaml:"url" doc:"Its contact page."`
	Address   *addressFile `yaml:"address" doc:"Its postal address."`
}

type addressFile struct {
	Street     string  `yaml:"street" text:"name" doc:"Street and number."`
	PostalCode label   `yaml:"postalCode" doc:"The postal code."`
	City       string  `yaml:"city" text:"name" doc:"The town."`
	Region     string  `yaml:"region" text:"name" doc:"The state, province or canton."`
	Country    country `yaml:"country" doc:"ISO 3166-1 alpha-2 code, such as DE."`
}

type linkFile struct {
	Label string     `yaml:"label,required" text:"name" doc:"The text of the link."`
	URL   webAddress `yaml:"url,required" doc:"The link's target."`
}

type detailFile struct {
	Label string `yaml:"label,required" text:"name" doc:"The name of the detail, such as Member since."`
	Value string `yaml:"value,required" doc:"The detail itself, as text."`
}

type proofFile struct {
	Kind     string     `yaml:"kind,required" enum:"certification award customer caseStudy review publication" doc:"The kind of proof."`
	Title    string     `yaml:"title,required" text:"name" doc:"A title of the proof."`
	Issuer   string     `yaml:"issuer" text:"name" doc:"Who vouches for it."`
	URL      webAddress `yaml:"url" doc:"Its address on the web."`
	Date     date       `yaml:"date" doc:"When it was issued."`
	Public   bool       `yaml:"public,required" doc:"Whether it is shown."`
	Evidence anything   `yaml:"evidence" doc:"The operator's evidence, in any form. Never rendered or indexed."`
}

type versionFile struct {
	Version      label             `yaml:"version,required" doc:"The number of this version of the identity."`
	Name         string            `yaml:"name,required" text:"name" doc:"The company's name."`
	LegalName    string            `yaml:"legalName" text:"name" doc:"Its registered name."`
	Tagline      string            `yaml:"tagline" text:"name" doc:"A short description, in half a line."`
	Summary      string            `yaml:"summary" doc:"A description in a sentence or two."`
	Website      webAddress        `yaml:"website" doc:"Its own website."`
	Founded      year              `yaml:"founded" doc:"Year in which it was founded."`
	Employees    headcount         `yaml:"employees" doc:"The number of employees, or a range such as 11-50."`
	Headquarters *headquartersFile `yaml:"headquarters" doc:"The location of its head office."`
	Logo         image             `yaml:"logo" doc:"Its logo: a path relative to this file, such as media/acme.svg, or a web address."`
	Languages    []tongue          `yaml:"languages" doc:"Languages spoken with customers, as BCP 47 tags."`
	Links        []linkFile        `yaml:"links" doc:"Other pages of the company."`
}

type sellerFile struct {
	OfficialDomain  official      `yaml:"officialDomain,usual" doc:"The company's own domain. Anyone who receives mail there can claim or remove the profile; without it, nobody can by mail."`
	DomainProof     string        `yaml:"domainProof" enum:"declared derived" doc:"The source of officialDomain: derived from the website by an import, or declared. Never public. Default: declared."`
	Versions        []versionFile `yaml:"versions,required" doc:"The versions of the company's identity; only the selected one is public."`
	SelectedVersion label         `yaml:"selectedVersion" doc:"The version to show. Default: the highest."`
	ID              positioned    `yaml:"id" doc:"The canonical id, which stays the same if the slug changes. Default: the slug."`
	FormerDomains   []domain      `yaml:"formerDomains" doc:"The company's former domains."`
	Replaces        string        `yaml:"replaces" enum:"removed" doc:"Declares that this is not the removed company that had this slug before. Requires a new id and officialDomain."`
	Categories      []rooted      `yaml:"categories" doc:"The company's categories, such as product/robots."`
	Contact         *contactFile  `yaml:"contact" doc:"How to reach the company; public."`
	Details         []detailFile  `yaml:"details" doc:"Further facts, in display order."`
	Proof           []proofFile   `yaml:"proof" doc:"Evidence for claims about the company."`
	Related         []relation    `yaml:"related" doc:"References to related items, or mappings of ref and rel (the kind of relation)."`
	Keywords        []string      `yaml:"keywords" doc:"Words that should find the company's products and services, if no listing contains them."`
	shared
}

type priceFile struct {
	Amount   amount `yaml:"amount,required" doc:"A decimal number, such as 1290.50; all digits are kept."`
	Currency money  `yaml:"currency,required" doc:"ISO 4217 code, such as EUR."`
	Unit     string `yaml:"unit" doc:"What the price is for, such as hour."`
	From     bool   `yaml:"from" doc:"true if it is the lowest of several."`
	List     amount `yaml:"list" doc:"The price before a reduction; higher than amount."`
}

type variantFile struct {
	Name         string     `yaml:"name,required" text:"name" doc:"The property that distinguishes it from the other variants."`
	SKU          positioned `yaml:"sku" doc:"The seller's article number."`
	GTIN         tradeItem  `yaml:"gtin" doc:"The number under its bar code."`
	Attributes   attributes `yaml:"attributes" doc:"Properties of this variant, like those of the product."`
	Price        *priceFile `yaml:"price" doc:"Default: the product's."`
	Availability string     `yaml:"availability" enum:"inStock outOfStock preOrder onRequest discontinued" doc:"Its availability. Default: the product's."`
	Image        *mediaFile `yaml:"image" doc:"A picture of this variant."`
}

type attachmentFile struct {
	File     attachment `yaml:"file,required" doc:"A PDF of at most 20 MB, by its path relative to this file, such as media/arm.pdf; published unchanged."`
	Label    string     `yaml:"label,required" text:"name" doc:"A name for the file, such as Data sheet."`
	Language tongue     `yaml:"language" doc:"Its language, a BCP 47 tag."`
}

type mediaFile struct {
	File image      `yaml:"file" doc:"The picture's path relative to this file, such as media/arm.svg."`
	URL  webAddress `yaml:"url" doc:"Alternatively, the picture's web address."`
	Alt  string     `yaml:"alt" doc:"A description of the picture for people who cannot see it. Required."`

	at catalog.Position
}

// offerFile has the fields that Products and Services share.
type offerFile struct {
	Name       string           `yaml:"name,required" text:"name" doc:"Its name."`
	Summary    string           `yaml:"summary" doc:"A description in a sentence or two."`
	Categories []categorySlug   `yaml:"categories,required" doc:"Slugs of categories under the root of its kind."`
	Price      *priceFile       `yaml:"price" doc:"Its price."`
	Attributes attributes       `yaml:"attributes" doc:"Names with their values: text, a number, true or false, {value, unit}, or a list of texts. Shown in this order."`
	Media      []mediaFile      `yaml:"media" doc:"Pictures; the first file is shown on its card."`
	Website    webAddress       `yaml:"website" doc:"Its page on the seller's website, which its page here links to. Default: the seller's website."`
	Links      []linkFile       `yaml:"links" doc:"Other pages about it."`
	Files      []attachmentFile `yaml:"files" most:"20" doc:"PDFs such as data sheets; at most 20."`
	Proof      []proofFile      `yaml:"proof" doc:"Evidence for claims about it."`
	Keywords   []string         `yaml:"keywords" doc:"Words that searches should find it by, besides those of its texts."`
	Related    []relation       `yaml:"related" doc:"References to related items, or mappings of ref and rel (the kind of relation)."`
	shared
}

type productFile struct {
	SKU          positioned    `yaml:"sku" doc:"The seller's article number; a search for it finds this product."`
	GTIN         tradeItem     `yaml:"gtin" doc:"The number under its bar code (EAN, UPC, ISBN): 8, 12, 13 or 14 digits; a search for it finds this product."`
	Availability string        `yaml:"availability" enum:"inStock outOfStock preOrder onRequest discontinued" doc:"Its availability."`
	Variants     []variantFile `yaml:"variants" doc:"Its variants, such as sizes."`
	offerFile
}

type serviceFile struct {
	Delivery string   `yaml:"delivery" enum:"remote onsite hybrid" doc:"Where the work is done."`
	Regions  []string `yaml:"regions" doc:"The regions where it is offered, as text or as country codes such as DE, which pages show as names."`
	offerFile
}

type categoryFile struct {
	Name           string       `yaml:"name,required" text:"name" doc:"Its name."`
	Summary        string       `yaml:"summary" doc:"A summary of its contents."`
	Parent         categorySlug `yaml:"parent" doc:"The slug of its parent category, under the same root. Default: none."`
	Synonyms       []string     `yaml:"synonyms" text:"name" doc:"Other names for it, used in search and suggestions."`
	Order          *int         `yaml:"order" doc:"Position among its siblings; categories without one come last."`
	Related        []relation   `yaml:"related" doc:"References to related items, or mappings of ref and rel (the kind of relation)."`
	Pins           []pin        `yaml:"pins" doc:"References of its products or services that search lists first if the category is selected, in this order."`
	CardAttributes []string     `yaml:"cardAttributes" most:"3" text:"name" doc:"Names of up to 3 attributes that cards of its listings show. If a listing has several categories, the first one decides."`
	shared
}

type articleFile struct {
	Title     string      `yaml:"title,required" text:"name" doc:"The headline."`
	Summary   string      `yaml:"summary" doc:"A summary in a sentence or two."`
	Authors   []string    `yaml:"authors" text:"name" doc:"Who wrote it."`
	Related   []relation  `yaml:"related" doc:"References to related items that the text does not link to, or mappings of ref and rel (the kind of relation)."`
	Media     []mediaFile `yaml:"media" doc:"Pictures of the article."`
	Editorial anything    `yaml:"editorial" doc:"The editors' notes, in any form. Never rendered or indexed."`
	shared
}

type pageFile struct {
	Title   string `yaml:"title,required" text:"name" doc:"The headline."`
	Summary string `yaml:"summary" doc:"A summary in a sentence or two, for search engines and previews."`
	Menu    string `yaml:"menu" text:"name" doc:"Its label in the footer of every page. Default: no link in the footer."`
	Order   *int   `yaml:"order" doc:"Position in the footer; pages without one come last, by address."`
	shared
}

type entryFile struct {
	Ref  reference `yaml:"ref,required" doc:"A Seller, Product or Service."`
	Note string    `yaml:"note" doc:"The author's note."`
}

type relationFile struct {
	Ref reference `yaml:"ref,required" doc:"The related item."`
	Rel string    `yaml:"rel" enum:"related worksWith alternativeTo requires partOf successorOf serviceFor" doc:"The kind of relation. Default: related."`
}

type segmentFile struct {
	Name     string  `yaml:"name,required" text:"name" doc:"The name of the segment."`
	Summary  string  `yaml:"summary" doc:"A summary of the segment."`
	Category rooted  `yaml:"category" doc:"The corresponding category, such as product/robots."`
	Entries  []entry `yaml:"entries,present" doc:"References, or mappings of ref and note, in display order."`
}

type marketMapFile struct {
	Title    string        `yaml:"title,required" text:"name" doc:"The headline."`
	Summary  string        `yaml:"summary" doc:"A summary of the map."`
	Segments []segmentFile `yaml:"segments,required" doc:"The groups of the map."`
	Related  []relation    `yaml:"related" doc:"References to related items, or mappings of ref and rel (the kind of relation)."`
	shared
}
