package build_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build"
	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/release"
)

// A command runs one process after the other to build the same content.
type command struct {
	*testing.T
	dir     string
	now     time.Time
	removed []catalog.Removal
}

func newCommand(t *testing.T) command {
	c := command{t, t.TempDir(), time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC), nil}
	c.write("marketplace.yaml", "name: M\nsiteUrl: https://market.example\n")
	for i := range 60 {
		c.write(fmt.Sprintf("sellers/s%d/seller.yaml", i), fmt.Sprintf("officialDomain: s%d.example\nversions: [{version: 1, name: S%d}]\n", i, i))
	}
	c.write("categories/product/arms.yaml", "name: Arms\n")
	c.write("sellers/s7/products/arm.yaml", "name: Arm\ncategories: [arms]\n")
	return c
}

func (c command) write(file, text string) { put(c.T, c.dir, "content/"+file, text) }

// config sets a clock that is far from the times of all files, so that none is read again.
func (c command) config(program string) build.Config {
	return build.Config{
		Content: filepath.Join(c.dir, "content"), Public: filepath.Join(c.dir, "public"), State: filepath.Join(c.dir, "var"), Program: program,
		Clock: func() time.Time { return time.Now().Add(time.Minute) }, At: c.now, Precompress: release.NoPrecompress, Snapshot: true,
	}
}

// build returns the number of rendered units.
func (c command) build(program string) (units int64, report build.Report, err error) {
	c.Helper()
	var all atomic.Int64
	config := c.config(program)
	config.Progress = func(_, total int) { all.Store(int64(total)) }
	b, err := build.New(config)
	if err != nil {
		c.Fatal(err)
	}
	report, err = b.Build(c.Context(), catalog.NewRemovals(c.removed))
	if report.Unsaved != nil {
		c.Errorf("the next command starts from nothing: %v", report.Unsaved)
	}
	return all.Load(), report, err
}

func TestAnEditBetweenTwoCommandsRendersOnlyWhatItTouches(t *testing.T) {
	c := newCommand(t)
	whole, first, err := c.build("one")
	if err != nil {
		t.Fatal(err)
	}
	c.write("sellers/s7/products/arm.yaml", "name: Longer arm\ncategories: [arms]\n")
	units, report, err := c.build("one")
	if err != nil || units == 0 || units > whole/4 {
		t.Fatalf("an edit renders %d units of %d, %v", units, whole, err)
	}
	if report.Written == 0 || report.Written+report.Unchanged != first.Documents {
		t.Errorf("%d documents are written and %d unchanged, of %d", report.Written, report.Unchanged, first.Documents)
	}
	c.write("sellers/s8/products/arm.yaml", "name: Arm\ncategories: [arms]\nexpiresAt: 2026-02-01\n")
	if units, _, err = c.build("one"); err != nil || units == 0 || units > whole/4 {
		t.Errorf("a new file renders %d units of %d, %v", units, whole, err)
	}
	c.now = c.now.AddDate(0, 1, 0)
	if units, _, err = c.build("one"); err != nil || units == 0 || units > whole/4 {
		t.Errorf("what expires renders %d units of %d, %v", units, whole, err)
	}
	if units, _, err = c.build("another"); err != nil || units < whole {
		t.Errorf("another version of the program renders %d units of %d, %v", units, whole, err)
	}
}

func TestARemovalBetweenTwoCommandsRendersOnlyWhatItTouches(t *testing.T) {
	c := newCommand(t)
	whole, _, err := c.build("one")
	if err != nil {
		t.Fatal(err)
	}
	gone := func(seller string) bool {
		files := readTree(t, filepath.Join(c.dir, "public"))
		return files["api/v1/marketplace/companies/"+seller+".json"] == nil && files["api/v1/marketplace/companies/"+seller+".gone.json"] != nil
	}
	for i := range 3 {
		seller := fmt.Sprintf("s%d", 7+i)
		c.removed = append(c.removed, catalog.Removal{ID: seller, Slug: seller, Domain: seller + ".example"})
		if units, _, err := c.build("one"); err != nil || units == 0 || units > whole/4 || !gone(seller) {
			t.Errorf("the removal of %s renders %d units of %d, %v", seller, units, whole, err)
		}
		if units, report, err := c.build("one"); err != nil || units != 0 || report.Written != 0 {
			t.Errorf("after it no change renders %d units, and %d documents are written, %v", units, report.Written, err)
		}
	}
	c.write("sellers/s1/products/arm.yaml", "name: Arm\ncategories: [arms]\n")
	if units, _, err := c.build("one"); err != nil || units == 0 || units > whole/4 {
		t.Errorf("an edit after removals renders %d units of %d, %v", units, whole, err)
	}
}

