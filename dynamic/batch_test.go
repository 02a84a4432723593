package dynamic

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"souk/build"
)

// debouncing runs debounce in a synctest bubble.
func debouncing(t *testing.T, test func(in chan<- string, out <-chan []string)) {
	debouncingWhile(t, func() bool { return false }, test)
}

func debouncingWhile(t *testing.T, paused func() bool, test func(in chan<- string, out <-chan []string)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := make(chan string), make(chan []string)
		go debounce(ctx, in, out, paused)
		test(in, out)
		cancel()
	})
}

func TestChangesAreBatchedUntilQuiet(t *testing.T) {
	debouncing(t, func(in chan<- string, out <-chan []string) {
		began := time.Now()
		for _, path := range []string{"b", "a", "b"} {
			in <- path
			time.Sleep(quietTime / 2)
		}
		if got := <-out; !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("got %q", got)
		}
		if took := time.Since(began); took != 2*quietTime {
			t.Errorf("after %v", took)
		}
	})
}

func TestContinuousChangesAreDeliveredAfterTheMaximumDelay(t *testing.T) {
	debouncing(t, func(in chan<- string, out <-chan []string) {
		began := time.Now()
		for passed := false; !passed; {
			in <- "a"
			time.Sleep(quietTime / 2)
			// If both are possible, a select would choose at random.
			select {
			case <-out:
				passed = true
			default:
			}
		}
		if took := time.Since(began); took < longestTime || took > longestTime+quietTime {
			t.Errorf("after %v", took)
		}
	})
}

func TestChangesWaitForABusyReceiverInOneBatch(t *testing.T) {
	debouncing(t, func(in chan<- string, out <-chan []string) {
		for _, path := range []string{"a", "b", "c"} {
			in <- path
			time.Sleep(time.Second)
		}
		if got := <-out; !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %q", got)
		}
		in <- "d"
		if got := <-out; !slices.Equal(got, []string{"d"}) {
			t.Errorf("then %q", got)
		}
	})
}

func TestLostChangesBecomeAWholeBuild(t *testing.T) {
	debouncing(t, func(in chan<- string, out <-chan []string) {
		in <- "a"
		in <- build.Whole
		in <- "b"
		if got := <-out; !slices.Equal(got, []string{build.Whole}) {
			t.Errorf("got %q", got)
		}
	})
}

func TestPausedChangesAreDeliveredInOneBatch(t *testing.T) {
	var paused atomic.Bool
	paused.Store(true)
	debouncingWhile(t, paused.Load, func(in chan<- string, out <-chan []string) {
		in <- "a"
		time.Sleep(2 * longestTime)
		in <- "b"
		time.Sleep(2 * quietTime)
		select {
		case got := <-out:
			t.Errorf("got %q", got)
		default:
		}
		paused.Store(false)
		// Writes made before the end may be reported after it.
		time.Sleep(quietTime - 1)
		in <- "c"
		if got := <-out; !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %q", got)
		}
	})
}

func TestDueChangesCanBePausedWhileTheReceiverIsBusy(t *testing.T) {
	var paused atomic.Bool
	debouncingWhile(t, paused.Load, func(in chan<- string, out <-chan []string) {
		in <- "a"
		time.Sleep(longestTime)
		paused.Store(true)
		in <- "b"
		time.Sleep(longestTime)
		select {
		case got := <-out:
			t.Errorf("got %q", got)
		default:
		}
		in <- "c"
		paused.Store(false)
		if got := <-out; !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %q", got)
		}
	})
}
