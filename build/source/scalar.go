package source

import (
	"cmp"
	"errors"
	"net/mail"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"go.yaml.in/yaml/v4"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"souk/build/catalog"
	"souk/build/kit/codes"
	"souk/build/kit/problem"
)

// anything is a value that is never read: the operator's private notes.
type anything struct{}

func (*anything) fromNode(*decoder, *yaml.Node) {}

// date is a day, or an RFC 3339 timestamp.
type date catalog.Date

func (v *date) fromNode(d *decoder, n *yaml.Node) {
	read, err := catalog.Date{}, errNoDate
	if n.Kind == yaml.ScalarNode {
		if d.spacious(n.Value, d.at(n)) {
			return
		}
		read, err = ParseDate(n.Value)
	}
	if err != nil {
		d.wrong(n, "write 2026-01-31, or 2026-01-31T09:30:00Z", "%s %v", what(n), err)
	}
	*v = date(read)
}

// The mistakes in a date. RFC 3339 cannot write the year 10000, and a year before 1000 is
// missing a digit.
var (
	errNoDate = errors.New("is not a date")
	errNoYear = errors.New("is not in one of the years 1000 to 9999, in UTC")
)

var moment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(momentPattern) })

// ParseDate parses a day, or an RFC 3339 time, which is in UTC if it has no offset.
func ParseDate(text string) (catalog.Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	day := err == nil
	// time.Parse accepts more: hours of one digit, a comma before the fraction, offsets of a
	// day.
	if !day && moment().MatchString(text) {
		if t, err = time.Parse(time.RFC3339, text); err != nil {
			t, err = time.Parse("2006-01-02T15:04:05", text)
		}
	}
	if err != nil {
		return catalog.Date{}, errNoDate
	}
	_, offset := t.Zone()
	if t = t.UTC(); t.Year() < 1000 || t.Year() > 9999 {
		return catalog.Date{}, errNoYear
	}
	return catalog.Date{Time: t, Day: day, Offset: offset / 60}, nil
}

// webAddress is an absolute http or https URL.
type webAddress string

func (v *webAddress) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	if !IsWebAddress(text) {
		d.wrong(n, "write it in full, as in https://acme.example/", "%q is not a web address", shorten(text))
		return
	}
	if d.checkUser(text, d.at(n)) {
		*v = webAddress(text)
	}
}

// checkUser rejects a web address with a user, whose password would be published.
func (d *decoder) checkUser(address string, at catalog.Position) bool {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return true
	}
	from := strings.Index(address, "//") + 2
	end := from + strings.IndexAny(address[from:]+"/", "/?#")
	host := from + strings.LastIndexByte(address[from:end], '@') + 1
	// More people may read messages than content, so the password is left out.
	d.wrongAt(at, "write "+address[:from]+address[host:], "%q contains a user or password, which would be public", shorten(address[:from]+"…@"+address[host:]))
	return false
}

// IsWebAddress reports whether text is an absolute http or https URL.
func IsWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && hasHost(u) && !strings.ContainsAny(text, " \t\r\n<>\"")
}

// hasHost reports whether a URL has a possible host and port: an IP address, or a name in the
// form browsers accept, with underscores and a trailing dot.
func hasHost(u *url.URL) bool {
	host := u.Hostname()
	if port := u.Port(); port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
	}
	if strings.HasPrefix(u.Host, "[") {
		a, err := netip.ParseAddr(host)
		return err == nil && a.Is6()
	}
	// Invisible characters would be dropped, except joiners in scripts that need them.
	if strings.ContainsFunc(host, func(r rune) bool { return invisible(r) && !isJoiner(r) }) {
		return false
	}
	ascii, ok := toASCII(hostForm(), host)
	_, notAddress := netip.ParseAddr(ascii)
	return ok && (notAddress == nil || !catalog.EndsInNumber(ascii))
}

// hostForm is domainForm for a host that need not be a registered domain.
var hostForm = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.VerifyDNSLength(true))
})

// mailbox is an email address without a display name.
type mailbox positioned

func (v *mailbox) fromNode(d *decoder, n *yaml.Node) {
	(*positionedAddress)(v).fromNode(d, n)
	if v.text == "" {
		return
	}
	if a, err := mail.ParseAddress(v.text); err != nil || a.Address != v.text || !plainMailbox(v.text) {
		d.wrong(n, "write the address alone, as in desk@market.example", "%q is not an e-mail address", shorten(v.text))
		v.text = ""
	}
}

// plainMailbox reports whether an address can appear in a mailto: link without escaping.
func plainMailbox(address string) bool { return !strings.ContainsAny(address, "\"<>()?&#%/ ") }

