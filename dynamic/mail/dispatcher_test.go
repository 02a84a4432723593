package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"
)

// senderFunc is a function that implements Sender.
type senderFunc func(ctx context.Context, l Letter) error

func (f senderFunc) Send(ctx context.Context, l Letter) error { return f(ctx, l) }

// counting returns a Sender that fails with each of the failures in turn, then accepts and
// collects every Letter.
func counting(sent *[]Letter, failures ...error) Sender {
	return senderFunc(func(_ context.Context, l Letter) error {
		*sent = append(*sent, l)
		if n := len(*sent); n <= len(failures) {
			return failures[n-1]
		}
		return nil
	})
}

// running starts a Dispatcher in a synctest bubble, whose clock only moves when all
// goroutines wait.
func running(t *testing.T, o Queue, s Sender) (d *Dispatcher, logged *bytes.Buffer, stop func()) {
	t.Helper()
	logged = &bytes.Buffer{}
	d = NewDispatcher(Config{
		Queue: o, Sender: s, Log: slog.New(slog.NewJSONHandler(logged, nil)),
		Random: func() float64 { return 0.5 },
	})
	ctx, cancel := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { d.Run(ctx) })
	return d, logged, func() {
		cancel()
		ended.Wait()
		assertSilent(t, logged.String())
	}
}

// current returns a message that is valid for a day from the bubble's time.
func current(kind Kind) Message {
	m := message(kind)
	if kind.isLink() {
		m.ExpiresAt = time.Now().Add(24 * time.Hour)
	}
	return m
}

var down = &Failure{Step: "reaching the mail server", Detail: "connection refused"}

func TestWakeSendsANewMailAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		d, _, stop := running(t, o, counting(&sent))
		defer stop()
		synctest.Wait()
		began := time.Now()
		e := o.put(current(ClaimLink), began)
		d.Wake()
		d.Wake()
		synctest.Wait()
		if accepted, _, _ := o.state(e); !accepted || !time.Now().Equal(began) {
			t.Errorf("accepted: %v, after %v", accepted, time.Since(began))
		}
	})
}

func TestMailAddedByAnotherMachineIsFoundWithoutWake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		_, _, stop := running(t, o, counting(&sent))
		defer stop()
		synctest.Wait()
		e := o.put(current(RemovalDone), time.Now())
		time.Sleep(pollTime)
		synctest.Wait()
		if accepted, _, _ := o.state(e); !accepted {
			t.Error("nobody looked")
		}
	})
}

func TestRetriesBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		e := o.put(current(ClaimLink), time.Now())
		_, _, stop := running(t, o, counting(&sent, down, down, down, down, down, down, down, down, down))
		time.Sleep(20 * time.Hour)
		stop()
		if accepted, _, _ := o.state(e); !accepted || len(sent) != 10 {
			t.Fatalf("accepted: %v, after %d tries", accepted, len(sent))
		}
		want := []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute,
			16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour}
		for i, wait := range want {
			if got := e.tries[i+1].Sub(e.tries[i]); got != wait {
				t.Errorf("before try %d it waited %v, want %v", i+2, got, wait)
			}
			if sent[i].MessageID != sent[i+1].MessageID {
				t.Error("the Message-ID changed between tries")
			}
		}
	})
}

func TestDelaysAreSpread(t *testing.T) {
	for random, want := range map[float64]time.Duration{0: 90 * time.Second, 0.5: 2 * time.Minute, 0.999999: 150 * time.Second} {
		d := NewDispatcher(Config{Random: func() float64 { return random }})
		if got := d.delay(2); got.Round(time.Second) != want {
			t.Errorf("with %v it is %v, want %v", random, got, want)
		}
	}
	d := NewDispatcher(Config{})
	for _, failures := range []int{-1, 0, 5, 63, 1 << 40} {
		if got := d.delay(failures); got < firstRetry*3/4 || got > longestRetry*5/4 {
			t.Errorf("after %d failures it is %v", failures, got)
		}
	}
}

func TestMailIsAbandoned(t *testing.T) {
	for name, test := range map[string]struct {
		kind    Kind
		failure error
		after   time.Duration
	}{
		"when the server refuses it for good": {ClaimLink, &Failure{Step: "naming the recipient", Code: 550, Final: true}, time.Second},
		"when its link has expired":           {ClaimLink, down, 24 * time.Hour},
		"after days":                          {RemovalDone, down, giveUpAfter},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, sent := newMemoryQueue(), []Letter{}
				e := o.put(current(test.kind), time.Now())
				_, logged, stop := running(t, o, senderFunc(func(_ context.Context, l Letter) error {
					sent = append(sent, l)
					return test.failure
				}))
				time.Sleep(test.after)
				synctest.Wait()
				_, abandoned, tries := o.state(e)
				time.Sleep(100 * time.Hour)
				stop()
				if !abandoned || len(sent) != tries {
					t.Errorf("abandoned: %v; %d tries, later %d", abandoned, tries, len(sent))
				}
				if !strings.Contains(logged.String(), "mail given up") {
					t.Errorf("the log does not tell:\n%s", logged)
				}
			})
		})
	}
}

func TestMailWithAnExpiredLinkIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		e := o.put(current(RemovalLink), time.Now())
		time.Sleep(25 * time.Hour)
		_, _, stop := running(t, o, counting(&sent))
		synctest.Wait()
		stop()
		if _, abandoned, _ := o.state(e); !abandoned || len(sent) != 0 {
			t.Errorf("abandoned: %v, sent: %d", abandoned, len(sent))
		}
	})
}

