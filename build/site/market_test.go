package site

import (
	"encoding/json"

	"souk/build/document"
)

// linkTo returns a Link as it appears in documents of the Site's market.
func linkTo(of *Site, kind, name, path string) document.Link {
	return document.Link{Kind: kind, Name: name, URL: of.market.SiteURL + path, APIURL: of.market.APIURL + "/marketplace" + path}
}

// aMarket returns a document of each kind of page.
func aMarket(s *Site) map[string]any {
	at, api := s.market.SiteURL, s.market.APIURL+"/marketplace"
	acme, arms := linkTo(s, "seller", "Acme", "/companies/acme"), linkTo(s, "category", "Arms", "/categories/product/arms")
	arms.RootKind = "product"
	robots := linkTo(s, "category", "Robots", "/categories/product/robots")
	price := &document.Price{Amount: "1234.50", Currency: "EUR", Unit: "piece", From: true}
	photo := document.Media{URL: at + "/media/arm.png", Alt: "An arm at a bench", Type: "image/png", Width: 640, Height: 480, Bytes: 1000,
		Renditions: []document.Rendition{{URL: at + "/media/arm-320.png", Width: 320, Height: 240, Bytes: 400}}}
	card := document.Listing{
		Kind: "product", CompanySlug: "acme", Slug: "arm-7", Name: "Arm 7", Summary: "Lifts ten kilograms.", URL: at + "/companies/acme/products/arm-7",
		APIURL: api + "/companies/acme/products/arm-7", Seller: acme, Categories: []document.Link{arms}, Price: price,
		Image: &document.Image{URL: photo.URL, Alt: photo.Alt, Width: 640, Height: 480, Renditions: photo.Renditions},
	}
	summary := document.Summary{
		Kind: "article", Slug: "choosing", Title: "Choosing an arm", Summary: "What to ask first.", URL: at + "/articles/choosing", APIURL: api + "/articles/choosing",
		PublishedAt: "2026-01-31",
	}
	proof := []document.Proof{{Kind: "certification", Title: "ISO 9001", Issuer: "A body", URL: "https://iso.example/9001", Date: "2025-03-01"}}
	related := []document.Link{linkTo(s, "article", "Choosing an arm", "/articles/choosing")}
	visit := []document.Action{{Rel: "visitWebsite", Method: "GET", Href: "https://acme.example/arm-7", Title: "Visit"}}
	product := document.Product{Kind: "product", SKU: "A7", GTIN: "4006381333931"}
	product.Slug, product.CompanySlug, product.Name, product.Summary = card.Slug, card.CompanySlug, card.Name, card.Summary
	product.URL, product.APIURL, product.Seller, product.Categories, product.Price = card.URL, card.APIURL, acme, card.Categories, price
	product.Description = "It lifts.\n\n## Care\n\nSee [the maker](https://acme.example) and [the guide](" + at + "/articles/choosing).\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n"
	product.Media, product.Proof, product.Related, product.Actions = []document.Media{photo}, proof, related, visit
	product.Attributes = []document.Attribute{
		{Name: "Reach", Value: json.Number("1250.5"), Unit: "mm"}, {Name: "Indoors", Value: true}, {Name: "Manual", Value: "https://acme.example/manual.pdf"},
	}
	product.Variants = []document.Variant{
		{Name: "Short", SKU: "A7-S", GTIN: "4006381333948", Attributes: []document.Attribute{{Name: "Reach", Value: json.Number("900"), Unit: "mm"}}, Price: &document.Price{Amount: "1234.50", Currency: "EUR"}},
		{Name: "Long", Attributes: []document.Attribute{{Name: "Colour", Value: "red"}}},
	}
	service := document.Service{Kind: "service", Delivery: "onsite", Regions: []string{"DE", "AT"}}
	service.Name, service.URL, service.APIURL, service.Seller = "Installing", at+"/companies/acme/services/installing", api+"/companies/acme/services/installing", acme
	service.Price = &document.Price{Amount: "90", Currency: "EUR", Unit: "hour"}
	listings := document.ListingPage{Total: 1, Items: []document.Listing{card}}
	counted := document.CountedLink{Link: arms, ListingCount: 1}
	tree := document.CategoryTree{CountedLink: document.CountedLink{Link: robots, ListingCount: 1}, Children: []document.CategoryTree{{CountedLink: counted}}}
	root := document.CategoryRoot{Kind: "categoryRoot", RootKind: "product", Slug: "product", Name: "Products", URL: at + "/categories/product", APIURL: api + "/category-roots/product", Categories: []document.CategoryTree{tree}}
	sellerCard := document.CompanyCard{Kind: "seller", Slug: "acme", Name: "Acme", Tagline: "Arms.", Logo: &photo, URL: acme.URL, APIURL: acme.APIURL}
	home := document.Home{Companies: []document.CompanyCard{sellerCard}, Roots: []document.CategoryRoot{root}, Articles: []document.Summary{summary}}
	home.URL, home.APIURL, home.Counts.Sellers = at+"/", s.market.APIURL+"/marketplace", 1
	home.Description = s.market.Description
	page := api + "/companies/acme/products/pages/p1"
	return map[string]any{
		"home":    home,
		"product": product,
		"service": service,
		"seller": document.Seller{
			Kind: "seller", Slug: "acme", Name: "Acme", LegalName: "Acme GmbH", Tagline: "Arms.", Summary: "Acme makes arms.", URL: acme.URL, APIURL: acme.APIURL,
			Website: "https://www.acme.example/", Founded: 1999, Employees: json.Number("1200"), Headquarters: &document.Headquarters{City: "Berlin", Country: "DE"},
			Logo: &photo, Languages: []string{"de", "en"}, Links: []document.LabelledURL{{Label: "Blog", URL: "https://blog.example"}},
			Description: "We make *arms*.", Categories: []document.Link{arms}, Details: []document.Detail{{Label: "Plant", Value: "Berlin"}}, Proof: proof,
			Products: listings, Related: related, Actions: append([]document.Action{{Rel: "claim"}, {Rel: "requestRemoval"}}, visit...),
		},
		"category": document.Category{
			Kind: "category", RootKind: "product", Slug: "arms", Name: "Arms", Summary: "What grips.", URL: arms.URL, APIURL: arms.APIURL,
			Attributes: []document.AttributeUse{
				{Name: "Reach", Type: "number", Unit: "mm", Min: "420", Max: "1100.5", Count: 2},
				{Name: "Colour", Type: "text", Values: []document.AttributeValue{{Value: "red", Count: 2}, {Value: "sea green", Count: 1}}, Count: 2},
				{Name: "Homepage", Type: "text", Count: 1},
			},
			Parents: []document.Link{robots}, Children: []document.CountedLink{counted}, ListingCount: 1, Listings: listings, CompanyCount: 1, Companies: document.CompanyPage{Total: 1, Items: []document.CompanyCard{sellerCard}},
		},
		"categories": document.CategoryPage{Kind: "categoryPage", Slug: "arms", Name: "Arms", URL: at + "/categories/arms", APIURL: api + "/categories/arms", Types: []document.CountedLink{counted}},
		"root":       root,
		"summaries":  document.SummaryList{Kind: "articleList", Slug: "articles", Title: "Articles", URL: at + "/articles", APIURL: api + "/articles", Total: 1, Items: []document.Summary{summary}},
		"sellers":    document.SellerList{Kind: "sellerList", Slug: "companies", Title: "Companies", URL: at + "/companies", APIURL: api + "/companies", Total: 1, Items: []document.CompanyCard{sellerCard}},
		"article": document.Article{
			Kind: "article", Slug: "choosing", Title: "Choosing an arm", Summary: "What to ask first.", URL: summary.URL, APIURL: summary.APIURL, Authors: []string{"A. Author"},
			Source: "# Ask\n\nSee [Acme](" + acme.URL + ") and [more](https://else.example).\n\n![An arm](" + photo.URL + ")\n", Media: []document.Media{photo}, PublishedAt: "2026-01-31", UpdatedAt: "2026-02-01T10:00:00Z",
		},
		"map": document.MarketMap{
			Kind: "marketMap", Slug: "all", Title: "All of it", Summary: "Who is who.", URL: at + "/market-maps/all", APIURL: api + "/market-maps/all", PublishedAt: "2026-01-01",
			Segments: []document.Segment{{Name: "Makers", Category: &arms, Entries: []document.MapEntry{{Link: acme, Note: "the first", Logo: &photo}}}},
		},
		"listings": document.ListingPageDocument{Kind: "page", Of: acme, APIURL: page, Items: []document.Listing{card}, Previous: acme.APIURL, Next: api + "/companies/acme/products/pages/p2"},
	}
}