// telephone is a telephone number as people write it.
type telephone string

var telephoneForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(telephonePattern)
})

func (v *telephone) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	if !telephoneForm().MatchString(text) {
		d.wrong(n, "write digits, with the country's number in front, as in \"+49 711 123456\"", "%q is not a telephone number", shorten(text))
		return
	}
	*v = telephone(text)
}

// joinAddress is where companies ask to be listed.
type joinAddress string

func (v *joinAddress) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	address, isMail := strings.CutPrefix(text, "mailto:")
	_, err := mail.ParseAddress(address)
	switch {
	case isMail && err == nil && plainMailbox(address), strings.HasPrefix(text, "/") && IsWebAddress("https://market.example"+text) && !strings.HasPrefix(text, "//"):
		*v = joinAddress(text)
	case IsWebAddress(text):
		if d.checkUser(text, d.at(n)) {
			*v = joinAddress(text)
		}
	default:
		d.wrong(n, "write a web address, mailto:desk@market.example, or the path of a page such as /join", "%q leads nowhere", shorten(text))
	}
}

// domain is a domain name in lower-case ASCII form (RFC 5891, section 4.4).
type domain string

func (v *domain) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	ascii, ok := asciiDomain(text)
	if !ok {
		d.wrong(n, "write the domain alone, as in acme.example", "%q is not a domain", shorten(text))
		return
	}
	*v = domain(catalog.BareDomain(ascii))
}

// domainForm is the idna.Lookup profile that also rejects labels that are empty or too long
// for DNS.
var domainForm = sync.OnceValue(func() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true), idna.VerifyDNSLength(true))
})

// toASCII converts a name with a profile and removes a trailing dot. The profile accepts at
// most one empty last label.
func toASCII(form *idna.Profile, name string) (string, bool) {
	ascii, err := form.ToASCII(name)
	ascii = strings.TrimSuffix(ascii, ".")
	return ascii, err == nil && ascii != "" && !strings.HasSuffix(ascii, ".")
}

func asciiDomain(text string) (string, bool) {
	ascii, ok := toASCII(domainForm(), text)
	if !ok || !strings.Contains(ascii, ".") {
		return "", false
	}
	if _, err := netip.ParseAddr(ascii); err == nil || catalog.EndsInNumber(ascii) {
		return "", false
	}
	return ascii, true
}

// official is the domain by which a company proves its identity, so strangers must not share
// it.
type official struct {
	name string
	at   catalog.Position
}

func (v *official) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	// A single label is a top-level domain, which asciiDomain rejects.
	if _, ok := asciiDomain(n.Value + ".example"); ok && n.ShortTag() == "!!str" && !strings.Contains(n.Value, ".") {
		d.wrong(n, "use a domain that belongs to the company", "the officialDomain %q is a public suffix", n.Value)
		return
	}
	var name domain
	if name.fromNode(d, n); name == "" {
		return
	}
	v.name = string(name)
	if suffix, _ := publicsuffix.PublicSuffix(v.name); suffix == v.name {
		d.wrong(n, "use a domain that belongs to the company", "the officialDomain %q is a public suffix", v.name)
	}
	if freeMail()[v.name] {
		d.wrong(n, "use a domain that belongs to the company", "the officialDomain %q is a free-mail provider's", v.name)
	}
}

// country is an ISO 3166-1 alpha-2 code.
type country string

func (v *country) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	if !codes.Country(text) {
		meant := "write two capital letters of ISO 3166-1, as in DE"
		if code := codes.CountryMeant(text); code != "" {
			meant = "did you mean \"" + code + "\"?"
		}
		d.wrong(n, meant, "%q is not a country code", shorten(text))
	}
	*v = country(text)
}

// money is an ISO 4217 code.
type money string

func (v *money) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	if !codes.Currency(text) {
		meant := "write three capital letters of ISO 4217, as in EUR"
		if code := codes.CurrencyMeant(text); code != "" {
			meant = "did you mean \"" + code + "\"?"
		}
		d.wrong(n, meant, "%q is not a currency code", shorten(text))
	}
	*v = money(text)
}

// tradeItem is a GTIN, written as text or as a number.
type tradeItem string

func (v *tradeItem) fromNode(d *decoder, n *yaml.Node) {
	code := n.Value
	if tag := n.ShortTag(); tag != "!!int" && tag != "!!float" {
		text, ok := d.word(n)
		if !ok {
			return
		}
		code = text
	}
	if !codes.GTIN(code) {
		d.wrong(n, "write the 8, 12, 13 or 14 digits under the bar code; the last one is computed from the others", "%q is not a GTIN", shorten(code))
	}
	*v = tradeItem(code)
}

