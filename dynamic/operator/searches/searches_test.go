package searches_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/dynamic/operator/searches"
)

// A diary is a Log whose clock the test moves and whose waits it ends.
type diary struct {
	*searches.Log
	t        *testing.T
	file     string
	removals catalog.Register

	mu   sync.Mutex
	now  time.Time
	idle chan time.Duration
	tick chan time.Time
}

func newDiary(t *testing.T, file string, least int) *diary {
	d := &diary{t: t, file: file, now: time.Date(2026, 3, 14, 22, 0, 0, 0, time.UTC), idle: make(chan time.Duration), tick: make(chan time.Time)}
	ctx, cancel := context.WithCancel(t.Context())
	d.Log = searches.New(searches.Config{
		File: file, Min: least, Removals: &d.removals, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { d.mu.Lock(); defer d.mu.Unlock(); return d.now },
		After: func(wait time.Duration) <-chan time.Time {
			select {
			case d.idle <- wait:
			case <-ctx.Done():
			}
			return d.tick
		},
	})
	ended := make(chan struct{})
	go func() { defer close(ended); d.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	if file != "" {
		if wait := <-d.idle; wait != 2*time.Hour {
			t.Errorf("it waits for %s until the end of the day", wait)
		}
	}
	return d
}

func (d *diary) ask(times int, text string, found bool) {
	for range times {
		d.Asked(text, found)
	}
}

func (d *diary) pass(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

// turn lets the wait end and returns the next one.
func (d *diary) turn() time.Duration {
	d.tick <- time.Time{}
	return <-d.idle
}

func (d *diary) read() string {
	d.t.Helper()
	text, err := os.ReadFile(d.file)
	if err != nil && !os.IsNotExist(err) {
		d.t.Fatal(err)
	}
	return string(text)
}

func TestFrequentTextsAreLoggedAfterTheDay(t *testing.T) {
	d := newDiary(t, filepath.Join(t.TempDir(), "searches.jsonl"), 3)
	d.ask(2, "Robot  Arm", true)
	d.ask(1, " robot arm", false)
	d.ask(4, "welding \"<cell>\"", false)
	d.ask(2, "rare", true)
	d.ask(9, "", true)
	if d.read() != "" {
		t.Error("it wrote before the end of the day")
	}
	d.pass(2*time.Hour + time.Second)
	d.ask(3, "tomorrow", true)
	d.turn()
	want := `{"day":"2026-03-14","text":"welding \"<cell>\"","asked":4,"empty":4}
{"day":"2026-03-14","text":"robot arm","asked":3,"empty":1}
`
	if got := d.read(); got != want {
		t.Errorf("got\n%s", got)
	}
	d.pass(24 * time.Hour)
	d.turn()
	d.turn()
	if got := d.read(); got != want+`{"day":"2026-03-15","text":"tomorrow","asked":3,"empty":0}`+"\n" {
		t.Errorf("got\n%s", got)
	}
	if asked, empty := d.Counts(); asked != 21 || empty != 5 {
		t.Errorf("%d searches, %d without a result", asked, empty)
	}
	if info, err := os.Stat(d.file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestLogNamesNoRemovedSeller(t *testing.T) {
	d := newDiary(t, filepath.Join(t.TempDir(), "searches.jsonl"), 1)
	for _, text := range []string{"acme-robots", "Acme Robots", "acme.example", "www.acme.example", "id-7", "old 7", "back", "acme-robots gmbh"} {
		d.ask(5, text, true)
	}
	d.removals.Learn(catalog.NewRemovals([]catalog.Removal{
		{ID: "id-7", FormerIDs: []string{"old-7"}, Slug: "acme-robots", Domain: "acme.example"},
		{ID: "back", Slug: "back", Domain: "back.example", Undone: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
	}))
	d.pass(3 * time.Hour)
	d.turn()
	if got := d.read(); strings.Count(got, "\n") != 2 || !strings.Contains(got, `"back"`) || !strings.Contains(got, "gmbh") {
		t.Errorf("got\n%s", got)
	}
}

func TestFailedLogWriteIsRetried(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "away")
	d := newDiary(t, filepath.Join(folder, "searches.jsonl"), 1)
	d.ask(1, "arm", true)
	d.pass(3 * time.Hour)
	if wait := d.turn(); wait != time.Minute {
		t.Errorf("it tries again after %s", wait)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if wait := d.turn(); wait != 23*time.Hour || !strings.Contains(d.read(), `"arm"`) {
		t.Errorf("it waits for %s, and wrote %q", wait, d.read())
	}
}

func TestManyTextsUseBoundedMemory(t *testing.T) {
	d := newDiary(t, filepath.Join(t.TempDir(), "searches.jsonl"), 1)
	for i := range 100_100 {
		d.Asked(fmt.Sprint("text ", i), true)
	}
	d.pass(3 * time.Hour)
	d.turn()
	if n := strings.Count(d.read(), "\n"); n != 100_000 {
		t.Errorf("%d lines", n)
	}
}

func TestWithoutAFileOnlyTotalsAreCounted(t *testing.T) {
	d := newDiary(t, "", 1)
	d.ask(2, "arm", false)
	if asked, empty := d.Counts(); asked != 2 || empty != 2 {
		t.Errorf("%d searches, %d without a result", asked, empty)
	}
}
