package dynamic

import (
	"errors"
	"slices"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/build/release/stub"
	"souk/dynamic/web"
)

// A manifest is a release with its metadata; *release.Tree and *release.Reader implement
// it.
type manifest interface {
	web.Release
	Has(file string) bool
	Owner(key string) (release.Owner, bool)
	EachOwner(yield func(key string, owner release.Owner))
	Summary() (documents int, bytes int64)
	// BuiltFrom returns the clock of the release and the revision of the removals that it was
	// built with.
	BuiltFrom() (clock time.Time, revision uint64)
}

// A surface is the release as it is served: a removed seller is withheld from the commit of
// its removal on, whatever is still in the folder.
type surface struct {
	manifest
	removals *catalog.Register
}

// Lookup implements web.Release.
func (s surface) Lookup(file string) (release.Entry, bool) {
	entry, there := s.manifest.Lookup(file)
	if document.CompanyOf(file) == "" || !s.withholds(file) {
		return entry, there
	}
	plain, stub := document.IsGone(file)
	return entry, stub && (there || s.manifest.Has(plain))
}

// withholds reports whether a removal applies to the seller that has, or last had, the
// address of a file.
func (s surface) withholds(file string) bool {
	now := s.removals.Now()
	return !now.Empty() && slices.ContainsFunc(stub.Owners(s.manifest, file), func(c catalog.Company) bool {
		_, held := now.Holds(c)
		return held
	})
}

var errUnfinished = errors.New("the public folder still shows a removed seller, and mistakes in the content prevent a build without it: fix the mistakes, then start again")

// finished fails if the release shows a removed seller and there is no content to build it
// without: otherwise a removal that an earlier process left incomplete would be served.
func (s surface) finished() error {
	var withheld []string
	s.manifest.EachOwner(func(slug string, owner release.Owner) {
		if _, held := s.removals.Now().Holds(stub.Owner(slug, owner)); held {
			withheld = append(withheld, slug)
		}
	})
	if slices.ContainsFunc(withheld, func(slug string) bool { return s.manifest.Has(document.SellerFile(slug)) }) {
		return errUnfinished
	}
	return nil
}