// tongue is a language tag (BCP 47).
type tongue string

func (v *tongue) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	if !codes.Language(text) {
		d.wrong(n, "write a tag of BCP 47, as in en or pt-BR", "%q is not a language", shorten(text))
	}
	*v = tongue(text)
}

// amount is a decimal number stored as text, so that no digit is lost, even if it is written
// as a number.
type amount string

func (v *amount) fromNode(d *decoder, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && d.spacious(n.Value, d.at(n)) {
		return
	}
	whole, part, dotted := strings.Cut(n.Value, ".")
	if n.Kind == yaml.ScalarNode && (!digits(whole) || dotted && !digits(part)) {
		d.wrong(n, "write digits, with a point where needed, as in 1290.50", "%q is not an amount", shorten(n.Value))
		return
	}
	if d.padded(n, false) {
		return
	}
	if n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!int" || n.ShortTag() == "!!float") {
		*v = amount(n.Value)
		return
	}
	text, _ := d.text(n)
	*v = amount(text)
}

func (v *priceFile) fromNode(d *decoder, n *yaml.Node) {
	d.decodeStruct(n, reflect.ValueOf(v).Elem(), d.name)
	if v.List != "" && v.Amount != "" && !v.List.above(v.Amount) {
		d.wrong(n, "leave list out, or write the price before the reduction", "the list price %s is not above the amount %s", shorten(string(v.List)), shorten(string(v.Amount)))
	}
}

// above reports whether v is greater than other.
func (v amount) above(other amount) bool {
	whole, part, _ := strings.Cut(strings.TrimLeft(string(v), "0"), ".")
	otherWhole, otherPart, _ := strings.Cut(strings.TrimLeft(string(other), "0"), ".")
	return cmp.Or(cmp.Compare(len(whole), len(otherWhole)), strings.Compare(whole, otherWhole), strings.Compare(strings.TrimRight(part, "0"), strings.TrimRight(otherPart, "0"))) > 0
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// label is text that may be written as a number, such as a version.
type label positioned

func (v *label) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	if d.padded(n, true) {
		return
	}
	if n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!int" || n.ShortTag() == "!!float") {
		v.text = n.Value
		return
	}
	v.text, _ = d.text(n)
	d.checkName(n, d.name, v.text)
}

// headcount is the number of people at a company, as a number or in words.
type headcount positioned

