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
	{tagMarketplace, "marketplace", "What the marketplace is, how much is in it, and where its lists begin."},
	{tagCompanies, "companies", "Seller Profiles, and the lists of what companies offer."},
	{tagOffers, "products-and-services", "What companies offer, each with everything about it."},
	{tagCategories, "categories", "The two category trees, for products and for services, and what is in them."},
	{tagCategoryLists, "lists-of-categories", "What follows the first page of a category's listings and of its companies."},
	{tagEditorial, "articles-and-market-maps", "What the editors wrote, and the maps that group companies and offers into segments."},
	{tagSearch, "search", "What a text finds, with exact counts. Answered by a server, not by files."},
	{tagCompanySearch, "search-of-companies", "Which companies a text finds, with exact counts. Answered by a server, not by files."},
	{tagCompare, "comparison", "Listings side by side, attribute by attribute. Answered by a server, not by files."},
	{tagSuggest, "suggestions", "How a text that is being typed may go on. Answered by a server, not by files."},
	{tagVerification, "claims-and-removals", "How someone at a company claims its profile, or removes the company, by proving a mailbox on its official domain. Answered by a server, not by files."},
	{tagBulk, "snapshot", "All documents in a few files, for whoever keeps a copy: a mirror fetches what differs between two manifests."},
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
	companySlugParam  = slugParam("companySlug", "The company, as the `companySlug` of a Link names it.", "a-company")
	productSlugParam  = slugParam("slug", "The product, by its `slug`.", "arm-7")
	serviceSlugParam  = slugParam("slug", "The service, by its `slug`.", "installation")
	articleSlugParam  = slugParam("slug", "The article, by its `slug`.", "ten-arms-compared")
	mapSlugParam      = slugParam("slug", "The market map, by its `slug`.", "warehouse-robots")
	categorySlugParam = slugParam("categorySlug", "The category, by its `slug`.", "robots")

	rootKindParam = Param{
		Name: "rootKind", In: InPath, Description: "The root that the category is under.", Required: true,
		Type: TypeString, Enum: []string{"product", "service"}, Example: "product",
	}
	snapshotKindParam = Param{
		Name: "kind", In: InPath, Description: "The kind of its documents.", Required: true,
		Type: TypeString, Enum: []string{"seller", "product", "service", "category", "article", "marketMap"}, Example: "seller",
	}
	shardParam = Param{
		Name: "shard", In: InPath, Description: "The first bits of the digests of its documents, or `all` where the kind has one shard. Take the path from the manifest rather than composing it.",
		Required: true, Type: TypeString, Pattern: "^(all|[01]{1,64})$", Example: "all",
	}
	pageParam = Param{
		Name: "id", In: InPath, Description: "The page. Follow `next` rather than composing the address: a page that another one took in, or that another item begins now, answers 404.",
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
			Description: "The document is still the one whose `ETag` was sent as `If-None-Match`.",
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
			described(tagMarketplace, "Its name, its language, how many of each kind are public now, and Links to the lists and the category roots: a good place to begin."),
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
			described(tagCompanies, "The identity of the company, the first page of its products and that of its services, its proof, and what is related to it."),
		documentEndpoint("getProduct", company+"/products/{slug}", "A product", Product{}, companySlugParam, productSlugParam).
			described(tagOffers, "Everything about one product, with the variants in which it is sold."),
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
			described(tagCategories, "The whole tree under one root, each category with the numbers of its listings and its companies: a good place to begin."),
		documentEndpoint("getCategoryPage", "/marketplace/categories/{categorySlug}", "What a category slug names", CategoryPage{}, categorySlugParam).
			described(tagCategories, "A slug may name a category of products, one of services, or one of each; this document leads to those that there are."),
		documentEndpoint("getCategory", category, "A category, with its listings and companies", Category{}, rootKindParam, categorySlugParam).
			described(tagCategories, "The category's place in the tree, the first page of its listings with those of its descendants, and that of its companies."),
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
			described(tagEditorial, "The author's Markdown, in which References and pictures are canonical URLs. Mentions of what is not public keep their text and lead nowhere.").failing(CodeNotFound),
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
		described(tagService, "Its `id` changes when any document does, and only then: one small request shows whether there is anything new.")
	openAPI := documentEndpoint("getOpenAPI", "/openapi.json", "The OpenAPI description of this API", json.RawMessage(nil)).
		described(tagService, "Everything that can be said of it, in one document. `x-parts` lists its parts, which tell the same in short.")
	openAPI.Relation = "service-desc"
	part := documentEndpoint("getOpenAPIPart", "/openapi/{tag}.json", "The OpenAPI description of one group of addresses", json.RawMessage(nil), Param{
		Name: "tag", In: InPath, Description: "The group.", Required: true, Type: TypeString, Enum: PartSlugs(), Example: "companies",
	}).described(tagService, "A document of its own of at most 25 KB, with the schemas that its addresses reach, without what the whole says of headers, of 304 and of 405.").
		failing(CodeNotFound)
	health := Endpoint{
		ID: "getHealth", Method: http.MethodGet, Path: "/health", Summary: "Whether the service is up",
		Description: "A running service also reports its version, the release that it serves and the state of each of its parts. A static host, which has no parts, says `ok` alone.",
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
	const about = "Sent as `application/gzip`, without `Content-Encoding`: the file is compressed by itself, as lines of JSON. It may have several gzip members (RFC 1952, section 2.2), which every reader of gzip joins."
	lines := func(id, path, summary, description string, params ...Param) Endpoint {
		e := documentEndpoint(id, path, summary, nil, params...).described(tagBulk, description+" "+about)
		e.MediaType = gzipType
		return e
	}
	return []Endpoint{
		lines("getSnapshotManifest", "/snapshot/manifest"+linesSuffix, "The shards of the snapshot",
			"One line a shard, `{path, sha256, bytes, kind, items}`: `path` is relative to the API, `sha256` (hexadecimal) and `bytes` are those of the file as it is sent, `kind` is that of its documents and `items` their number. "+
				"Whoever compares two manifests knows which shards differ and fetches these alone; a shard that is not as its line says belongs to a newer manifest.").
			failing(CodeNotFound),
		lines("getSnapshotShard", "/snapshot/{kind}/{shard}"+linesSuffix, "A shard of the snapshot",
			"One public document a line, as at its `apiUrl`, but that a list (`products`, `services`, `listings`, `companies`) has its `total` alone. "+
				"A document is in the shard that the digest of its address falls into; one of more than 500 lines is split in two by one more bit.",
			snapshotKindParam, shardParam).
			failing(CodeNotFound),
	}
}
