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
	// foreign means that there is no record, or that the destination differs from it.
	foreign knowledge = iota
	// unfinished means that the last publish was interrupted, and no other machine has
	// completed one since. The record contains every key that it began to write.
	unfinished
	// complete means that the recorded release is at the destination.
	complete
)

// check reads the description of the release at the destination, and compares it with what
// the record says is, or may be, there. A bucket that was emptied, or to which another
// machine publishes, differs from the record; then only the record's keys are trusted.
func (p *Publisher) check(ctx context.Context) (knowledge, version, error) {
	key := p.layout.keyOf(document.ReleaseFile)
	recorded := p.state.keys[key]
	is, err := p.read(ctx, key)
	stands := ""
	switch {
	case err == nil:
		stands = release.DigestOf(is.data).String()
	case errors.Is(err, errAbsent), !recorded.certain && statusOf(err) == http.StatusForbidden:
		// If nothing exists and listing is not allowed, S3 reports that it is forbidden.
	default:
		return foreign, is, fmt.Errorf("read %s from %s: %w", key, p.name, err)
	}
	switch {
	case !p.state.known:
		p.state.described = []string{stands} // if one exists, it is another machine's
		return foreign, is, nil
	case recorded.certain && stands == recorded.digest.String():
		return complete, is, nil
	case !recorded.certain && slices.Contains(p.state.described, stands):
		return unfinished, is, nil
	}
	p.options.Notice(p.name + " was changed by something else since the last publish: everything is uploaded again")
	for key := range p.state.keys {
		p.state.keys[key] = stored{}
	}
	p.state.described = []string{stands}
	return foreign, is, nil
}

// mark replaces the description of the release at the destination by one that marks this
// publish as in progress. From now on no other machine assumes that the destination is as
// it published it. If two begin at once, one fails.
func (p *Publisher) mark(ctx context.Context, is version, mark []byte) (tag string, err error) {
	if err := p.permit(); err != nil {
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

// described returns the object with the description of a release, at the current time.
func (p *Publisher) described() object {
	return object{key: p.layout.keyOf(document.ReleaseFile), file: document.ReleaseFile, entry: release.Entry{ModTime: p.options.Now().UnixNano()}}
}

// marked returns the description of a release that is being replaced. It still describes
// that release, for its readers.
func marked(data []byte) ([]byte, error) {
	var d document.Release
	if err := json.Unmarshal(data, &d); err != nil {
		d = document.Release{} // there is none, or it is somebody else's file
	}
	d.Publishing = strings.ToLower(rand.Text())
	mark, err := json.Marshal(d)
	return append(mark, '\n'), err
}

// clock returns the clock of the release with a description; zero if there is none.
func clock(data []byte) time.Time {
	var d document.Release
	if json.Unmarshal(data, &d) != nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, d.Clock) // zero if it is invalid
	return at
}

// describes reports whether data is the description of a release, or says that the first
// one is being published.
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

// fromBuild reports whether a build may have written what is at a key.
func (p *Publisher) fromBuild(ctx context.Context, key, file string) bool {
	return document.Ours(file, func() ([]byte, error) {
		is, err := p.read(ctx, key)
		if err != nil {
			return nil, err
		}
		return unpacked(key, is.data)
	})
}

// unpacked returns the decompressed bytes at a key.
func unpacked(key string, data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) { // gzip, whatever the key says
		key = twin.Gzip
	}
	return release.Decompress(key, data)
}