func TestAMistakeFailsACommandAndItsFixSucceedsWithTheNext(t *testing.T) {
	c := newCommand(t)
	whole, _, err := c.build("one")
	if err != nil {
		t.Fatal(err)
	}
	before := readTree(t, filepath.Join(c.dir, "public"))
	c.write("sellers/s7/products/arm.yaml", "name: Arm\ncategories: [arms]\nrelated: [seller:nobody]\n")
	for range 2 {
		if _, _, err := c.build("one"); !errors.As(err, new(*problem.Error)) {
			t.Fatalf("a Reference to nobody ends with %v", err)
		}
	}
	if after := readTree(t, filepath.Join(c.dir, "public")); len(after) != len(before) {
		t.Error("a mistake changed the release")
	}
	c.write("sellers/s7/products/arm.yaml", "name: Arm\ncategories: [arms]\nrelated: [seller:s1]\n")
	if units, report, err := c.build("one"); err != nil || report.Written == 0 || units > whole/4 {
		t.Errorf("the mended content renders %d units of %d and writes %d documents, %v", units, whole, report.Written, err)
	}
}

func TestAnEditAfterACheckRendersOnlyWhatItTouches(t *testing.T) {
	c := newCommand(t)
	whole, _, err := c.build("one")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Longer arm", "Arm", "Longer arm"} {
		c.write("sellers/s7/products/arm.yaml", "name: "+name+"\ncategories: [arms]\n")
		if _, err := build.Read(t.Context(), c.config("one"), nil); err != nil {
			t.Fatal(err)
		}
		units, report, err := c.build("one")
		if err != nil || report.Written == 0 || units > whole/4 {
			t.Errorf("an edit that was checked renders %d units of %d and writes %d documents, %v", units, whole, report.Written, err)
		}
	}
}

func TestAPictureInTheTextOfTheMarketplaceFollowsItsFile(t *testing.T) {
	c := newCommand(t)
	c.write("marketplace.yaml", "name: M\nsiteUrl: https://market.example\ndescription: 'See ![it](sellers/s1/media/it.svg).'\n")
	c.write("sellers/s1/media/it.svg", square(1))
	if _, _, err := c.build("one"); err != nil {
		t.Fatal(err)
	}
	c.write("sellers/s1/media/it.svg", square(2))
	if _, _, err := c.build("one"); err != nil {
		t.Fatal(err)
	}
	tree := readTree(t, filepath.Join(c.dir, "public"))
	_, from, _ := strings.Cut(string(tree["api/v1/marketplace.json"]), "https://market.example/media/")
	if name, _, _ := strings.Cut(from, ")"); tree["media/"+name] == nil {
		t.Errorf("the marketplace shows media/%s, which is not there", name)
	}
}

func TestCommandsOneAfterTheOtherEndInWhatAFreshBuildMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMarket(t)
		defer os.RemoveAll(m.dir)
		m.commands, m.plain = true, true
		for step := range rapid.IntRange(2, 8).Draw(t, "steps") {
			if step > 0 {
				for range rapid.IntRange(0, 2).Draw(t, "edits") {
					m.edit(t)
				}
			}
			m.restart(t)
			report, err := m.builder.Build(context.Background(), m.set())
			if err != nil && strings.Contains(err.Error(), "publish a ") && m.good {
				continue // as in TestAnySequenceOfEditsEndsInWhatAFreshBuildMakes
			}
			if err != nil && !isMistakes(err) {
				t.Fatal(err)
			}
			m.compare(t, step, report, err)
			if err == nil && report.Warnings != m.warnings {
				t.Fatalf("%d warnings, and %d afresh", report.Warnings, m.warnings)
			}
		}
	})
}
