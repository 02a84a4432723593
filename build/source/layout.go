package source

import (
	"path"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/fold"
	"souk/build/kit/problem"
	"souk/build/kit/theme"
)

// A role is the function of a file, determined by its path.
type role uint8

const (
	ignored role = iota
	marketplace
	itemFile
	media
	wordingFile
	synonymsFile
	themeFile
	stray
)

// place returns the role of a file and, for an item, its Reference. For a stray file it
// returns what is wrong with its path.
func place(file string) (role, catalog.Ref, *problem.Problem) {
	parts := make([]string, 0, 8) // enough for most paths without an allocation
	for part := range strings.SplitSeq(file, "/") {
		parts = append(parts, part)
	}
	if Hidden(file) || forPeople(file) {
		return ignored, catalog.Ref{}, nil
	}
	ext := path.Ext(file)
	slug := strings.TrimSuffix(parts[len(parts)-1], ext)
	if len(parts) > 1 && parts[0] == themeFolder {
		if theme.Ignored(file) {
			return ignored, catalog.Ref{}, nil
		}
		return themeFile, catalog.Ref{}, nil
	}
	isText := ext == ".yaml" || ext == ".md"
	// The files of a seller named media look like pictures; the slug is then reported as
	// reserved.
	if _, item := placeRef(parts, slug); inMedia(file) && !(item && isText) {
		return media, catalog.Ref{}, nil
	}
	if len(parts) == 2 && parts[0] == textsFolder && slices.Contains([]string{".yaml", ".yml", ".md", ".markdown"}, strings.ToLower(ext)) {
		if p := placeWording(file); p != nil {
			return stray, catalog.Ref{}, p
		}
		return wordingFile, catalog.Ref{}, nil
	}
	if len(parts) > 1 && parts[0] == siteFolder {
		return placeOwn(file, parts[1:])
	}
	if !isText {
		p := &problem.Problem{File: file, Text: "the file is not content", Warning: true}
		if strings.EqualFold(ext, ".yml") || strings.EqualFold(ext, ".yaml") || strings.EqualFold(ext, ".md") || strings.EqualFold(ext, ".markdown") {
			p.Text, p.Meant, p.Warning = "the name of the file ends in "+ext, "end it in .yaml or .md", false
		}
		return stray, catalog.Ref{}, spaced(p, parts)
	}
	if len(parts) == 1 && slug == "marketplace" {
		return marketplace, catalog.Ref{}, nil
	}
	if file == synonymsName {
		return synonymsFile, catalog.Ref{}, nil
	}
	ref, known := placeRef(parts, slug)
	if !known {
		return stray, catalog.Ref{}, spaced(&problem.Problem{File: file, Text: "content does not belong here", Meant: nearestPlace(parts)}, parts)
	}
	for _, s := range []string{ref.Company, ref.Slug} {
		if s == "" {
			continue
		}
		if err := catalog.CheckSlug(s); err != nil {
			return stray, catalog.Ref{}, &problem.Problem{File: file, Text: err.Error(), Meant: rightSlug(s)}
		}
	}
	return itemFile, ref, nil
}

// placeRef returns the Reference that the path of a content file implies.
func placeRef(parts []string, slug string) (catalog.Ref, bool) {
	switch {
	case len(parts) == 3 && parts[0] == "categories":
		root, _ := catalog.ParseKind(parts[1])
		return catalog.CategoryRef(root, slug), root == catalog.KindProduct || root == catalog.KindService
	case len(parts) == 3 && parts[0] == "sellers" && slug == "seller":
		return catalog.SellerRef(parts[1]), true
	case len(parts) == 4 && parts[0] == "sellers" && parts[2] == "products":
		return catalog.Ref{Kind: catalog.KindProduct, Company: parts[1], Slug: slug}, true
	case len(parts) == 4 && parts[0] == "sellers" && parts[2] == "services":
		return catalog.Ref{Kind: catalog.KindService, Company: parts[1], Slug: slug}, true
	case len(parts) == 2 && parts[0] == "articles":
		return catalog.Ref{Kind: catalog.KindArticle, Slug: slug}, true
	case len(parts) == 2 && parts[0] == "market-maps":
		return catalog.Ref{Kind: catalog.KindMarketMap, Slug: slug}, true
	}
	return catalog.Ref{}, false
}

// meantRef returns the Reference of an item whose file has a wrong name: a wrong extension, a
// malformed slug, or a wrong folder.
func meantRef(file string) (catalog.Ref, bool) {
	if what, _, p := place(file); what != stray || p.Warning {
		return catalog.Ref{}, false
	}
	parts := strings.Split(file, "/")
	last := len(parts) - 1
	for at := range last {
		switch options := foldersAt(parts[:at]); {
		case options == nil:
			parts[at] = asSlug(parts[at])
		case !slices.Contains(options, parts[at]):
			parts[at], _ = problem.Closest(parts[at], options)
		}
	}
	ref, known := placeRef(parts, asSlug(parts[last]))
	return ref, known && catalog.CheckSlug(ref.Slug) == nil && (ref.Company == "" || catalog.CheckSlug(ref.Company) == nil)
}

