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

// listing is the size that stands for a listing in deadlines: hours, since it takes
// time in proportion to the destination.
const listing = 1 << 30

// there returns the keys of companies that are at the destination, or may be: as the
// record says if it is complete, and otherwise as a listing of the destination does, with
// all else that the record does not know. A fresh machine's build has no stub, and its
// record knows none; what another machine published may show who was removed since.
// listed are all keys of the listing, nil where there was none.
func (p *Publisher) there(ctx context.Context, known knowledge) (found []string, listed map[string]bool, err error) {
	if known == complete && !p.options.Adopt {
		return p.state.companies(), nil, nil
	}
	err = p.retry(ctx, listing, func(ctx context.Context) error {
		found, listed = nil, map[string]bool{}
		return p.store.list(ctx, func(key string) error {
			listed[key] = true
			if p.layout.twins { // which go with their document
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
		p.options.Notice(p.name + " cannot be listed: the 410 stubs there are judged as the record knows them, without those of other machines")
		return p.state.companies(), nil, nil
	}
	return nil, nil, fmt.Errorf("list %s, to see which 410 stubs are there (this takes the right to list, or a --record of every publish): %w", p.name, err)
}

// miss has the record no longer say that an object is there which a listing does not
// have, or not with its twins: somebody else deleted it, so that it is uploaded again.
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

// stubOf returns the document of a company whose 410 stub a key is.
func stubOf(key string) (file string, ok bool) {
	file, gone := document.IsGone(key)
	return file, gone && document.CompanyOf(file) != ""
}

// companies returns the keys of companies that a record knows, certain or not.
func (s *state) companies() (all []string) {
	for key := range s.keys {
		if document.CompanyOf(fileOf(key)) != "" {
			all = append(all, key)
		}
	}
	return all
}

// difference finds what has to be done, once every stub of the destination is
// judged. What a build wrote and no record knew is known from then on, and goes or stays
// like the rest: no record would ever delete what is left of one that is removed, and
// pages of lists and pictures tell nobody whose they are.
//
// It fails with a *release.ForeignError, and returns the difference all the same, if what
// no build wrote would be written over. is is the description of the release that is there.
func (p *Publisher) difference(ctx context.Context, e edition, removals *catalog.Removals, known knowledge, is version) (*difference, error) {
	keys, listed, err := p.there(ctx, known)
	if err != nil {
		return nil, p.unbegun(p.layout.compare(e.entries, p.state, nil), err)
	}
	if listed != nil {
		p.miss(listed, e.entries)
	}
	standing := removals
	if at := clock(is.data); known == foreign && !at.After(p.options.Now()) { // else it is no clock's
		standing = removals.Standing(at)
	}
	stay, err := p.judge(keys, e, standing)
	if err != nil {
		return nil, err
	}
	if n := len(stay); n > 0 {
		p.options.Notice(fmt.Sprintf("%d 410 stubs stay at %s although the release does not have them: it was built without the ledger or the list that knows them, or without pages", n, p.name))
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
		if twin || gone || company && removed(file, e.src, removals) || p.ours(ctx, key, file) {
			p.state.keys[key] = stored{}
		}
	}
	d := p.layout.compare(e.entries, p.state, stay)
	if known == foreign && describes(is.data) {
		return d, nil // of its files an operator's own ones cannot be told from others
	}
	return d, p.clashes(ctx, d, listed)
}

// clashes fails if a difference would write over what no build wrote: what the record
// does not have and a listing does, or, without asking a store for it, a folder, also where
// a folder stands in the place of a file. No removal waits for what lies in that of a stub.
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
				return fmt.Errorf("look what is at %s in %s: %w", key, p.name, err)
			}
			for _, one := range there {
				if recorded(one) || recorded(twin.Of(one)) { // in a folder, it goes before
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

// foreign reports whether what is at the key of an object, or of a twin of it, would be
// lost: no build wrote it, and it is neither empty nor the same.
func (p *Publisher) foreign(ctx context.Context, key string, o object) (bool, error) {
	if p.ours(ctx, key, o.file) {
		return false, nil
	}
	is, err := p.read(ctx, key)
	if err != nil && !errors.Is(err, errAbsent) {
		return false, fmt.Errorf("read what is at %s in %s: %w", key, p.name, err)
	}
	if len(is.data) == 0 {
		return false, nil
	}
	plain, err := unpacked(key, is.data)
	return err != nil || release.DigestOf(plain) != o.entry.Digest, nil
}

// removed reports whether a document is one of a company that is removed on record.
func removed(file string, src Source, removals *catalog.Removals) bool {
	_, held := removals.Holds(stub.CompanyOf(src, file))
	return held || removals.HoldsAddress(document.FileAddress(file))
}

// judge judges each stub of the destination that a release does not have: with a
// document of the release in its place, or with nothing. It returns those that
// have to stay, and fails with a *stub.UnexplainedError if any has no reason.
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
		switch reason := stub.Judge(removals, p.options.Forget, stub.CompanyOf(e.src, file), address); {
		case reason == stub.Unexplained:
			unexplained = append(unexplained, address)
		case !reason.MayGo() && !shown:
			stay[key] = true
		}
	}
	if len(unexplained) > 0 {
		slices.Sort(unexplained)
		// A document and its pages have one address.
		return nil, &stub.UnexplainedError{Place: p.name, Addresses: slices.Compact(unexplained)}
	}
	return stay, nil
}
