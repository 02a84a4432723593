package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/inspect/diff"
	"souk/build/kit/problem"
	"souk/build/release"
)

// renamings finds items whose slug differs from the last release in the public folder, if this
// machine made one.
func renamings(c *catalog.Catalog, public string) (list []diff.Renaming, err error) {
	last, err := release.Follow(public)
	if errors.Is(err, release.ErrNoRelease) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, last.Close()) }()
	if c.Market() == nil {
		return nil, nil
	}
	before := diff.Earlier{
		Read: func(file string) ([]byte, error) { return os.ReadFile(last.Path(file)) },
		Owner: func(slug string) (id string, domains []string) {
			o, _ := last.Owner(slug)
			return o.ID, o.Domains
		},
	}
	last.Each(func(file string, _ release.Entry) { before.Files = append(before.Files, file) })
	return diff.Renamings(c, document.NewRenderer(c, ""), before), nil
}

// renamedBetween finds items whose slug differs between two releases.
func renamedBetween(ctx context.Context, c *catalog.Catalog, name string, before diff.Tree) []diff.Renaming {
	files := make([]string, 0, len(before))
	for file := range before {
		files = append(files, file)
	}
	return diff.Renamings(c, document.NewRenderer(c, ""), diff.Earlier{
		Files: files, Read: func(file string) ([]byte, error) { return diff.Read(ctx, name, file) },
	})
}

// aliasLine returns the line that keeps an item's former address working, and the file to
// write it into.
func aliasLine(r diff.Renaming) (file, line string) {
	h := r.Now.Head()
	if len(h.Aliases) > 0 {
		return h.File, fmt.Sprintf("add %s to aliases", r.Former)
	}
	return h.File, fmt.Sprintf("add the line aliases: [%s]", r.Former)
}

// withRenamings adds a warning for each renamed item. If other files still use the former
// name, a single mistake with the command to run replaces theirs.
func withRenamings(list problem.List, renamed []diff.Renaming) problem.List {
	for _, r := range renamed {
		file, line := aliasLine(r)
		others := len(list)
		list = slices.DeleteFunc(list, func(p problem.Problem) bool {
			missing, is := strings.CutPrefix(p.Text, "there is no ")
			return is && isFormer(r, missing)
		})
		if others -= len(list); others > 0 {
			list = append(list, problem.Problem{
				File: file, Meant: fmt.Sprintf("run: souk rename %s %s", r.Former, r.Now.Ref().Slug),
				Text: fmt.Sprintf("this seems to be the former %q, which is still used in %s", r.Former, problem.Count(others, "place")),
			})
			continue
		}
		list = append(list, problem.Problem{
			File: file, Warning: true, Meant: line,
			Text: fmt.Sprintf("this seems to be the former %q, whose addresses would answer 404", r.Former),
		})
	}
	return list
}

// isFormer reports whether a Reference names the renamed item or something below it.
func isFormer(r diff.Renaming, text string) bool {
	ref, err := catalog.ParseRef(text)
	return err == nil && (ref == r.Former || r.Former.Kind == catalog.KindSeller && ref.Company == r.Former.Slug)
}
