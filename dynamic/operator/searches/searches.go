// Package searches counts what people search for: totals for a Prometheus server, and for
// the operator a daily log of texts that many people searched for, from which synonyms and
// missing categories can be seen.
//
// Counts stay in memory until the end of the day. Neither who searched nor when is known
// here, and rare texts, which may say something about a person, are dropped, as are the
// names of removed sellers.
package searches

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"souk/build/catalog"
)

// Config configures a Log. Without a File, only totals are counted.
type Config struct {
	// File is appended to at the end of each day (UTC).
	File string
	// Min is how often a text must have been searched for on a day to be in the File.
	Min int
	// Removals are the removed sellers, whose names are never in the File.
	Removals *catalog.Register
	Log      *slog.Logger
	// Now is the wall clock, After the timer; default those of package time.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

const (
	// mostTexts is how many different texts of a day are counted.
	mostTexts = 100_000
	// mostDays is how many days wait while the File cannot be written.
	mostDays = 7
	// retryTime is how soon the File is tried again.
	retryTime = time.Minute
)

// A Log counts searches. Its methods are safe for concurrent use.
type Log struct {
	config Config

	mu           sync.Mutex
	asked, empty uint64
	// days are those not written yet, the present one last.
	days []day
}

type day struct {
	date  string
	texts map[string]*line
}

// A line is what the File says about a text.
type line struct {
	Day   string `json:"day"`
	Text  string `json:"text"`
	Asked int    `json:"asked"`
	Empty int    `json:"empty"`
}

// New returns a Log; Run writes its File.
func New(c Config) *Log {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	return &Log{config: c}
}

// Open checks that a file can be appended to, and creates it if it is missing.
func Open(file string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// Asked counts a search for a text, and whether it found something.
func (l *Log) Asked(text string, found bool) {
	text = normalized(text)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	if !found {
		l.empty++
	}
	if l.config.File == "" || text == "" {
		return
	}
	texts := l.today().texts
	one := texts[text]
	if one == nil {
		if len(texts) == mostTexts {
			return
		}
		one = &line{}
		texts[text] = one
	}
	one.Asked++
	if !found {
		one.Empty++
	}
}

// today returns the present day, which it begins if it is new. A clock that is set back
// begins no day again.
func (l *Log) today() day {
	date := l.config.Now().UTC().Format(time.DateOnly)
	if n := len(l.days); n == 0 || l.days[n-1].date < date {
		l.days = append(l.days, day{date, map[string]*line{}})
		l.days = l.days[max(0, len(l.days)-mostDays):]
	}
	return l.days[len(l.days)-1]
}

// Counts returns how many searches there were, and how many found nothing.
func (l *Log) Counts() (asked, empty uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked, l.empty
}

// Run writes the File at the end of each day until ctx ends. The present day is then
// dropped.
func (l *Log) Run(ctx context.Context) {
	for l.config.File != "" {
		now := l.config.Now().UTC()
		wait := now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
		if err := l.write(); err != nil {
			l.config.Log.Error("cannot write the search log; trying again", "file", l.config.File, "cause", err)
			wait = retryTime
		}
		select {
		case <-ctx.Done():
			return
		case <-l.config.After(wait):
		}
	}
}

// write appends the days that are over to the File.
func (l *Log) write() error {
	l.mu.Lock()
	l.today()
	over := slices.Clone(l.days[:len(l.days)-1])
	l.mu.Unlock()
	removed := names(l.config.Removals.Now())
	for _, d := range over {
		if err := appendLines(l.config.File, d.lines(l.config.Min, removed)); err != nil {
			return err
		}
		l.mu.Lock()
		l.days = slices.DeleteFunc(l.days, func(other day) bool { return other.date == d.date })
		l.mu.Unlock()
	}
	return nil
}

// lines returns the texts that were searched for often enough, the most frequent first.
func (d day) lines(least int, removed map[string]bool) (list []line) {
	for _, text := range slices.Sorted(maps.Keys(d.texts)) {
		if one := d.texts[text]; one.Asked >= least && !removed[letters(text)] {
			list = append(list, line{d.date, text, one.Asked, one.Empty})
		}
	}
	slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(b.Asked, a.Asked) })
	return list
}

// appendLines appends all lines or, if that fails, none.
func appendLines(file string, lines []line) (err error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	for _, one := range lines {
		if err := e.Encode(one); err != nil {
			return err
		}
	}
	if text.Len() == 0 {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	before, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err = f.Write(text.Bytes()); err == nil {
		err = f.Sync()
	}
	if err != nil && before.Mode().IsRegular() {
		if cut := f.Truncate(before.Size()); cut != nil {
			err = fmt.Errorf("%w, and a part of a day stays in it: %w", err, cut)
		}
	}
	return err
}

// normalized returns a text as it is counted.
func normalized(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFC.String(text))), " ")
}

// names returns what removed sellers are known by, as letters returns it.
func names(removals *catalog.Removals) map[string]bool {
	all := map[string]bool{}
	for _, one := range removals.List() {
		if one.Restored() {
			continue
		}
		for _, name := range append([]string{one.ID, one.Slug, one.Domain, "www." + one.Domain}, one.FormerIDs...) {
			all[letters(normalized(name))] = true
		}
	}
	return all
}

// letters returns the letters and digits of a text, so that "acme robots" is compared as
// acme-robots is.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