func TestAcceptedMailIsNotSentAgainWhileItCannotBeRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		first := o.put(current(ClaimLink), time.Now())
		second := o.put(current(RemovalDone), time.Now())
		o.fail("Accepted", errors.New("the database is gone"))
		_, logged, stop := running(t, o, counting(&sent))
		time.Sleep(2 * lease)
		synctest.Wait()
		if len(sent) != 1 || strings.Count(logged.String(), "cannot be recorded") != 1 {
			t.Errorf("%d mails were sent, and the log is:\n%s", len(sent), logged)
		}
		o.fail("Accepted", nil)
		time.Sleep(2 * lease)
		stop()
		one, _, _ := o.state(first)
		two, _, _ := o.state(second)
		if !one || !two || len(sent) != 2 {
			t.Errorf("accepted: %v and %v, with %d mails sent", one, two, len(sent))
		}
	})
}

func TestFailedQueueIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		o.fail("Next", errors.New("the database is gone"))
		e := o.put(current(ClaimDone), time.Now())
		_, logged, stop := running(t, o, counting(&sent))
		time.Sleep(10 * time.Minute)
		o.fail("Next", nil)
		time.Sleep(retryQueue)
		synctest.Wait()
		stop()
		if accepted, _, _ := o.state(e); !accepted || strings.Count(logged.String(), "cannot be read") != 1 {
			t.Errorf("accepted: %v, and the log is:\n%s", accepted, logged)
		}
	})
}

func TestMailWhoseFailureCannotBeRecordedReturnsWhenItsLeaseExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		o.fail("Failed", errors.New("the database is gone"))
		e := o.put(current(ClaimLink), time.Now())
		_, _, stop := running(t, o, counting(&sent, down))
		time.Sleep(lease + pollTime)
		synctest.Wait()
		stop()
		if accepted, _, tries := o.state(e); !accepted || tries != 2 {
			t.Errorf("accepted: %v, after %d tries", accepted, tries)
		}
	})
}

func TestHandoverIsFinishedWhenTheProgramStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newMemoryQueue()
		e := o.put(current(ClaimLink), time.Now())
		waiting := o.put(current(RemovalLink), time.Now())
		began := make(chan struct{})
		_, _, stop := running(t, o, senderFunc(func(ctx context.Context, _ Letter) error {
			close(began)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(10 * time.Second):
				return nil
			}
		}))
		<-began
		stop()
		if accepted, _, _ := o.state(e); !accepted {
			t.Error("the handover was broken off")
		}
		if accepted, _, _ := o.state(waiting); accepted || waiting.due.After(time.Now()) {
			t.Errorf("accepted: %v; the next process waits until %v", accepted, waiting.due)
		}
	})
}

func TestMailIsPostponedIfItsLeaseIsAboutToExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, open := newMemoryQueue(), 0
		for range 12 {
			o.put(current(RemovalDone), time.Now())
		}
		_, _, stop := running(t, o, senderFunc(func(_ context.Context, l Letter) error {
			time.Sleep(50 * time.Second) // a slow server
			open++
			return nil
		}))
		time.Sleep(30 * time.Minute)
		stop()
		if open != 12 {
			t.Errorf("%d mails were sent", open)
		}
		for _, e := range o.entries {
			if len(e.tries) > 3 || !e.accepted {
				t.Errorf("accepted: %v after %d leases", e.accepted, len(e.tries))
			}
		}
	})
}

func TestIdleDispatcherRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, sent := newMemoryQueue(), []Letter{}
		_, _, stop := running(t, o, counting(&sent))
		time.Sleep(time.Hour)
		stop()
		if most := int(time.Hour/pollTime) + 2; o.asked > most {
			t.Errorf("the queue was asked %d times in an hour", o.asked)
		}
	})
}

func TestMailsReachAServerThatFailsAtFirst(t *testing.T) {
	o := newMemoryQueue()
	now := time.Now()
	var entries []*entry
	for _, kind := range kinds {
		m := current(kind)
		entries = append(entries, o.put(m, now))
	}
	server := startServer(t, serverMode{login: true},
		fault{rcpt: rejection(450, smtp.EnhancedCode{4, 2, 0})}, fault{data: rejection(550, smtp.EnhancedCode{5, 7, 1})},
		fault{dropAfterData: true, takes: true}, fault{dropAfterAnswer: true})
	logged := &bytes.Buffer{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The clock only moves when the test moves it. It skips each wait until nothing is left
	// to do.
	d := NewDispatcher(Config{
		Queue: o, Sender: server.sender(t, "smtp://souk:hunter2@"),
		Log: slog.New(slog.NewTextHandler(logged, nil)), Now: func() time.Time { return now },
		After: func(wait time.Duration) <-chan time.Time {
			now = now.Add(wait)
			over := make(chan time.Time, 1)
			if now.Sub(entries[0].QueuedAt) < time.Hour {
				over <- now
			} else {
				cancel()
			}
			return over
		},
	})
	d.Run(ctx)
	for i, want := range []string{"true false 2", "false true 1", "true false 2", "true false 1"} {
		accepted, abandoned, tries := o.state(entries[i])
		if got := fmt.Sprint(accepted, abandoned, tries); got != want {
			t.Errorf("%s: %s, want %s", entries[i].Kind, got, want)
		}
	}
	// The server accepted the third mail but its answer was lost, so that mail arrives
	// twice with the same Message-ID.
	ids := strings.Fields(messageIDs(t, server.received()))
	counts := map[string]int{}
	for _, id := range ids {
		counts[id]++
	}
	third, err := compose(entries[2].Message, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) != 4 || len(counts) != 3 || counts["<"+third.MessageID+">"] != 2 {
		t.Errorf("the server has %v", counts)
	}
	assertSilent(t, logged.String()+fmt.Sprint(entries[0].reasons, entries[1].reasons, entries[2].reasons))
}
