package mail

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// memoryQueue is a Queue in memory with the rules of a ledger.
type memoryQueue struct {
	mu      sync.Mutex
	entries map[string]*entry
	order   []string
	// broken maps a method's name to the error it returns.
	broken map[string]error
	asked  int
}

type entry struct {
	Leased
	due                 time.Time
	accepted, abandoned bool
	reasons             []string
	tries               []time.Time
}

const lease = 5 * time.Minute

func newMemoryQueue() *memoryQueue {
	return &memoryQueue{entries: map[string]*entry{}, broken: map[string]error{}}
}

func (o *memoryQueue) put(m Message, at time.Time) *entry {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := fmt.Sprint("key", len(o.order))
	e := &entry{Leased: Leased{Message: m, Key: key, QueuedAt: at}, due: at}
	o.entries[key] = e
	o.order = append(o.order, key)
	return e
}

func (o *memoryQueue) fail(call string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.broken[call] = err
}

func (o *memoryQueue) Next(_ context.Context, now time.Time) (due []Leased, next time.Time, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked++
	if err := o.broken["Next"]; err != nil {
		return nil, time.Time{}, err
	}
	for _, key := range o.order {
		e := o.entries[key]
		switch {
		case e.accepted, e.abandoned:
		case e.due.After(now):
			if next.IsZero() || e.due.Before(next) {
				next = e.due
			}
		default:
			e.due, e.Until = now.Add(lease), now.Add(lease)
			e.tries = append(e.tries, now)
			due = append(due, e.Leased)
		}
	}
	return due, next, nil
}

func (o *memoryQueue) Accepted(_ context.Context, l Leased) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.broken["Accepted"]; err != nil {
		return err
	}
	o.entries[l.Key].accepted = true
	return nil
}

func (o *memoryQueue) Failed(_ context.Context, l Leased, reason string, next time.Time) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.broken["Failed"]; err != nil {
		return err
	}
	e := o.entries[l.Key]
	e.reasons = append(e.reasons, reason)
	e.Attempts++
	e.due, e.abandoned = next, next.IsZero()
	return nil
}

func (o *memoryQueue) state(e *entry) (accepted, abandoned bool, tries int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return e.accepted, e.abandoned, len(e.tries)
}
