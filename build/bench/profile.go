package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"souk/build"
	"souk/build/release"
)

// profileBuild builds the first size in this process, cold and without
// compressed twins, and writes where its time went.
func profileBuild(ctx context.Context, o options, dir string) (err error) {
	say("%d listings: writing the content", o.sizes[0])
	content := filepath.Join(dir, "content")
	if err := newMarket(o.sizes[0]).write(content); err != nil {
		return err
	}
	out, err := os.Create(o.profile)
	if err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	b, err := build.New(build.Config{
		Content: content, Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "state"),
		Clock: time.Now, Precompress: release.NoPrecompress, Program: "bench",
	})
	if err != nil {
		return err
	}
	settle()
	began, before := time.Now(), ownTimes()
	if err := pprof.StartCPUProfile(out); err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	r, err := b.Build(ctx, nil)
	pprof.StopCPUProfile()
	if err != nil {
		return err
	}
	after := ownTimes()
	fmt.Printf("%d documents, wall %.2f s, user %.2f s, system %.2f s\n", r.Documents,
		time.Since(began).Seconds(), (after.User - before.User).Seconds(), (after.System - before.System).Seconds())
	return o.writeMemoryProfile()
}

// writeMemoryProfile writes what was allocated since the start.
func (o options) writeMemoryProfile() error {
	if o.memory == "" {
		return nil
	}
	out, err := os.Create(o.memory)
	if err != nil {
		return fmt.Errorf("write the memory profile: %w", err)
	}
	runtime.GC()
	return errors.Join(pprof.Lookup("allocs").WriteTo(out, 0), out.Close())
}
