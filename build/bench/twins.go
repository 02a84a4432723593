package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Twins is a cold build under one --precompress.
type twins struct {
	Policy string `json:"policy"`
	Cost   cost   `json:"cost"`
	// Files and Bytes are those of the .gz and .br twins together; Documents
	// are the documents that have them.
	Files     int   `json:"files"`
	Documents int   `json:"documents"`
	Bytes     int64 `json:"bytes"`
	// SavedGzip and SavedBrotli are what a client that fetched every document
	// once would save.
	SavedGzip   int64 `json:"savedGzip"`
	SavedBrotli int64 `json:"savedBrotli"`
}

// sweepAt is the number of listings at which every policy is tried.
const sweepAt = 10_000

// precompress measures cold builds with compressed twins, by turns and in
// folders of their own.
func (s *site) precompress(f *figures) error {
	policies := []string{"off", "4KB", "all"}
	if s.market.listings == sweepAt {
		policies = []string{"off", "16KB", "8KB", "4KB", "2KB", "1KB", "all"}
	}
	costs := make([][]cost, len(policies))
	f.Twins = make([]twins, len(policies))
	for run := range s.runs {
		for i, policy := range policies {
			say("%d listings: --precompress %s, run %d of %d", s.market.listings, policy, run+1, s.runs)
			name := fmt.Sprint(policy, "-", run)
			c, _, err := s.build(name, policy)
			if err != nil {
				return err
			}
			if costs[i] = append(costs[i], c); run > 0 {
				continue
			}
			f.Twins[i].Policy = policy
			if err := f.Twins[i].count(s.folder("public-" + name)); err != nil {
				return fmt.Errorf("count the twins: %w", err)
			}
		}
	}
	for i := range f.Twins {
		f.Twins[i].Cost = median(costs[i])
	}
	return nil
}

// count looks at the twins of an output folder.
func (t *twins) count(public string) error {
	return each(public, func(file string, info fs.FileInfo) error {
		ending := filepath.Ext(file)
		if ending != ".gz" && ending != ".br" {
			return nil
		}
		document, err := os.Stat(filepath.Join(public, strings.TrimSuffix(file, ending)))
		if err != nil {
			return err
		}
		if saved := document.Size() - info.Size(); ending == ".gz" {
			t.SavedGzip += saved
			t.Documents++
		} else {
			t.SavedBrotli += saved
		}
		t.Files++
		t.Bytes += info.Size()
		return nil
	})
}
