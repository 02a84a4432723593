package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"souk/build/document"
	"souk/build/release"
)

// A knowledge says how well the record describes the destination.
type knowledge int

const (
	// foreign: there is no record, or the destination differs from it.
	foreign knowledge = iota
	// unfinished: the last publish was stopped. The record has every key that it
	// began, and nothing of what another machine did since.
	unfinished
	// complete: the release of the record is there.
	complete
)

// check asks the destination for the description of the release that the record
// says is there. A bucket that was emptied, or that another machine publishes
// to, differs from the record: then only the keys of the record are trusted.
func (p *Publisher) check(ctx context.Context) (knowledge, error) {
	key := p.layout.keyOf(document.ReleaseFile)
	recorded := p.state.keys[key]
	switch {
	case !p.state.known:
		return foreign, nil
	case !recorded.certain:
		return unfinished, nil
	}
	var data []byte
	err := p.retry(ctx, 0, func(ctx context.Context) (err error) {
		data, err = p.store.read(ctx, key)
		return err
	})
	if err != nil && !errors.Is(err, errAbsent) {
		return foreign, fmt.Errorf("read %s from %s: %w", key, p.name, err)
	}
	if err == nil && digestOf(data) == recorded.digest {
		return complete, nil
	}
	p.options.Notice("what stands at " + p.name + " is not what was published last from here: everything is uploaded again")
	for key := range p.state.keys {
		p.state.keys[key] = stored{}
	}
	return foreign, nil
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
