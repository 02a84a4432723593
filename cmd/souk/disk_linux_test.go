package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"souk/build/release"
)

// smallDisk mounts a disk with little space.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may mount the small disk that this test fills")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("the small disk that this test fills cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillDisk writes to a disk until only the given number of bytes is free.
func fillDisk(t *testing.T, disk string, left int64) (ballast string) {
	t.Helper()
	ballast = filepath.Join(disk, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, err := io.Copy(f, zeros{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	if err := f.Truncate(max(0, size-left)); err != nil {
		t.Fatal(err)
	}
	return ballast
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestFullDiskKeepsTheOldRelease(t *testing.T) {
	disk := smallDisk(t)
	program := built(t)
	before, after := fresh(t, program, market(false)), fresh(t, program, market(true))
	elsewhere := t.TempDir()
	for _, c := range []struct {
		name, public, state string
		left                []int64
	}{
		{"output and state on the full disk", disk, disk, []int64{0, 4 << 10, 32 << 10, 128 << 10, 512 << 10}},
		{"the output alone", disk, elsewhere, []int64{0, 128 << 10}},
		{"the state alone", elsewhere, disk, []int64{0, 32 << 10}},
	} {
		for _, left := range c.left {
			t.Run(fmt.Sprintf("%s, with %d KB left", c.name, left>>10), func(t *testing.T) {
				i := installation{program, filepath.Join(t.TempDir(), "content"), filepath.Join(c.public, "public"), filepath.Join(c.state, "state")}
				defer os.RemoveAll(i.public)
				defer os.RemoveAll(release.Folder(i.public))
				defer os.RemoveAll(i.state)
				i.fill(t, market(false))
				i.build(t)
				i.fill(t, market(true))
				ballast := fillDisk(t, disk, left)
				defer os.Remove(ballast)
				out, err := exec.Command(program, i.args()...).CombinedOutput()
				var exit *exec.ExitError
				switch {
				case err == nil:
					sameBytes(t, i.read(t), after)
				case !errors.As(err, &exit) || exit.ExitCode() != exitWrong:
					t.Fatalf("%v\n%s", err, out)
				case !strings.Contains(string(out), "no space left on device") && !strings.Contains(string(out), "full"):
					t.Errorf("the message does not say what is the matter: %s", out)
				default:
					// Saving the state for the next build may fail after the release is in
					// place.
					if got := i.read(t); !equal(got, after) {
						sameBytes(t, got, before)
					}
				}
				if err := os.Remove(ballast); err != nil {
					t.Fatal(err)
				}
				i.build(t)
				sameBytes(t, i.read(t), after)
				leftNothing(t, i.public)
			})
		}
	}
}
