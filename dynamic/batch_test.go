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

// debouncing runs debounce in a bubble of its own time.
func debouncing(t *testing.T, test func(in chan<- string, out <-chan []string)) {
	debouncingWhile(t, func() bool { return false }, test)
}

func debouncingWhile(t *testing.T, held func() bool, test func(in chan<- string, out <-chan []string)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := make(chan string), make(chan []string)
		go debounce(ctx, in, out, held)
		test(in, out)
		cancel()
	})
}

func TestChangesArePassedOnTogetherOnceNothingChanges(t *testing.T) {
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

func TestChangesThatGoOnArePassedOnAfterTheLongestTime(t *testing.T) {
	debouncing(t, func(in chan<- string, out <-chan []string) {
		began := time.Now()
		for passed := false; !passed; {
			in <- "a"
			time.Sleep(quietTime / 2)
			// Where both are possible a select would take either.
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

func TestLostChangesStandForEverything(t *testing.T) {
	debouncing(t, func(in chan<- string, out <-chan []string) {
		in <- "a"
		in <- build.Whole
		in <- "b"
		if got := <-out; !slices.Equal(got, []string{build.Whole}) {
			t.Errorf("got %q", got)
		}
	})
}

func TestChangesThatAreHeldArePassedOnInOneBatchOnceTheLastHaveArrived(t *testing.T) {
	var held atomic.Bool
	held.Store(true)
	debouncingWhile(t, held.Load, func(in chan<- string, out <-chan []string) {
		in <- "a"
		time.Sleep(2 * longestTime)
		in <- "b"
		time.Sleep(2 * quietTime)
		select {
		case got := <-out:
			t.Errorf("got %q", got)
		default:
		}
		held.Store(false)
		// What was written before the end may be reported after it.
		time.Sleep(quietTime - 1)
		in <- "c"
		if got := <-out; !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %q", got)
		}
	})
}

func TestChangesThatAreDueAreHeldAgainWhileTheReceiverIsBusy(t *testing.T) {
	var held atomic.Bool
	debouncingWhile(t, held.Load, func(in chan<- string, out <-chan []string) {
		in <- "a"
		time.Sleep(longestTime)
		held.Store(true)
		in <- "b"
		time.Sleep(longestTime)
		select {
		case got := <-out:
			t.Errorf("got %q", got)
		default:
		}
		in <- "c"
		held.Store(false)
		if got := <-out; !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("got %q", got)
		}
	})
}
