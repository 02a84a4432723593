package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"souk/build"
	"souk/build/release"
)

// An edit is one kind of change to a product's file.
type edit struct {
	name string
	// change returns the new text of a line of the file, or false where the line
	// is not the one.
	change func(line string) (string, bool)
}

// The kinds of edits, from the one that touches least to the one that moves
// the product through all its lists.
var editKinds = []edit{
	{"summary", changeSummary},
	{"price", changePrice},
	{"name", func(line string) (string, bool) { return line + " Plus", strings.HasPrefix(line, "name: ") }},
	{"name, to the lists' front", func(line string) (string, bool) {
		return strings.Replace(line, "name: ", "name: Aaa ", 1), strings.HasPrefix(line, "name: ")
	}},
}

func changeSummary(line string) (string, bool) {
	if !strings.HasPrefix(line, "summary: ") {
		return line, false
	}
	if text, quoted := strings.CutSuffix(line, `"`); quoted {
		return text + ` New."`, true
	}
	return line + " New.", true
}

func changePrice(line string) (string, bool) {
	return strings.Replace(line, `amount: "`, `amount: "1`, 1), strings.HasPrefix(line, "  amount: ")
}

// apply edits a file of the content.
func (e edit) apply(content, file string) error {
	path := filepath.Join(content, filepath.FromSlash(file))
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("edit a product: %w", err)
	}
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		if changed, ok := e.change(string(line)); ok {
			lines[i] = []byte(changed)
			return os.WriteFile(path, bytes.Join(lines, []byte("\n")), 0o644)
		}
	}
	return fmt.Errorf("edit a product: %s has no line for its %s", file, e.name)
}

// Edits are rebuilds after edits of one kind to several products.
type edits struct {
	Kind   string        `json:"kind"`
	Count  int           `json:"count"`
	Median time.Duration `json:"median"`
	Max    time.Duration `json:"max"`
	// Written is the median number of documents that an edit wrote.
	Written int `json:"written"`
}

// editsOfAKind is how many products are edited in each way.
const editsOfAKind = 15

// watch measures what `souk serve --watch` does once it is told of a change:
// the time until the file system tells it is not included.
func watch(ctx context.Context, m *market, content, public, state string) ([]edits, error) {
	b, err := build.New(build.Config{
		Content: content, Public: public, State: state,
		Clock: time.Now, Precompress: release.NoPrecompress, Program: "bench",
	})
	if err != nil {
		return nil, err
	}
	if _, err := b.Build(ctx, nil); err != nil {
		return nil, err
	}
	files := m.products(len(editKinds) * editsOfAKind)
	if len(files) < len(editKinds) {
		return nil, errors.New("there are too few products to edit")
	}
	settle()
	var all []edits
	for k, kind := range editKinds {
		var times []time.Duration
		var written []int
		for i := k; i < len(files); i += len(editKinds) {
			if err := kind.apply(content, files[i]); err != nil {
				return nil, err
			}
			began := time.Now()
			r, err := b.Build(ctx, nil, files[i])
			if err != nil {
				return nil, fmt.Errorf("build after the edit of %s: %w", files[i], err)
			}
			times, written = append(times, time.Since(began)), append(written, r.Written)
		}
		slices.Sort(times)
		slices.Sort(written)
		all = append(all, edits{
			Kind: kind.name, Count: len(times), Median: times[len(times)/2], Max: times[len(times)-1], Written: written[len(written)/2],
		})
	}
	return all, nil
}
