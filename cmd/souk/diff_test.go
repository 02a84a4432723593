//go:build unix

package main

import (
	"context"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/inspect/diff"
)

// TestDiffFindsNothingBetweenAReleaseAndItsServer compares a release with its server, which
// hides some of the files and answers searches itself.
func TestDiffFindsNothingBetweenAReleaseAndItsServer(t *testing.T) {
	i := house(t, built(t), market(true))
	i.build(t)
	s := i.serve(t)
	said, err := exec.Command(i.program, "diff", strings.TrimSuffix(s.base, "/api/v1/marketplace"), i.public, "--list").CombinedOutput()
	if err != nil || strings.TrimSpace(string(said)) != "no difference" {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestFirstBuildLogsItsDuration(t *testing.T) {
	i := house(t, built(t), market(true))
	s := i.serve(t)
	s.stop()
	if told := regexp.MustCompile(`rebuilt .*seconds=(\S+)`).FindStringSubmatch(s.said.String()); told == nil || told[1] == "0" {
		t.Errorf("the log tells %q:\n%s", told, s.said)
	}
}

// TestDiffReportsVanishedFiles deletes each file and folder of a release in turn:
// documents, pages, pictures, feeds, sitemaps, scripts and the operator's own files.
func TestDiffReportsVanishedFiles(t *testing.T) {
	dir := t.TempDir()
	config := build.Config{
		Content: filepath.Join("..", "..", "content"), Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"),
		Clock: time.Now, Program: "test", Pages: true,
	}
	b, err := build.New(config)
	if err == nil {
		_, err = b.Build(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	market, err := build.Read(t.Context(), config, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, err := diff.Folder(context.Background(), config.Public)
	if err != nil {
		t.Fatal(err)
	}
	has, err := build.Files(market, "", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.Sorted(maps.Keys(before)) {
		after := maps.Clone(before)
		delete(after, file)
		if len(diff.Compare(before, after).Unexplained(market, has)) != 1 {
			t.Errorf("%s vanished, and that is no fault", file)
		}
	}
	if faults := diff.Compare(before, before).Unexplained(market, has); len(faults) > 0 {
		t.Errorf("nothing vanished: %v", faults)
	}
}
