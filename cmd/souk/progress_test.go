package main

import (
	"bytes"
	"sync"
	"testing"
	"time"
)

func TestProgressLineIsErased(t *testing.T) {
	var out bytes.Buffer
	var clock time.Time
	tell := progress(environment{stderr: &out, now: func() time.Time { return clock }}, "rendering")
	for _, c := range []struct {
		after       time.Duration
		done, total int
		want        string
	}{
		{0, 0, 400, ""},
		{100 * time.Millisecond, 1, 400, ""}, // too short to need progress
		{2 * time.Second, 100, 400, eraseLine + "rendering 25 % (100 of 400), 2s"},
		{100 * time.Millisecond, 120, 400, ""}, // too soon
		{time.Second, 110, 400, eraseLine + "rendering 30 % (120 of 400), 3s"},
		{time.Millisecond, 400, 400, eraseLine},
		{time.Second, 400, 400, ""},
	} {
		out.Reset()
		clock = clock.Add(c.after)
		tell(c.done, c.total)
		if out.String() != c.want {
			t.Errorf("%d of %d: %q, want %q", c.done, c.total, out.String(), c.want)
		}
	}
}

func TestQuickOrEmptyWorkShowsNoProgress(t *testing.T) {
	var out bytes.Buffer
	tell := progress(environment{stderr: &out, now: time.Now}, "probing")
	tell(0, 0)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() { tell(i, 50) })
	}
	all.Wait()
	tell(50, 50)
	if out.Len() > 0 && !bytes.HasSuffix(out.Bytes(), []byte(eraseLine)) {
		t.Errorf("%q is left", out.String())
	}
}
