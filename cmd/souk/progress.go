package main

import (
	"fmt"
	"sync"
	"time"
)

// drawEvery is how often a line of progress changes.
const drawEvery = 200 * time.Millisecond

// eraseLine goes back to the beginning of a terminal's line and clears it: EL of
// ECMA-48, 8.3.41, which Windows' terminals know too.
const eraseLine = "\r\x1b[K"

// progress draws one line of how much is done on a terminal, for what takes long
// enough to wonder, and takes it away at the end. It may be called by several
// goroutines at once.
func progress(w environment, doing string) func(done, total int) {
	var mu sync.Mutex
	began, most, drawn := w.now(), 0, false
	last := began
	return func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		most = max(most, done) // another goroutine may have told of more
		now := w.now()
		switch {
		case most >= total && drawn:
			fmt.Fprint(w.stderr, eraseLine)
			drawn = false
		case most < total && now.Sub(last) >= drawEvery:
			last, drawn = now, true
			fmt.Fprintf(w.stderr, eraseLine+"%s %d %% (%d of %d), %s", doing, most*100/total, most, total, now.Sub(began).Round(time.Second))
		}
	}
}
