package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// Kind is the kind of an Item.
type Kind uint8

// The kinds, in the order in which related Links are listed.
const (
	KindNone Kind = iota
	KindSeller
	KindProduct
	KindService
	KindCategory
	KindArticle
	KindMarketMap
	// The operator's own kinds, which References cannot name.
	KindPage
	KindFile
)

var kindNames = [...]string{"", "seller", "product", "service", "category", "article", "marketMap", "page", "file"}

// String returns the name of the kind in References and public documents.
func (k Kind) String() string { return kindNames[k] }

// Offer reports whether the kind is one that Sellers offer.
func (k Kind) Offer() bool { return k == KindProduct || k == KindService }

// Own reports whether the kind is one of the operator's own.
func (k Kind) Own() bool { return k == KindPage || k == KindFile }

// ParseKind parses the name of a kind in a Reference.
func ParseKind(name string) (Kind, bool) {
	for k := KindSeller; k <= KindMarketMap; k++ {
		if kindNames[k] == name {
			return k, true
		}
	}
	return KindNone, false
}

// Roots are the two root kinds. Every Category is under one of them.
var Roots = [...]Kind{KindProduct, KindService}

// Ref names one Item of the marketplace. It is comparable, so it can be a map key.
type Ref struct {
	Kind Kind
	// Root is the root kind of a Category, otherwise KindNone.
	Root Kind
	// Company is the companySlug of a Product or Service, otherwise empty.
	Company string
	// Slug is the slug, or for the operator's own pages and files the path below the site.
	Slug string
}

// SellerRef names a Seller.
func SellerRef(slug string) Ref { return Ref{Kind: KindSeller, Slug: slug} }

// CategoryRef names a typed Category.
func CategoryRef(root Kind, slug string) Ref { return Ref{Kind: KindCategory, Root: root, Slug: slug} }

// String returns the Reference as an author writes it, as in product:acme/arm-7.
func (r Ref) String() string {
	switch r.Kind {
	case KindProduct, KindService:
		return r.Kind.String() + ":" + r.Company + "/" + r.Slug
	case KindCategory:
		return "category:" + r.Root.String() + "/" + r.Slug
	default:
		return r.Kind.String() + ":" + r.Slug
	}
}

// Path returns the address below the site and, after "marketplace", below the API, as in
// companies/acme/products/arm-7. Lists order items with equal names by it.
func (r Ref) Path() string {
	switch r.Kind {
	case KindSeller:
		return "companies/" + r.Slug
	case KindProduct:
		return "companies/" + r.Company + "/products/" + r.Slug
	case KindService:
		return "companies/" + r.Company + "/services/" + r.Slug
	case KindCategory:
		return "categories/" + r.Root.String() + "/" + r.Slug
	case KindArticle:
		return "articles/" + r.Slug
	case KindMarketMap:
		return "market-maps/" + r.Slug
	case KindPage, KindFile:
		return r.Slug
	default:
		return ""
	}
}

// ComparePath orders References by their Paths, without building those of two
// offers.
func (r Ref) ComparePath(other Ref) int {
	a, b := r.Company, other.Company
	switch {
	case a == "" || b == "":
		return strings.Compare(r.Path(), other.Path())
	case a == b:
		return cmp.Or(cmp.Compare(r.Kind, other.Kind), strings.Compare(r.Slug, other.Slug))
	}
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	// If one slug is a prefix of the other, the slash that follows it in the Path is compared
	// with the next character of the longer one.
	if len(a) < len(b) {
		return cmp.Compare('/', b[n])
	}
	return cmp.Compare(a[n], '/')
}

// Digest returns the first 64 bits of the SHA-256 of the address below the API, such as
// /marketplace/companies/acme. It is the same on every machine, and evenly distributed.
func (r Ref) Digest() uint64 {
	sum := sha256.Sum256(append(make([]byte, 0, 256), r.address()...))
	return binary.BigEndian.Uint64(sum[:])
}

func (r Ref) address() string { return "/marketplace/" + r.Path() }

// IsRefLike reports whether text starts with the name of a kind and a colon, so that a
// mistyped Reference is not taken for a URL.
func IsRefLike(text string) bool {
	name, _, found := strings.Cut(text, ":")
	_, known := ParseKind(name)
	return found && known
}

// ParseRef parses a Reference: kind:path.
func ParseRef(text string) (Ref, error) {
	name, path, found := strings.Cut(text, ":")
	kind, known := ParseKind(name)
	if !found || !known {
		return Ref{}, fmt.Errorf("%q is not a Reference: write kind:path, as in seller:acme or product:acme/arm-7", text)
	}
	ref := Ref{Kind: kind, Slug: path}
	switch kind {
	case KindProduct, KindService:
		ref.Company, ref.Slug, found = strings.Cut(path, "/")
		if !found || CheckSlug(ref.Company) != nil {
			return Ref{}, fmt.Errorf("%q is not a Reference: a %s is written %s:companySlug/slug", text, kind, kind)
		}
	case KindCategory:
		root, err := ParseCategory(path)
		if err != nil {
			return Ref{}, fmt.Errorf("%q is not a Reference: a category is written category:product/slug or category:service/slug", text)
		}
		return root, nil
	}
	if err := CheckSlug(ref.Slug); err != nil {
		return Ref{}, fmt.Errorf("%q is not a Reference: %w", text, err)
	}
	return ref, nil
}

// ParseCategory parses a Category with its root, as in product/robots.
func ParseCategory(text string) (Ref, error) {
	name, slug, _ := strings.Cut(text, "/")
	root, _ := ParseKind(name)
	if root != KindProduct && root != KindService || CheckSlug(slug) != nil {
		return Ref{}, fmt.Errorf("%q is not a category: write product/slug or service/slug", text)
	}
	return CategoryRef(root, slug), nil
}

// MaxSlug is the maximum length of a slug in characters.
const MaxSlug = 80

// reservedSlugs are names that addresses and folders use for other purposes.
var reservedSlugs = map[string]bool{
	"media": true, "product": true, "service": true, "pages": true, "index": true, "claim": true, "remove": true,
	"search": true,
}

// CheckSlug returns an error that says what is wrong with a slug, or nil. A slug matches
// [a-z0-9]+(-[a-z0-9]+)*, has at most MaxSlug characters, and is not a reserved word.
func CheckSlug(slug string) error {
	if slug == "" {
		return fmt.Errorf("a slug is missing")
	}
	if len(slug) > MaxSlug {
		return fmt.Errorf("the slug %q has %d characters: at most %d are allowed", slug, len(slug), MaxSlug)
	}
	if reservedSlugs[slug] {
		return fmt.Errorf("the slug %q is reserved: choose another", slug)
	}
	dash := true
	for i := range len(slug) {
		c := slug[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			dash = false
		case c == '-' && !dash && i < len(slug)-1:
			dash = true
		default:
			return fmt.Errorf("the slug %q is not allowed: use lower-case letters, digits and single hyphens between them", slug)
		}
	}
	return nil
}

// compareRefs orders References by kind and address.
func compareRefs(a, b Ref) int {
	if a.Kind != b.Kind {
		return int(a.Kind) - int(b.Kind)
	}
	if a.Root != b.Root {
		return int(a.Root) - int(b.Root)
	}
	if c := strings.Compare(a.Company, b.Company); c != 0 {
		return c
	}
	return strings.Compare(a.Slug, b.Slug)
}
