package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be souk where a script calls it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"souk": main})
}
