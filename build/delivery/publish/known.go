package publish

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"souk/build/document"
	"souk/build/kit/twin"
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
func (p *Publisher) check(ctx context.Context) (knowledge, version, error) {
	key := p.layout.keyOf(document.ReleaseFile)
	recorded := p.state.keys[key]
	is, err := p.read(ctx, key)
	stands := ""
	switch {
	case err == nil:
		stands = release.DigestOf(is.data).String()
	case errors.Is(err, errAbsent), !recorded.certain && statusOf(err) == http.StatusForbidden:
		// S3 says that it is forbidden where nothing is and nobody may list.
	default:
		return foreign, is, fmt.Errorf("read %s from %s: %w", key, p.name, err)
	}
	switch {
	case !p.state.known:
		p.state.described = []string{stands} // if there is one, it is another machine's
		return foreign, is, nil
	case recorded.certain && stands == recorded.digest.String():
		return complete, is, nil
	case !recorded.certain && slices.Contains(p.state.described, stands):
		return unfinished, is, nil
	}
	p.options.Notice("what stands at " + p.name + " is not what was published last from here: everything is uploaded again")
	for key := range p.state.keys {
		p.state.keys[key] = stored{}
	}
	p.state.described = []string{stands}
	return foreign, is, nil
}

// mark replaces the description of the release that is there by one that says that a
// publish is under way, as no other publish does: from now on no other machine takes
// what is there for what it published. Of two that begin at once, one fails.
func (p *Publisher) mark(ctx context.Context, is version, mark []byte) (tag string, err error) {
	if err := p.may(); err != nil {
		return "", err
	}
	o := p.described()
	err = p.retry(ctx, len(mark), func(ctx context.Context) (err error) {
		if err := p.fault("mark"); err != nil {
			return err
		}
		tag, err = p.store.swap(ctx, o, body{plain: mark}, is.tag)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("upload %s: %w", o.key, err)
	}
	return tag, nil
}

// described returns the description of a release as an object, as of now.
func (p *Publisher) described() object {
	return object{key: p.layout.keyOf(document.ReleaseFile), file: document.ReleaseFile, entry: release.Entry{ModTime: p.options.Now().UnixNano()}}
}

// marked returns the description of a release that is being replaced. It goes on
// telling of that one, as readers look for what it says.
func marked(data []byte) ([]byte, error) {
	var d document.Release
	if err := json.Unmarshal(data, &d); err != nil {
		d = document.Release{} // there is none, or somebody else's file
	}
	d.Publishing = strings.ToLower(rand.Text())
	mark, err := json.Marshal(d)
	return append(mark, '\n'), err
}

// clock returns the moment of the release that a description is of; zero where it tells none.
func clock(data []byte) time.Time {
	var d document.Release
	if json.Unmarshal(data, &d) != nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, d.Clock) // zero where it is none
	return at
}

// describes reports whether what is at the place of a description is one of a release,
// or says that the first is being published.
func describes(data []byte) bool {
	var d document.Release
	return json.Unmarshal(data, &d) == nil && (d.ID != "" || d.Publishing != "")
}

// read reads what is at a key.
func (p *Publisher) read(ctx context.Context, key string) (is version, err error) {
	err = p.retry(ctx, 0, func(ctx context.Context) (err error) {
		is, err = p.store.read(ctx, key)
		return err
	})
	return is, err
}

// ours reports whether a build may have written what is at a key.
func (p *Publisher) ours(ctx context.Context, key, file string) bool {
	return document.Ours(file, func() ([]byte, error) {
		is, err := p.read(ctx, key)
		if err != nil {
			return nil, err
		}
		return unpacked(key, is.data)
	})
}

// unpacked returns what was packed to the bytes at a key.
func unpacked(key string, data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) { // gzip, whatever the key says
		key = twin.Gzip
	}
	return release.Decompress(key, data)
}
