package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"souk/build/document"
	"souk/build/release"
)

// A knowledge says how well the record describes the destination.
type knowledge int

const (
	// foreign: there is no record, or the destination differs from it.
	foreign knowledge = iota
	// unfinished: the last publish was stopped, and no other machine finished one since.
	// The record has every key that it began.
	unfinished
	// complete: the release of the record is there.
	complete
)

// check asks the destination for the description of the release that the record
// says is there, or may be. A bucket that was emptied, or that another machine publishes
// to, differs from the record: then only the keys of the record are trusted.
func (p *Publisher) check(ctx context.Context) (knowledge, error) {
	key := p.layout.keyOf(document.ReleaseFile)
	recorded := p.state.keys[key]
	if !p.state.known {
		p.state.described = []string{""} // if there is one, it is another machine's
		return foreign, nil
	}
	var data []byte
	err := p.retry(ctx, 0, func(ctx context.Context) (err error) {
		data, err = p.store.read(ctx, key)
		return err
	})
	stands := ""
	switch {
	case err == nil:
		stands = digestOf(data).String()
	case errors.Is(err, errAbsent), !recorded.certain && statusOf(err) == http.StatusForbidden:
		// S3 says that it is forbidden where nothing is and nobody may list.
	default:
		return foreign, fmt.Errorf("read %s from %s: %w", key, p.name, err)
	}
	switch {
	case recorded.certain && stands == recorded.digest.String():
		return complete, nil
	case !recorded.certain && slices.Contains(p.state.described, stands):
		return unfinished, nil
	}
	p.options.Notice("what stands at " + p.name + " is not what was published last from here: everything is uploaded again")
	for key := range p.state.keys {
		p.state.keys[key] = stored{}
	}
	p.state.described = []string{stands}
	return foreign, nil
}

// describes returns the digests that the description of a release may have there once
// the publish of another is begun, whether that is stopped or not.
func (s *state) describes(next object) []string {
	all := s.described
	if is := s.keys[next.key]; is.certain {
		all = []string{is.digest.String()}
	}
	if to := next.entry.Digest.String(); !slices.Contains(all, to) {
		all = append(slices.Clone(all), to)
	}
	return all
}

// adopt lists the destination and adds to the record, as uncertain, every file
// that a build may have written.
func (p *Publisher) adopt(ctx context.Context, entries map[string]release.Entry) error {
	var found []string
	err := p.store.list(ctx, func(key string) error {
		file := fileOf(document.WithoutEncoding(key))
		_, ours := entries[file]
		ours = ours || p.ours(ctx, key, file)
		if p.layout.twins {
			key = file // a folder's twins go with their document
		}
		if _, known := p.state.keys[key]; ours && !known {
			found = append(found, key)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("list %s: %w", p.name, err)
	}
	p.state.known = true
	return p.note(ctx, true, inBatches(found, func(part []string) note { return note{Begin: part} })...)
}

// ours reports whether a build may have written what is at a key.
func (p *Publisher) ours(ctx context.Context, key, file string) bool {
	return document.Ours(file, func() (data []byte, err error) {
		err = p.retry(ctx, 0, func(ctx context.Context) (err error) {
			data, err = p.store.read(ctx, key)
			return err
		})
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) { // gzip, whatever the key says
			key = ".gz"
		}
		return release.Decompress(key, data)
	})
}
