package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/twin"
	"souk/build/release"
	"souk/build/release/stub"
)

// listing is the size used to compute the deadline of a listing: hours, since listing takes
// time proportional to the size of the destination.
const listing = 1 << 30

// there returns the keys of companies that are, or may be, at the destination. If the
// record is complete it is used; otherwise the destination is listed, which also finds
// everything that the record does not contain. A new machine's build has no stubs, and its
// record contains none, but what another machine published may show sellers removed since.
// listed contains all listed keys, nil if nothing was listed.
func (p *Publisher) there(ctx context.Context, known knowledge) (found []string, listed map[string]bool, err error) {
	if known == complete && !p.options.Adopt {
		return p.state.companies(), nil, nil
	}
	err = p.retry(ctx, listing, func(ctx context.Context) error {
		found, listed = nil, map[string]bool{}
		return p.store.list(ctx, func(key string) error {
			listed[key] = true
			if p.layout.twins { // they are deleted with their document
				key = twin.Of(key)
			}
			if _, recorded := p.state.keys[key]; !recorded || document.CompanyOf(fileOf(key)) != "" {
				found = append(found, key)
			}
			return nil
		})
	})
	switch {
	case err == nil:
		return found, listed, nil
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case known == unfinished && p.store.permanent(err) && statusOf(err) == http.StatusForbidden:
		p.options.Notice(p.name + " cannot be listed: removed addresses that other machines published there are not checked")
		return p.state.companies(), nil, nil
	}
	return nil, nil, fmt.Errorf("list %s, to see which removed addresses are there (this needs the permission to list, or a --record of every publish): %w", p.name, err)
}

// miss corrects the record for objects that are missing in a listing, or whose twins are
// missing, because somebody else deleted them. They are then uploaded again.
func (p *Publisher) miss(listed map[string]bool, entries map[string]release.Entry) {
	for key, is := range p.state.keys {
		if !is.certain || isPrivate(key) {
			continue
		}
		e := entries[fileOf(key)]
		if !listed[key] || p.layout.twins && (e.Gzip > 0 && !listed[key+twin.Gzip] || e.Brotli > 0 && !listed[key+twin.Brotli]) {
			p.state.keys[key] = stored{}
		}
	}
}

// stubOf returns the document of a company for the key of its 410 stub.
func stubOf(key string) (file string, ok bool) {
	file, gone := document.IsGone(key)
	return file, gone && document.CompanyOf(file) != ""
}

// companies returns the keys of companies in a record, certain or not.
func (s *state) companies() (all []string) {
	for key := range s.keys {
		if document.CompanyOf(fileOf(key)) != "" {
			all = append(all, key)
		}
	}
	return all
}

// difference computes what has to be done, after judging every stub at the destination.
// Unrecorded files that a build wrote are added to the record, and are then deleted or kept
// like all others: otherwise they would never be deleted, and pages of lists and pictures
// do not show which company they belong to.
//
// It fails with a *release.ForeignError, but still returns the difference, if it would
// overwrite files that no build wrote. is is the current description of the release at the
// destination.
func (p *Publisher) difference(ctx context.Context, e edition, removals *catalog.Removals, known knowledge, is version) (*difference, error) {
	keys, listed, err := p.there(ctx, known)
	if err != nil {
		return nil, p.unbegun(p.layout.compare(e.entries, p.state, nil), err)
	}
	if listed != nil {
		p.miss(listed, e.entries)
	}
	standing := removals
	if at := clock(is.data); known == foreign && !at.After(p.options.Now()) { // otherwise it is not a valid clock
		standing = removals.Standing(at)
	}
	stay, err := p.judge(keys, e, standing)
	if err != nil {
		return nil, err
	}
	if n := len(stay); n > 0 {
		p.options.Notice(fmt.Sprintf("%d removed addresses keep answering 410 at %s although the release does not have them: it was built without their ledger or list, or without pages", n, p.name))
	}
	for _, key := range keys {
		file := fileOf(twin.Of(key))
		_, recorded := p.state.keys[key]
		_, shown := e.entries[fileOf(key)]
		if recorded || shown {
			continue
		}
		_, twin := e.entries[file]
		_, gone := stubOf(key)
		company := document.CompanyOf(file) != ""
		if twin || gone || company && removed(file, e.src, removals) || p.fromBuild(ctx, key, file) {
			p.state.keys[key] = stored{}
		}
	}
	d := p.layout.compare(e.entries, p.state, stay)
	if known == foreign && describes(is.data) {
		return d, nil // an operator's own files cannot be distinguished from others
	}
	return d, p.clashes(ctx, d, listed)
}