// countRange matches a range of people, as in 11-50.
var countRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]+) ?[-–] ?([0-9]+)$`) })

func (v *headcount) fromNode(d *decoder, n *yaml.Node) {
	(*label)(v).fromNode(d, n)
	text := strings.TrimSpace(v.text)
	between := countRange().FindStringSubmatch(text)
	switch tag := n.ShortTag(); {
	case text == "":
	case between != nil && compareVersions(between[1], between[2]) > 0:
		d.wrong(n, "write "+strconv.Quote(between[2]+"-"+between[1]), "the range %q ends before it begins", text)
	case tag != "!!str" && !digits(text), strings.HasPrefix(text, "-"), strings.HasPrefix(text, "−"):
		d.wrong(n, "write a whole number, or a range such as \"11-50\"", "%q is not a number of people", shorten(text))
	}
}

// year is the year in which a company was founded.
type year struct {
	number int
	at     catalog.Position
}

// firstYear is earlier than any existing company; a year with fewer digits is a typing error.
const firstYear = 500

func (v *year) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	before := len(d.problems)
	d.decode(n, reflect.ValueOf(&v.number).Elem(), field{name: d.name})
	if len(d.problems) == before && v.number < firstYear {
		d.wrong(n, "write all digits of the year, as in 1998", "%s cannot be %d", d.name, v.number)
	}
}

// site is the address of the marketplace's own pages or of its API.
type site positioned

func (v *site) fromNode(d *decoder, n *yaml.Node) {
	var address webAddress
	address.fromNode(d, n)
	v.at, v.text = d.at(n), strings.TrimRight(string(address), "/")
	switch {
	case address == "" || IsSite(string(address)):
	case !isASCII(string(address)) && IsSite(inASCII(string(address))):
		// Links, sitemaps and browser policies must write it in the same form.
		d.wrong(n, "write "+inASCII(string(address)), "%q is not in ASCII", shorten(string(address)))
	case IsSite(straight(string(address))):
		d.wrong(n, "write "+straight(string(address)), "the path of %q has a part that is empty, . or .., which browsers and servers change", shorten(string(address)))
	default:
		d.wrong(n, "write only these, as in https://market.example", "%q is more than scheme, host and path", shorten(string(address)))
	}
}

// IsSite reports whether text is a web address that a path can be appended to: in ASCII (RFC
// 3986), without a user, a query or a fragment, even empty ones, and without dot segments in
// its path.
func IsSite(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.User == nil && !strings.ContainsAny(text, "?#") && IsWebAddress(text) && isASCII(text) && straight(text) == strings.TrimRight(text, "/")
}

// straight removes the parts of a web address's path that are empty, . or .., even if the dots
// are escaped. Browsers resolve them, and an address that begins with // names another host.
func straight(text string) string {
	scheme, rest, _ := strings.Cut(text, "://")
	host, path, _ := strings.Cut(rest, "/")
	parts := []string{host}
	for part := range strings.SplitSeq(path, "/") {
		switch escapedDot.Replace(part) {
		case "", ".":
		case "..":
			parts = parts[:max(1, len(parts)-1)]
		default:
			parts = append(parts, part)
		}
	}
	return scheme + "://" + strings.Join(parts, "/")
}

var escapedDot = strings.NewReplacer("%2e", ".", "%2E", ".")

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// inASCII returns an address with its host in IDNA form and its path escaped, or unchanged if
// it has no such form.
func inASCII(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	if host, err := hostForm().ToASCII(u.Hostname()); err == nil {
		u.Host = strings.Replace(u.Host, u.Hostname(), host, 1)
	}
	return u.String()
}

// positioned is text with its position, for mistakes that are found later.
type positioned struct {
	text string
	at   catalog.Position
}

func (v *positioned) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	text, ok := d.text(n)
	switch {
	case !ok:
	case strings.TrimSpace(text) == "":
		d.wrong(n, "", "%s is empty", d.name)
	default:
		d.checkName(n, d.name, text)
	}
	v.text = text
}

// positionedAddress is placed text that is an address or a path.
type positionedAddress positioned

func (v *positionedAddress) fromNode(d *decoder, n *yaml.Node) {
	if (*positioned)(v).fromNode(d, n); d.spacious(v.text, v.at) {
		v.text = ""
	}
}

// passage is Markdown within YAML.
type passage positioned

func (v *passage) fromNode(d *decoder, n *yaml.Node) {
	v.at = d.at(n)
	v.text, _ = d.anyText(n)
}

// reference is a Reference to anything.
type reference catalog.Mention

func (v *reference) fromNode(d *decoder, n *yaml.Node) {
	if isSpaced(n) {
		d.wrong(n, "write it without the space, as in seller:acme", "%s takes a Reference, not a mapping", d.name)
		return
	}
	text, ok := d.word(n)
	if !ok {
		return
	}
	ref, err := catalog.ParseRef(text)
	if err != nil {
		d.wrong(n, nearestKind(text), "%v", err)
		return
	}
	*v = reference{Ref: ref, At: d.at(n)}
}

// isSpaced reports whether a node is a mapping that was meant as a Reference, as in "seller:
// acme".
func isSpaced(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && len(n.Content) == 2 && catalog.IsRefLike(n.Content[0].Value+":")
}

// pin is a Reference of a listing.
type pin catalog.Mention

func (v *pin) fromNode(d *decoder, n *yaml.Node) { (*reference)(v).fromNode(d, n) }

// nearestKind proposes the intended Reference if its kind is misspelt.
func nearestKind(text string) string {
	name, path, found := strings.Cut(text, ":")
	if !found || catalog.IsRefLike(text) {
		return ""
	}
	var kinds []string
	for k := catalog.KindSeller; k <= catalog.KindMarketMap; k++ {
		kinds = append(kinds, k.String())
	}
	kind, close := strings.CutSuffix(problem.Nearest(name, kinds), "\"?")
	if !close {
		return ""
	}
	return kind + ":" + shorten(path) + "\"?"
}

// rooted is a Category with its root, as in product/robots.
type rooted catalog.Mention

func (v *rooted) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	ref, err := catalog.ParseCategory(text)
	if err != nil {
		d.wrong(n, "", "%v", err)
		return
	}
	*v = rooted{Ref: ref, At: d.at(n)}
}

// categorySlug names a Category by its slug alone; the root depends on the file.
type categorySlug positioned

func (v *categorySlug) fromNode(d *decoder, n *yaml.Node) {
	text, ok := d.word(n)
	if !ok {
		return
	}
	if text == "" {
		d.wrong(n, "", "%s is empty", d.name)
		return
	}
	if err := catalog.CheckSlug(text); err != nil {
		meant := rightSlug(text)
		if _, slug, found := strings.Cut(text, "/"); found {
			meant = "write the slug alone: " + strconv.Quote(slug)
		}
		d.wrong(n, meant, "%v", err)
		return
	}
	*v = categorySlug{text: text, at: d.at(n)}
}
