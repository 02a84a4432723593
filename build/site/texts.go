package site

import "fmt"

// text returns a text of the site in the market's language.
func (s *Site) text(key string, arguments ...any) string {
	format, ok := english[key]
	if !ok {
		panic("there is no text " + key) // the tests execute every layout
	}
	if len(arguments) == 0 {
		return format
	}
	return fmt.Sprintf(format, arguments...)
}

var english = map[string]string{
	"search.script": "Here the search needs a script.",
	"skip":          "Skip to the content", "menu": "Main menu", "breadcrumb": "You are here", "pages": "Pages", "page": "Further page",
	"search": "Search", "search.placeholder": "Search products, services, companies", "feed": "Feed", "api": "API",
	"asJSON": "This page as JSON", "asMarkdown": "as Markdown", "nothing": "Nothing is listed here yet.",
	"products": "Products", "services": "Services", "companies": "Companies", "articleList": "Articles", "marketMapList": "Market maps",
	"root.product": "All products, by category.", "root.service": "All services, by category.",
	"facts": "Facts", "categories": "Categories", "website": "Website", "published": "Published", "headquarters": "Headquarters", "legalName": "Registered name", "founded": "Founded", "employees": "People",
	"languages": "Languages", "visit": "Visit", "proof": "Proof", "related": "Related", "attributes": "Facts",
	"variants": "Variants", "variant": "Variant", "sku": "Article number", "price": "Price", "from": "from", "yes": "yes", "no": "no",
	"delivery": "Delivery", "delivery.remote": "remote", "delivery.onsite": "on site", "delivery.hybrid": "remote and on site", "regions": "Regions",
	"previous": "Previous", "next": "Next", "further": "%s, continued", "by": "By", "allIn": "All in",
	"proof.certification": "Certification", "proof.award": "Award", "proof.customer": "Customer", "proof.caseStudy": "Case study",
	"proof.review": "Review", "proof.publication": "Publication",
	"kind.seller": "Company", "kind.product": "Product", "kind.service": "Service", "kind.category": "Category", "kind.article": "Article", "kind.marketMap": "Market map",
	"yours": "Is this your company?", "claim.link": "Claim this profile", "remove.link": "Have it removed",
	"claim.crumb": "Claim", "claim.title": "Claim the profile of %s", "claim.button": "Send me the link",
	"claim.lead": "With a claim you take over how %s is shown here.",
	"claim.who":  "Who may do this", "claim.who.text": "Anyone who can read mail at the official domain of %s.",
	"claim.next": "What happens next", "claim.next.1": "You get a mail with a link that is valid for 24 hours.",
	"claim.next.2": "The link opens a page that asks for the company's domain.", "claim.next.3": "The profile of %s is attached to your workspace.",
	"remove.crumb": "Removal", "remove.title": "Have %s removed", "remove.button": "Send me the link",
	"remove.lead": "After a removal, %s and everything that it offers are shown nowhere on this site any more.",
	"remove.who":  "Who may do this", "remove.who.text": "Anyone who can read mail at the official domain of %s. Nobody needs an account.",
	"remove.next": "What happens next", "remove.next.1": "You get a mail with a link that is valid for 24 hours.",
	"remove.next.2": "The link opens a page that asks for the company's domain. Nothing happens until you press the button there.",
	"remove.next.3": "%s disappears at once: from the pages, the lists, the search and the interface for programs.",
	"missing":       "There is nothing here", "missing.text": "The address may be wrong, or what was here has moved. Search for it, or begin at the beginning.",
	"gone": "This page was removed", "gone.text": "What was here was removed and will not come back. Search for something else, or begin at the beginning.",
	"home":       "To the first page",
	"search.one": "result", "search.many": "results", "search.none": "Nothing was found.", "search.results": "Results",
	"search.try": "Fewer or other words may help, or a category.", "search.away": "The search does not answer at the moment. Try again in a minute.",
	"search.all": "All", "search.more": "More", "search.apply": "Apply", "search.matched": "Found by",
	"filter.kind": "Kind", "filter.category": "Category", "filter.seller": "Company", "filter.country": "Country",
	"form.sent": "A mail with a link is on its way. It is valid for 24 hours.", "form.domain": "This address is not at the company's official domain.",
	"form.invalid": "Please give your name and an e-mail address at the company.", "form.later": "There were too many requests. Try again in an hour.",
	"form.gone": "This company is not listed here any more.", "form.away": "This did not work. Nothing was sent; please try again in a minute.",
	"form.name": "Your name", "form.email": "Your e-mail address at the company", "form.email.hint": "It has to be at the official domain of %s.",
}

// outcomes are what can become of a form, each with a text form.{outcome}.
var outcomes = []string{"sent", "domain", "invalid", "later", "gone", "away"}
