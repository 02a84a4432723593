package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// Removals are what was measured of several, and of the floor of each.
type removals struct {
	// times are those to the answer.
	times, floors    []time.Duration
	written, deleted []int
}

// remove removes sellers one after the other, each when the server has nothing
// else to do.
func (s *server) remove(ctx context.Context, count int) (r removals, err error) {
	for i, slug := range s.spread(count) {
		id, err := s.start(ctx, slug)
		if err != nil {
			return r, err
		}
		var proof token
		for proof.id != id {
			proof = <-s.mails.tokens
		}
		settle()
		began := time.Now()
		_, err = s.post(ctx, "/company-removal-requests/"+id+"/verify", http.StatusOK, `{"token":"`+proof.text+`"}`)
		took := time.Since(began)
		if err != nil {
			return r, err
		}
		s.removed = append(s.removed, slug)
		m := <-s.releases.made
		r.times, r.written, r.deleted = append(r.times, took), append(r.written, m.written), append(r.deleted, m.deleted)
		fmt.Fprintf(os.Stderr, "bench: %s: %.1f ms, %d files written, %d deleted\n", slug, ms(took), m.written, m.deleted)
		sizes, err := newer(s.folder, began)
		if err != nil {
			return r, err
		}
		least, err := writeSynced(filepath.Join(s.dir, "floor", strconv.Itoa(i)), sizes)
		if err != nil {
			return r, err
		}
		r.floors = append(r.floors, least)
	}
	return r, nil
}

// newer returns the sizes of the files that were written since a moment.
func newer(root string, since time.Time) (sizes []int64, err error) {
	// The modification time is that of the build's begin, in whole microseconds.
	since = since.Truncate(time.Microsecond)
	err = filepath.WalkDir(root, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && !info.ModTime().Before(since) {
			sizes = append(sizes, info.Size())
		}
		return err
	})
	return sizes, err
}

// writeSynced is the least that any program takes for as many files of these
// sizes: it writes and syncs them, eight at a time.
func writeSynced(dir string, sizes []int64) (time.Duration, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	began := time.Now()
	var group errgroup.Group
	group.SetLimit(8)
	for i, size := range sizes {
		group.Go(func() error {
			f, err := os.Create(filepath.Join(dir, strconv.Itoa(i)))
			if err != nil {
				return err
			}
			_, err = f.Write(make([]byte, size))
			return errors.Join(err, f.Sync(), f.Close())
		})
	}
	err := group.Wait()
	return time.Since(began), err
}

// starts counts the starts a second of one client and of eight, and the records
// that can be appended and synced.
func (s *server) starts(ctx context.Context, span time.Duration) (one, eight, floor float64, err error) {
	if one, err = s.startsOf(ctx, 1, span); err != nil {
		return 0, 0, 0, err
	}
	if eight, err = s.startsOf(ctx, 8, span); err != nil {
		return 0, 0, 0, err
	}
	f, err := os.Create(filepath.Join(s.dir, "appended"))
	if err != nil {
		return 0, 0, 0, err
	}
	defer f.Close()
	record, count := make([]byte, 4<<10), 0
	began := time.Now()
	for ; time.Since(began) < span; count++ {
		if _, err := f.Write(record); err != nil {
			return 0, 0, 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, 0, 0, err
		}
	}
	return one, eight, float64(count) / time.Since(began).Seconds(), nil
}

func (s *server) startsOf(ctx context.Context, clients int, span time.Duration) (float64, error) {
	counts := make([]int, clients)
	standing := slices.DeleteFunc(slices.Clone(s.sellers), func(slug string) bool { return slices.Contains(s.removed, slug) })
	began := time.Now()
	var group errgroup.Group
	for c := range clients {
		group.Go(func() error {
			for ; time.Since(began) < span; counts[c]++ {
				slug := standing[(c*len(standing)/clients+counts[c])%len(standing)]
				if _, err := s.start(ctx, slug); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, fmt.Errorf("count starts: %w", err)
	}
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / time.Since(began).Seconds(), nil
}
