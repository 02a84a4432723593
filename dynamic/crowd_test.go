package dynamic

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	slowClients = flag.Int("slow-clients", 500, "how many clients hang on while others are served")
	// One process may not be allowed to have both ends of so many connections.
	slowAt = flag.String("slow-at", "", "the address of a running server of this content, as in http://127.0.0.1:8080")
)

// timed requests a document repeatedly, each time over a new connection, and returns the
// durations. It fails if a request fails.
func (h *house) timed(times int) []time.Duration {
	h.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	var took []time.Duration
	for range times {
		began := time.Now()
		response, err := client.Get(h.base + "/api/v1/marketplace/companies/acme")
		if err != nil {
			h.Fatal(err)
		}
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			h.Fatalf("status %d, %v", response.StatusCode, err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took
}

// inWords returns the median and the 99th percentile of sorted durations.
func inWords(took []time.Duration) string {
	return fmt.Sprintf("median %v, p99 %v", took[len(took)/2].Round(time.Microsecond), took[len(took)*99/100].Round(time.Microsecond))
}

// hang opens connections that send a byte of a request per second, until the server or the
// context ends them. It counts those that the server ended.
func (h *house) hang(ctx context.Context, clients int, request string) (wait func(), ended *atomic.Int64) {
	h.Helper()
	var all sync.WaitGroup
	ended = &atomic.Int64{}
	address := strings.TrimPrefix(h.base, "http://")
	for range clients {
		c, err := net.Dial("tcp", address)
		if err != nil {
			h.Fatal(err)
		}
		all.Go(func() {
			defer c.Close()
			stop := context.AfterFunc(ctx, func() { c.Close() })
			defer stop()
			go func() {
				for i := range request {
					if _, err := c.Write([]byte{request[i]}); err != nil {
						return
					}
					select {
					case <-ctx.Done():
						return
					case <-time.After(time.Second):
					}
				}
			}()
			_, _ = bufio.NewReader(c).ReadString('\n') // an answer, or the end
			if ctx.Err() == nil {
				ended.Add(1)
			}
		})
	}
	return all.Wait, ended
}

func TestSlowClientsDoNotDelayOthersAndAreCutOff(t *testing.T) {
	h := newHouse(t)
	if h.base = *slowAt; h.base == "" {
		h.open()
	}
	alone := h.timed(200)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait, ended := h.hang(ctx, *slowClients, "GET /api/v1/marketplace/companies/acme HTTP/1.1\r\nHost: market.example\r\n\r\n")
	beside := h.timed(200)
	t.Logf("alone: %s; beside %d slow clients: %s", inWords(alone), *slowClients, inWords(beside))
	h.until("every slow client is cut off", func() bool { return ended.Load() == int64(*slowClients) })
	cancel()
	wait()
}

func TestFloodOfStartsIsLimitedAndReadsContinue(t *testing.T) {
	h := newHouse(t)
	h.Verification.Unlimited = false
	h.open()
	alone := h.timed(200)
	ctx, cancel := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	var accepted, limited, other atomic.Int64
	for worker := range 16 {
		flood.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				a, err := h.post("/companies/acme/claims", "", requester{"Jane Doe", fmt.Sprintf("jane%d-%d@acme.example", worker, n)})
				switch {
				case err != nil && ctx.Err() == nil:
					t.Error(err)
					return
				case a.Status == http.StatusAccepted:
					accepted.Add(1)
				case a.Status == http.StatusTooManyRequests && a.Header.Get("Retry-After") != "":
					limited.Add(1)
				default:
					other.Add(1)
				}
			}
		})
	}
	beside := h.timed(400)
	h.until("the limits are met", func() bool { return limited.Load() > 100 })
	cancel()
	flood.Wait()
	t.Logf("alone: %s; beside a flood of %d starts: %s", inWords(alone), limited.Load(), inWords(beside))
	if accepted.Load() != 10 || other.Load() != 0 {
		t.Errorf("%d were accepted and %d answered otherwise, of one address", accepted.Load(), other.Load())
	}
}