// pathsOf returns the possible paths of an item's files, sorted. place returns ref for each of
// them.
func pathsOf(ref catalog.Ref) []string {
	var stem string
	switch ref.Kind {
	case catalog.KindCategory:
		stem = "categories/" + ref.Root.String() + "/" + ref.Slug
	case catalog.KindSeller:
		stem = "sellers/" + ref.Slug + "/seller"
	case catalog.KindProduct:
		stem = "sellers/" + ref.Company + "/products/" + ref.Slug
	case catalog.KindService:
		stem = "sellers/" + ref.Company + "/services/" + ref.Slug
	case catalog.KindArticle:
		stem = "articles/" + ref.Slug
	case catalog.KindMarketMap:
		stem = "market-maps/" + ref.Slug
	case catalog.KindPage:
		return []string{siteFolder + "/" + ref.Slug + ".md"}
	default:
		return []string{siteFolder + "/" + ref.Slug}
	}
	return []string{stem + ".md", stem + ".yaml"}
}

// nearestPlace says where a misplaced file belongs.
func nearestPlace(parts []string) string {
	at := misplacedAt(parts)
	options := foldersAt(parts[:at])
	if at < len(parts)-1 && !slices.Contains(options, parts[at]) {
		if meant := problem.Nearest(parts[at], options); meant != "" {
			return meant
		}
	}
	name := strings.TrimSuffix(parts[at], path.Ext(parts[at]))
	switch {
	case len(parts) == 1 && name == "synonyms":
		return "name it " + synonymsName
	case len(parts) == 3 && parts[0] == "sellers" && at == 2 && strings.EqualFold(name, "seller"):
		return "name it seller" + path.Ext(parts[at])
	}
	return "content belongs in marketplace.yaml, synonyms.yaml, categories/{product,service}/slug, sellers/slug/seller, sellers/slug/{products,services}/slug, articles/slug, market-maps/slug, texts/language.yaml, site/ and theme/"
}

// foldersAt returns the folders that content has within another, or nil if it has files or
// folders of any name there.
func foldersAt(above []string) []string {
	switch {
	case len(above) == 0:
		return []string{"categories", "sellers", "articles", "market-maps", textsFolder, siteFolder, themeFolder}
	case len(above) == 1 && above[0] == "categories":
		return []string{"product", "service"}
	case len(above) == 2 && above[0] == "sellers":
		return []string{"products", "services"}
	}
	return nil
}

// misplacedAt returns the index of the first part of a stray path that is not allowed there: a
// folder, or else the file.
func misplacedAt(parts []string) int {
	deepest := map[string]int{"categories": 2, "sellers": 3}[parts[0]]
	if deepest == 0 {
		deepest = 1
	}
	for at := range min(deepest, len(parts)-1) {
		if options := foldersAt(parts[:at]); options != nil && !slices.Contains(options, parts[at]) {
			return at
		}
		if at == 1 && parts[0] == "sellers" && catalog.CheckSlug(parts[1]) != nil {
			return at
		}
	}
	return min(deepest, len(parts)-1)
}

// strayFolder returns the folder that makes a file stray, or "" if it is the file's own name.
func strayFolder(file string) string {
	parts := strings.Split(file, "/")
	if parts[0] != siteFolder {
		if at := misplacedAt(parts); at < len(parts)-1 {
			return strings.Join(parts[:at+1], "/")
		}
		return ""
	}
	other := "x"
	if path.Ext(file) == ".md" {
		other += ".md"
	}
	for at := 2; at < len(parts); at++ {
		folder := strings.Join(parts[:at], "/")
		if what, _, _ := place(folder + "/" + other); what == stray {
			return folder
		}
	}
	return ""
}

// rightSlug proposes a valid slug for a name that is not one.
func rightSlug(name string) string {
	slug := asSlug(name)
	if catalog.CheckSlug(slug) != nil {
		return ""
	}
	return "did you mean \"" + slug + "\"?"
}

// asSlug returns the slug that a name was probably meant to be. It may be invalid.
func asSlug(name string) string {
	for _, ending := range []string{".yaml", ".yml", ".md", ".markdown"} {
		if at := len(name) - len(ending); at > 0 && strings.EqualFold(name[at:], ending) {
			name = name[:at]
		}
	}
	var b strings.Builder
	for _, r := range fold.Text(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && s[len(s)-1] != '-' {
			b.WriteByte('-')
		}
	}
	slug := strings.TrimSuffix(b.String(), "-")
	if len(slug) > catalog.MaxSlug {
		slug = slug[:catalog.MaxSlug+1]
		slug = slug[:max(strings.LastIndexByte(slug, '-'), 0)]
	}
	return slug
}
