package main

import (
	"strings"
	"testing"

	"souk/dynamic/operator/trace"
)

// A text in the content must not control the operator's terminal.
func TestTraceEscapesTerminalSequences(t *testing.T) {
	var out strings.Builder
	err := printTrace(&out, trace.Findings{{File: "articles/a.md", What: trace.WhatName, Where: "line 1", Excerpt: "by \x1b]0;title\a Acme \u009b31m and \x7f Söhne"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "articles/a.md\n  line 1: name: by \uFFFD]0;title\uFFFD Acme \uFFFD31m and \uFFFD Söhne\n"; out.String() != want {
		t.Errorf("it prints %q, want %q", out.String(), want)
	}
}
