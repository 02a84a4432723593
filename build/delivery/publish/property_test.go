package publish

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
)

// The possible layouts of a destination.
var layouts = map[string]Options{
	"a bucket":                    {},
	"a bucket without extensions": {Extensionless: true},
	"a bucket with gzip":          {Gzip: true},
	"a folder":                    {},
}

func TestAnySequenceOfBuildsPublishesAndKillsEndsEqualToTheTree(t *testing.T) {
	for name, o := range layouts {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				dir, err := os.MkdirTemp(t.TempDir(), "")
				if err != nil {
					r.Fatal(err)
				}
				defer os.RemoveAll(dir)
				o.State, o.Requests.Parallel = filepath.Join(dir, "var"), 3
				a := arrange(t, o)
				if name == "a folder" {
					a.destination, a.memory = filepath.Join(dir, "out"), nil
				}
				live(r, a, newShelf(r, dir))
			})
		})
	}
}

// live changes, builds and publishes a shelf, with random kills, and checks that a last
// publish completes everything.
func live(r *rapid.T, a *arrangement, s *shelf) {
	// A company that returns was restored.
	var restored []catalog.Removal
	for _, company := range []string{"acme", "globex", "initech"} {
		restored = append(restored, catalog.Removal{ID: company, Slug: company, Undone: time.Now().Add(time.Hour)})
	}
	a.removals = catalog.NewRemovals(restored)
	for range rapid.IntRange(1, 6).Draw(r, "steps") {
		company := rapid.SampledFrom([]string{"acme", "globex", "initech"}).Draw(r, "company")
		product := fmt.Sprintf("%s%s/products/p%d.json", companies, company, rapid.IntRange(1, 3).Draw(r, "product"))
		switch rapid.IntRange(0, 5).Draw(r, "change") {
		case 0, 1:
			delete(s.gone, product)
			// There are few versions, so that a published one can return.
			s.docs[product] = fmt.Sprintf("version %d of %s", rapid.IntRange(1, 2).Draw(r, "version"), product)
			s.docs[picture(company)] = "<svg/>"
			s.build(r)
		case 2:
			delete(s.docs, product)
			delete(s.gone, product)
			s.build(r)
		case 3:
			s.remove(r, company)
		case 4:
			s.gone = map[string]bool{}
			s.build(r)
		case 5: // an operator's file becomes a folder, or the reverse
			own := []string{"download.json", "download.json/one.json", "download.json/of/two.json", "download.json.gz/three.json"}
			for _, file := range own {
				delete(s.docs, file)
			}
			for range rapid.IntRange(0, 2).Draw(r, "files of the operator") {
				s.docs[rapid.SampledFrom(own[1:]).Draw(r, "file")] = strings.Repeat("own ", 100)
			}
			if rapid.Bool().Draw(r, "one file instead") {
				maps.DeleteFunc(s.docs, func(file, _ string) bool { return strings.HasPrefix(file, own[0]) })
				s.docs[own[0]] = strings.Repeat("own ", 100)
			}
			s.build(r)
		}
		if rapid.Bool().Draw(r, "publishes") {
			killed(r, a, s, rapid.Int64Range(1, 60).Draw(r, "steps before the kill"))
		}
	}
	a.publish(r, s)
	a.holds(r, s)
	if again := a.publish(r, s); again.Uploaded+again.Deleted > 0 {
		r.Fatalf("a second publish uploads %d and deletes %d", again.Uploaded, again.Deleted)
	}
}

// killed publishes with a Publisher that dies before its n-th step. What it leaves must
// contain the completed removals, and no partial file.
func killed(r fatal, a *arrangement, s *shelf, n int64) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := a.publisher(r)
	p.fault = killer(n, cancel)
	if _, err := p.Publish(ctx, s.tree, a.removals); err != nil && !errors.Is(err, context.Canceled) {
		r.Fatal(err)
	}
}
