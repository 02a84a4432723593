package main

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func TestHelpListsEveryCommandUnderAHeading(t *testing.T) {
	root := newRoot(environment{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, lookupenv: none, now: time.Now})
	for _, c := range root.Commands() {
		if c.GroupID == "" {
			t.Errorf("%s has no heading: add it to commandGroups", c.Name())
		}
	}
}

func TestServeHelpListsEveryFlagUnderOneHeading(t *testing.T) {
	var listed []string
	for _, subject := range flagSubjects {
		listed = append(listed, strings.Fields(subject.flags)...)
	}
	var flags []string
	root := newRoot(environment{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, lookupenv: none, now: time.Now})
	serve, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	serve.InitDefaultHelpFlag()
	serve.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	slices.Sort(listed)
	slices.Sort(flags)
	if !slices.Equal(listed, flags) {
		t.Errorf("flags of serve by heading:\n%q, want\n%q", listed, flags)
	}
}
