package document

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// The groups of endpoints, in the order of the description.
const (
	tagMarketplace   = "Marketplace"
	tagCompanies     = "Companies"
	tagOffers        = "Products and services"
	tagCategories    = "Categories"
	tagEditorial     = "Articles and market maps"
	tagCategoryLists = "Lists of categories"
	tagSearch        = "Search"
	tagCompanySearch = "Search of companies"
	tagCompare       = "Comparison"
	tagSuggest       = "Suggestions"
	tagVerification  = "Claims and removals"
	tagBulk          = "Snapshot"
	tagService       = "Service"
)

// endpointTags describes each group, and names the slug of the part of the description about
// it.
var endpointTags = []struct{ name, slug, description string }{
	{tagMarketplace, "marketplace", "The marketplace itself, its counts, and Links to its lists."},
	{tagCompanies, "companies", "Seller Profiles, and lists of each company's products and services."},
	{tagOffers, "products-and-services", "Products and services in full detail."},
	{tagCategories, "categories", "The category trees of products and of services, and their contents."},
	{tagCategoryLists, "lists-of-categories", "Further pages of a category's listings and companies."},
	{tagEditorial, "articles-and-market-maps", "Articles, and maps that group companies, products and services into segments."},
	{tagSearch, "search", "Full-text search of products and services, with exact counts. Needs a running server."},
	{tagCompanySearch, "search-of-companies", "Full-text search of companies, with exact counts. Needs a running server."},
	{tagCompare, "comparison", "Listings side by side, attribute by attribute. Needs a running server."},
	{tagSuggest, "suggestions", "Completions of a search while it is typed. Needs a running server."},
	{tagVerification, "claims-and-removals", "People at a company can claim its profile or remove it by proving that they read mail at its official domain. Needs a running server."},
	{tagBulk, "snapshot", "All documents in a few files. To keep a copy up to date, compare manifests and fetch only the files that changed."},
	{tagService, "service", "The state of the service and the descriptions of this API."},
}

// The forms of slugs, and of categories in search parameters.
const (
	SlugPattern     = "^[a-z0-9]+(-[a-z0-9]+)*$"
	CategoryPattern = "^(product|service)/[a-z0-9]+(-[a-z0-9]+)*$"
)

func slugParam(name, description, example string) Param {
	return Param{
		Name: name, In: InPath, Description: description, Required: true,
		Type: TypeString, Pattern: SlugPattern, Min: 1, Max: 80, Example: example,
	}
}

var (
	companySlugParam  = slugParam("companySlug", "The company, by the `companySlug` of a Link.", "a-company")
	productSlugParam  = slugParam("slug", "The product, by its `slug`.", "arm-7")
	serviceSlugParam  = slugParam("slug", "The service, by its `slug`.", "installation")
	articleSlugParam  = slugParam("slug", "The article, by its `slug`.", "ten-arms-compared")
	mapSlugParam      = slugParam("slug", "The market map, by its `slug`.", "warehouse-robots")
	categorySlugParam = slugParam("categorySlug", "The category, by its `slug`.", "robots")

	rootKindParam = Param{
		Name: "rootKind", In: InPath, Description: "The category's root.", Required: true,
		Type: TypeString, Enum: []string{"product", "service"}, Example: "product",
	}
	snapshotKindParam = Param{
		Name: "kind", In: InPath, Description: "The kind of the documents.", Required: true,
		Type: TypeString, Enum: []string{"seller", "product", "service", "category", "article", "marketMap"}, Example: "seller",
	}
	shardParam = Param{
		Name: "shard", In: InPath, Description: "The first bits of the digests of its documents, or `all` if the kind has only one shard. Take paths from the manifest; do not build them.",
		Required: true, Type: TypeString, Pattern: "^(all|[01]{1,64})$", Example: "all",
	}
	pageParam = Param{
		Name: "id", In: InPath, Description: "The page. Follow `next`; do not build addresses: they change when lists do, and a former one answers 404.",
		Required: true, Type: TypeString, Pattern: "^" + pageIDPattern + "$", Example: "0f3a9c5be27d416885d0c1f2a7b3e946",
	}
)

// Endpoints returns every address of the API, in the order of the description.
func Endpoints() []Endpoint {
	return slices.Concat(marketplaceEndpoints(), companyEndpoints(), categoryEndpoints(), editorialEndpoints(), []Endpoint{searchEndpoint(), companiesEndpoint(), compareEndpoint(), suggestEndpoint()}, verifyEndpoints(), snapshotEndpoints(), serviceEndpoints())
}