// clashes fails if a difference would overwrite files that no build wrote: those in a
// listing but not in the record, or in a folder, which needs no listing, also a folder in
// the place of a file. Removals do not wait for files in the place of a stub.
func (p *Publisher) clashes(ctx context.Context, d *difference, listed map[string]bool) error {
	at := func(key string) (keys []string, err error) {
		if listed[key] {
			keys = []string{key}
		}
		return keys, nil
	}
	if folder, is := p.store.(*folderStore); is {
		at = folder.at
	}
	recorded := func(key string) bool {
		_, is := p.state.keys[key]
		return is
	}
	var clash []string
	for _, o := range d.puts() {
		if recorded(o.key) || isPrivate(o.key) || isGone(o.file) {
			continue
		}
		keys := []string{o.key}
		if p.layout.twins {
			keys = append(keys, o.key+twin.Gzip, o.key+twin.Brotli)
		}
		for _, key := range keys {
			there, err := at(key)
			if err != nil {
				return fmt.Errorf("look up %s in %s: %w", key, p.name, err)
			}
			for _, one := range there {
				if recorded(one) || recorded(twin.Of(one)) { // in a folder, it is deleted before
					continue
				}
				foreign := one != key
				if !foreign {
					if foreign, err = p.foreign(ctx, key, o); err != nil {
						return err
					}
				}
				if foreign {
					clash = append(clash, one)
				}
			}
		}
	}
	if len(clash) == 0 {
		return nil
	}
	slices.Sort(clash)
	return &release.ForeignError{Public: p.name, Files: clash}
}

// foreign reports whether something at the key of an object, or of its twin, would be lost:
// no build wrote it, and it is neither empty nor identical.
func (p *Publisher) foreign(ctx context.Context, key string, o object) (bool, error) {
	if p.fromBuild(ctx, key, o.file) {
		return false, nil
	}
	is, err := p.read(ctx, key)
	if err != nil && !errors.Is(err, errAbsent) {
		return false, fmt.Errorf("read %s in %s: %w", key, p.name, err)
	}
	if len(is.data) == 0 {
		return false, nil
	}
	plain, err := unpacked(key, is.data)
	return err != nil || release.DigestOf(plain) != o.entry.Digest, nil
}

// removed reports whether a document belongs to a company that is removed on record.
func removed(file string, src Source, removals *catalog.Removals) bool {
	_, held := removals.Holds(stub.CompanyOf(src, file))
	return held || removals.HoldsAddress(document.FileAddress(file))
}

// judge judges each stub at the destination that the release does not have. The release has
// a document in its place, or nothing. judge returns the stubs that have to stay, and fails
// with a *stub.UnexplainedError if nothing explains why a stub may be deleted.
func (p *Publisher) judge(keys []string, e edition, removals *catalog.Removals) (stay map[string]bool, err error) {
	stay = map[string]bool{}
	var unexplained []string
	for _, key := range keys {
		file, gone := stubOf(key)
		if _, same := e.entries[key]; same || !gone {
			continue
		}
		address := document.FileAddress(file)
		_, shown := e.entries[file]
		company := stub.CompanyOf(e.src, file)
		switch verdict := stub.Judge(removals, p.options.Forget, company, address); {
		case verdict == stub.Unexplained && !company.ReplacesRemoved:
			unexplained = append(unexplained, address)
		case verdict != stub.Free && !shown:
			stay[key] = true
		}
	}
	if len(unexplained) > 0 {
		slices.Sort(unexplained)
		// A document and its pages have the same address.
		return nil, &stub.UnexplainedError{Place: p.name, Addresses: slices.Compact(unexplained)}
	}
	return stay, nil
}
