package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run the test binary as souk.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"souk": main})
}

// tests runs this package's tests and deletes the compiled programs.
type tests struct{ *testing.M }

// Run implements testscript.TestingM.
func (t tests) Run() int {
	code := t.M.Run()
	_ = os.RemoveAll(executable.folder) // empty unless a test needed the program
	return code
}

// executable is souk as released, without the race detector. It is built for the first test
// that needs it, because linking takes seconds of processor time.
var executable struct {
	once   sync.Once
	folder string
	said   []byte
	err    error
}

// built returns the path of the binary.
func built(t testing.TB) string {
	t.Helper()
	executable.once.Do(func() {
		if executable.folder, executable.err = os.MkdirTemp("", "souk-built-"); executable.err == nil {
			executable.said, executable.err = exec.Command("go", "build", "-o", executable.folder, ".").CombinedOutput()
		}
	})
	if executable.err != nil {
		t.Fatalf("%v\n%s", executable.err, executable.said)
	}
	return filepath.Join(executable.folder, "souk")
}