// documentEndpoint returns the Endpoint of a static document.
func documentEndpoint(id, path, summary string, response any, params ...Param) Endpoint {
	return Endpoint{
		ID: id, Method: http.MethodGet, Path: path, Summary: summary, Params: params,
		Status: http.StatusOK, Response: response,
		Answers: []Answer{{
			Status:      http.StatusNotModified,
			Description: "The document has not changed: its `ETag` is the one in `If-None-Match`.",
		}},
		Problems: []string{CodeMethodNotAllowed},
		Cache:    CacheFor(endpointFile(path)), Static: true,
	}
}

// endpointFile returns the file of an address: the address plus .json, unless the address
// already names a file.
func endpointFile(path string) string {
	if IsLines(path) {
		return base + strings.TrimPrefix(path, "/")
	}
	return base + strings.TrimSuffix(strings.TrimPrefix(path, "/"), ".json") + ".json"
}

// described sets the group and the description.
func (e Endpoint) described(tag, description string) Endpoint {
	e.Tag, e.Description = tag, description
	return e
}

// failing adds the codes of Problems.
func (e Endpoint) failing(codes ...string) Endpoint {
	e.Problems = slices.Concat(codes, e.Problems)
	return e
}

func marketplaceEndpoints() []Endpoint {
	const companies = "/marketplace/companies"
	return []Endpoint{
		documentEndpoint("getMarketplace", "/marketplace", "The marketplace itself, with its counts and its lists", Marketplace{}).
			described(tagMarketplace, "Its name and language, the number of public items of each kind, and Links to the lists and category roots: a good place to start."),
		documentEndpoint("listCompanies", companies, "The companies, by name", SellerList{}).
			described(tagCompanies, "The first page of the list of all companies."),
		documentEndpoint("listCompaniesPage", companies+"/pages/{id}", "A further page of the companies", SellerPageDocument{}, pageParam).
			described(tagCompanies, "Exists only if there are more than 100 companies.").failing(CodeNotFound),
	}
}

func companyEndpoints() []Endpoint {
	const company = "/marketplace/companies/{companySlug}"
	all := []Endpoint{
		documentEndpoint("getCompany", company, "A Seller Profile, with its products and services", Seller{}, companySlugParam).
			described(tagCompanies, "The company's identity, the first pages of its products and services, its proof, and related items."),
		documentEndpoint("getProduct", company+"/products/{slug}", "A product", Product{}, companySlugParam, productSlugParam).
			described(tagOffers, "Everything about one product, including its variants."),
		documentEndpoint("getService", company+"/services/{slug}", "A service", Service{}, companySlugParam, serviceSlugParam).
			described(tagOffers, "Everything about one service."),
		documentEndpoint("getCompanyProductsPage", company+"/products/pages/{id}", "A further page of a company's products", ListingPageDocument{}, companySlugParam, pageParam).
			described(tagCompanies, "Exists only for a company with more than 100 products. The first page is `products` of the Seller Profile."),
		documentEndpoint("getCompanyServicesPage", company+"/services/pages/{id}", "A further page of a company's services", ListingPageDocument{}, companySlugParam, pageParam).
			described(tagCompanies, "Exists only for a company with more than 100 services. The first page is `services` of the Seller Profile."),
	}
	for i := range all {
		all[i] = all[i].failing(CodeNotFound, CodeRemoved)
	}
	return all
}

func categoryEndpoints() []Endpoint {
	const category = "/marketplace/categories/{rootKind}/{categorySlug}"
	all := []Endpoint{
		documentEndpoint("getCategoryRoot", "/marketplace/category-roots/{rootKind}", "The tree of all product or all service categories", CategoryRoot{}, rootKindParam).
			described(tagCategories, "The whole tree under one root, with the number of listings and companies in each category: a good place to start."),
		documentEndpoint("getCategoryPage", "/marketplace/categories/{categorySlug}", "The categories with a slug", CategoryPage{}, categorySlugParam).
			described(tagCategories, "A slug can belong to a category of products, to one of services, or to both. This document links to each of them."),
		documentEndpoint("getCategory", category, "A category, with its listings and companies", Category{}, rootKindParam, categorySlugParam).
			described(tagCategories, "The category's place in the tree, and the first pages of its listings (including its descendants' listings) and of its companies."),
		documentEndpoint("getCategoryListingsPage", category+"/pages/{id}", "A further page of a category's listings", ListingPageDocument{}, rootKindParam, categorySlugParam, pageParam).
			described(tagCategoryLists, "Exists only for a category with more than 100 listings. The first page is `listings` of the category."),
		documentEndpoint("getCategoryCompaniesPage", category+"/companies/pages/{id}", "A further page of a category's companies", SellerPageDocument{}, rootKindParam, categorySlugParam, pageParam).
			described(tagCategoryLists, "Exists only for a category with more than 100 companies. The first page is `companies` of the category."),
	}
	for i := range all {
		all[i] = all[i].failing(CodeNotFound)
	}
	return all
}

