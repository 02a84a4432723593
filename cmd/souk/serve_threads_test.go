package main

import (
	"runtime"
	"testing"
)

func TestServerThreadsExceedProcessorsUnlessLimited(t *testing.T) {
	have := runtime.NumCPU()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		name         string
		variable     string
		before, want int
	}{
		{"as many as processors", "", have, have + spareThreads},
		{"once more", "", have + spareThreads, have + spareThreads},
		{"GOMAXPROCS decides", "2", have, have},
	} {
		runtime.GOMAXPROCS(c.before)
		threads(environment{lookupenv: func(name string) (string, bool) {
			return map[string]string{"GOMAXPROCS": c.variable}[name], true
		}})
		if got := runtime.GOMAXPROCS(0); got != c.want {
			t.Errorf("%s: %d threads, want %d", c.name, got, c.want)
		}
	}
}
