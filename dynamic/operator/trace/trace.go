package trace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/document"
	"souk/build/kit/processors"
	"souk/build/kit/twin"
	"souk/build/release"
	"souk/dynamic/search"
)

// Config says where to look for a seller.
type Config struct {
	// Public is the output folder.
	Public string
	// Parts is the folder of the search parts; empty for none.
	Parts string
	// Index is the search index to query; nil for none.
	Index *search.Index
	// Agent, if set, calls an MCP tool and returns its answer as JSON.
	Agent func(ctx context.Context, tool string, arguments map[string]any) ([]byte, error)
	// SiteURLs are the addresses of the marketplace; a path below another site does not
	// count as its own. If there are none, every site counts.
	SiteURLs []string
	// Texts are the site's own texts, which no seller wrote; nil for none.
	Texts iter.Seq[string]
	// Written are the files of a market without sellers, by name. A domain that is part of
	// the name of a format is not reported in a file of the same kind. nil for none.
	Written iter.Seq2[string, []byte]
}

// Named returns the domains of a subject that Souk itself writes, in order.
func Named(s Subject, c Config) (domains []string) {
	for _, domain := range s.Domains {
		n := newNeedles(Subject{Domains: []string{domain}}, c.SiteURLs)
		if len(n.writtenIn(c.Written)) > 0 {
			domains = append(domains, domain)
		}
	}
	slices.Sort(domains)
	return slices.Compact(domains)
}

// writtenIn returns the phrases in files that contain a domain of the subject.
func (n *needles) writtenIn(files iter.Seq2[string, []byte]) map[phrase]bool {
	all := map[phrase]bool{}
	if files == nil || len(n.domains) == 0 {
		return all
	}
	f := newFolder()
	for file, body := range files {
		folded := f.fold(nil, composed(body), nil)
		for _, h := range n.hits(folded) {
			if h.what == WhatDomain {
				all[phraseOf(file, folded, h)] = true
			}
		}
	}
	return all
}

// Trace finds every place where a seller shows, in a fixed order. It returns an error only
// if the folder or the index as a whole cannot be read.
func Trace(ctx context.Context, s Subject, c Config) (Findings, error) {
	n := newNeedles(s, c.SiteURLs)
	n.common = c.Texts != nil && n.inSiteTexts(c.Texts)
	n.written = n.writtenIn(c.Written)
	files, err := list(c.Public)
	if err != nil {
		return nil, fmt.Errorf("trace in the output folder: %w", err)
	}
	var mu sync.Mutex
	var all Findings
	next := make(chan string)
	group, working := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(next)
		for _, file := range files {
			select {
			case next <- file:
			case <-working.Done():
				return working.Err()
			}
		}
		return nil
	})
	for range processors.Count() {
		group.Go(func() error {
			w := &scanner{needles: n, folder: newFolder(), public: c.Public}
			for file := range next {
				w.look(file)
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, w.found...)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	held, err := inParts(c.Parts, n, s)
	if err != nil {
		return nil, err
	}
	all = append(all, held...)
	if c.Index != nil {
		answered, err := ask(ctx, c.Index, s, n)
		if err != nil {
			return nil, fmt.Errorf("trace in the search index: %w", err)
		}
		all = append(all, answered...)
	}
	if c.Agent != nil {
		answered, err := askAgent(ctx, c, s)
		if err != nil {
			return nil, fmt.Errorf("trace in the answers of MCP: %w", err)
		}
		all = append(all, answered...)
	}
	return all.sort(), nil
}

// list returns all files below a folder. Careful hosts do not follow links to folders, so
// such a link is reported as unreadable.
func list(public string) (files []string, err error) {
	root, err := filepath.EvalSymlinks(public)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, at)
		files = append(files, filepath.ToSlash(name))
		return err
	})
	return files, err
}

// look examines one file, or a twin that differs from its file.
func (s *scanner) look(file string) {
	s.file, s.twin = twin.Of(file), ""
	twin := s.file != file
	if twin {
		s.twin = path.Ext(file)[1:]
	}
	at := filepath.Join(s.public, filepath.FromSlash(file))
	// Reading a pipe would block.
	if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		s.add(WhatUnreadable, "file", "it is not a regular file", true)
		return
	}
	data, err := os.ReadFile(at)
	if err != nil {
		s.add(WhatUnreadable, "file", reason(err), true)
		return
	}
	if twin || document.IsLines(file) {
		if data, err = release.Decompress(file, data); err != nil {
			s.add(WhatUnreadable, "file", "it does not decompress: "+err.Error(), true)
			data = nil
		}
	}
	if twin {
		plain, err := os.ReadFile(filepath.Join(s.public, filepath.FromSlash(s.file)))
		if err == nil && bytes.Equal(plain, data) {
			return
		}
	}
	if _, gone := document.IsGone(s.file); gone && s.ofSubject(s.file) {
		if !s.stub(data) {
			s.add(WhatStub, "file", "it is not the standard body of a removed address", false)
			s.body(data)
		}
		return
	}
	if !s.name(data) {
		s.body(data)
	}
}

// reason returns an error without the path, which is reported separately.
func reason(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return err.Error()
}

// name examines the file's own name and recognizes a picture by its bytes, whatever its
// name. It reports whether the file is a picture of the subject; then there is no more to
// report.
func (s *scanner) name(data []byte) (picture bool) {
	base := path.Base(s.file)
	stem, _, _ := strings.Cut(base, ".")
	switch {
	case s.ofSubject(s.file):
		s.add(WhatAddress, "file", base, false)
	case s.media[base] || s.stems[stem]:
		s.add(WhatMedia, "file", base, false)
		return true
	case s.isCopy(data):
		s.add(WhatMedia, "file", "a copy of a picture of the seller", false)
		return true
	case s.inName() && !document.Ours(s.file, func() ([]byte, error) { return data, nil }):
		s.add(WhatSlug, "file", base, false)
	}
	return false
}

// isCopy reports whether a file outside the media folder is a copy of one of the subject's
// pictures: a picture is named after the digest of its bytes.
func (s *scanner) isCopy(data []byte) bool {
	if len(s.stems) == 0 || strings.HasPrefix(s.file, "api/") || strings.HasPrefix(s.file, document.MediaFolder) {
		return false
	}
	sum := sha256.Sum256(data)
	return s.stems[hex.EncodeToString(sum[:stemLength/2])]
}

// inName reports whether a segment of the path is a slug of the subject.
func (s *scanner) inName() bool {
	return slices.ContainsFunc(strings.Split(s.file, "/"), func(segment string) bool {
		stem, _, _ := strings.Cut(segment, ".")
		return s.slugs[stem]
	})
}