func editorialEndpoints() []Endpoint {
	const articles, maps = "/marketplace/articles", "/marketplace/market-maps"
	return []Endpoint{
		documentEndpoint("listArticles", articles, "The articles, newest first", SummaryList{}).
			described(tagEditorial, "The first page of the list of all articles."),
		documentEndpoint("listArticlesPage", articles+"/pages/{id}", "A further page of the articles", SummaryPageDocument{}, pageParam).
			described(tagEditorial, "Exists only if there are more than 100 articles.").failing(CodeNotFound),
		documentEndpoint("getArticle", articles+"/{slug}", "An article, with its Markdown", Article{}, articleSlugParam).
			described(tagEditorial, "The author's Markdown, with References and pictures replaced by canonical URLs. Mentions of items that are not public are plain text.").failing(CodeNotFound),
		documentEndpoint("listMarketMaps", maps, "The market maps, newest first", SummaryList{}).
			described(tagEditorial, "The first page of the list of all market maps."),
		documentEndpoint("listMarketMapsPage", maps+"/pages/{id}", "A further page of the market maps", SummaryPageDocument{}, pageParam).
			described(tagEditorial, "Exists only if there are more than 100 market maps.").failing(CodeNotFound),
		documentEndpoint("getMarketMap", maps+"/{slug}", "A market map, with its segments", MarketMap{}, mapSlugParam).
			described(tagEditorial, "Companies, products and services, grouped into segments in the author's order.").failing(CodeNotFound),
	}
}

func serviceEndpoints() []Endpoint {
	release := documentEndpoint("getRelease", "/release.json", "The release that is served", Release{}).
		described(tagService, "Its `id` changes if and only if a document changes, so one small request shows whether anything is new.")
	openAPI := documentEndpoint("getOpenAPI", "/openapi.json", "The OpenAPI description of this API", json.RawMessage(nil)).
		described(tagService, "The complete description in one document. `x-parts` lists smaller documents about each group.")
	openAPI.Relation = "service-desc"
	part := documentEndpoint("getOpenAPIPart", "/openapi/{tag}.json", "The OpenAPI description of one group of addresses", json.RawMessage(nil), Param{
		Name: "tag", In: InPath, Description: "The group.", Required: true, Type: TypeString, Enum: PartSlugs(), Example: "companies",
	}).described(tagService, "A complete OpenAPI document of at most 25 KB with the schemas that the group needs, but without headers and the answers 304 and 405.").
		failing(CodeNotFound)
	health := Endpoint{
		ID: "getHealth", Method: http.MethodGet, Path: "/health", Summary: "Whether the service is up",
		Description: "A running server also reports its version, its release and the state of each of its parts. A static host only reports `ok`.",
		Tag:         tagService, Status: http.StatusOK, Response: Health{},
		Answers: []Answer{{
			Status: http.StatusServiceUnavailable, Body: Health{},
			Description: "A part of the service is down; `checks` says which. Documents may still be served.",
		}},
		Problems: []string{CodeMethodNotAllowed},
		Cache:    CacheFor(HealthFile), Relation: "status", Static: true, Dynamic: true,
	}
	return []Endpoint{health, release, openAPI, part}
}

func snapshotEndpoints() []Endpoint {
	const about = "The file is gzip-compressed JSON Lines, served as `application/gzip` without `Content-Encoding`. It may consist of several gzip members (RFC 1952, section 2.2), which gzip readers concatenate."
	lines := func(id, path, summary, description string, params ...Param) Endpoint {
		e := documentEndpoint(id, path, summary, nil, params...).described(tagBulk, description+" "+about)
		e.MediaType = gzipType
		return e
	}
	return []Endpoint{
		lines("getSnapshotManifest", "/snapshot/manifest"+linesSuffix, "The shards of the snapshot",
			"One line per shard, `{path, sha256, bytes, kind, items}`: `path` is relative to the API, `sha256` (hexadecimal) and `bytes` describe the file as it is served, `kind` is the kind of its documents and `items` is their number. "+
				"To update a copy, fetch only the shards that differ between two manifests. If a shard does not match its line, the manifest is out of date.").
			failing(CodeNotFound),
		lines("getSnapshotShard", "/snapshot/{kind}/{shard}"+linesSuffix, "A shard of the snapshot",
			"One public document per line, as at its `apiUrl`, except that lists (`products`, `services`, `listings`, `companies`) contain only `total`. "+
				"The digest of a document's address determines its shard. A shard of more than 500 lines is split in two by one more bit.",
			snapshotKindParam, shardParam).
			failing(CodeNotFound),
	}
}
