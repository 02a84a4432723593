package main

import (
	"fmt"
	"sync"
	"time"
)

// drawEvery is how often the progress line is redrawn.
const drawEvery = 200 * time.Millisecond

// eraseLine returns to the start of a terminal's line and clears it (EL of ECMA-48, 8.3.41,
// which Windows terminals support too).
const eraseLine = "\r\x1b[K"

// progress draws one line on a terminal that shows how much of a slow task is done, and erases
// it at the end. It is safe for concurrent use.
func progress(w environment, doing string) func(done, total int) {
	var mu sync.Mutex
	began, most, drawn := w.now(), 0, false
	last := began
	return func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		most = max(most, done) // calls of several goroutines may arrive out of order
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
