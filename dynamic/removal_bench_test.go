//go:build unix

package dynamic

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/dynamic/mail"
	"souk/internal/testing/markettest"
)

// A mailbox stores the mailed tokens in memory, by request id.
type mailbox struct{ sync.Map }

// Send implements mail.Sender.
func (m *mailbox) Send(_ context.Context, l mail.Letter) error {
	if link := linkLine.FindStringSubmatch(l.Text); link != nil {
		m.Store(link[1], link[2])
	}
	return nil
}

// A logged receives the log records of releases and faults.
type logged chan []byte

// Write implements io.Writer.
func (l logged) Write(record []byte) (int, error) {
	if bytes.Contains(record, []byte(`"rebuilt"`)) || !bytes.Contains(record, []byte(`"INFO"`)) {
		l <- bytes.Clone(record)
	}
	return len(record), nil
}

// release waits until a release is logged, and returns how many files it removed.
func (l logged) release(b *testing.B) int {
	for record := range l {
		var r struct {
			Message string `json:"msg"`
			Level   slog.Level
			Removed int
		}
		if err := json.Unmarshal(record, &r); err != nil || r.Level > slog.LevelInfo {
			b.Fatalf("%s %v", record, err)
		}
		if r.Message == "rebuilt" {
			return r.Removed
		}
	}
	return 0
}

// measured returns a house for measurements, configured as by `souk serve`, and its current
// sellers in random order.
func measured(b *testing.B, everything bool) (*house, *mailbox, logged, []*catalog.Seller) {
	h, mails, log := newHouse(b), &mailbox{}, make(logged, 1000)
	h.Config.Build.Pages, h.Config.Build.Snapshot = everything, everything
	h.Config.Build.Content, h.Config.Build.Precompress = markettest.Content(b), 4<<10
	h.Verification.Sender, h.Log = mails, slog.New(slog.NewJSONHandler(log, nil))
	var sellers []*catalog.Seller
	h.content().EachSeller(func(n *catalog.Node) {
		if n.Current() {
			sellers = append(sellers, n.Item().(*catalog.Seller))
		}
	})
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(sellers), func(i, j int) { sellers[i], sellers[j] = sellers[j], sellers[i] })
	if _, _, err := h.operator().NewAPIToken(b.Context(), "benchmark"); err != nil { // otherwise the server warns that no one can claim
		b.Fatal(err)
	}
	h.open()
	log.release(b)
	return h, mails, log, sellers
}

// start requests the removal of a seller and returns the id of the request.
func (h *house) start(s *catalog.Seller) string {
	started := h.json("POST", "/companies/"+s.Ref.Slug+"/removal-requests",
		`{"requesterName":"Jane Doe","requesterEmail":"jane@`+s.OfficialDomain+`"}`, 202)
	id, _ := started["requestId"].(string)
	return id
}

// BenchmarkRemoval measures a removal from the POST of its token to the 200, one after the
// other on an otherwise idle server: -benchtime 30x removes 30 sellers. The floor writes
// and syncs the same files.
func BenchmarkRemoval(b *testing.B) {
	b.Run("default", func(b *testing.B) { benchmarkRemovals(b, true) })
	b.Run("without pages and snapshot", func(b *testing.B) { benchmarkRemovals(b, false) })
}

func benchmarkRemovals(b *testing.B, everything bool) {
	h, mails, log, sellers := measured(b, everything)
	var times, floors []time.Duration
	var documents, written, deleted []int
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		if i == len(sellers) {
			b.Fatal("all sellers are removed: SOUK_BENCH_LISTINGS says how many listings there are")
		}
		id := h.start(sellers[i])
		var token any
		h.until("the mail is there", func() (sent bool) { token, sent = mails.Load(id); return sent })
		markettest.Settle()
		b.StartTimer()
		began := time.Now()
		h.json("POST", "/company-removal-requests/"+id+"/verify", `{"token":"`+token.(string)+`"}`, 200)
		times = append(times, time.Since(began))
		b.StopTimer()
		deleted = append(deleted, log.release(b))
		files, count := markettest.Files(b, h.Config.Build.Public, began), 0
		for _, file := range files {
			if filepath.Ext(file) == ".json" {
				count++
			}
		}
		documents, written = append(documents, count), append(written, len(files))
		floors = append(floors, markettest.Floor(b, h.Config.Build.Public, files))
		b.Logf("%s: %s, floor %s, %d JSON of %d files", sellers[i].Ref.Slug, times[i], floors[i], count, len(files))
		b.StartTimer()
	}
	b.StopTimer()
	markettest.Report(b, times)
	b.ReportMetric(markettest.Milliseconds(markettest.Percentile(floors, 50)), "floor-p50-ms")
	b.ReportMetric(markettest.Milliseconds(markettest.Percentile(floors, 99)), "floor-p99-ms")
	b.ReportMetric(float64(markettest.Percentile(documents, 50)), "JSON-p50")
	b.ReportMetric(float64(markettest.Percentile(documents, 99)), "JSON-p99")
	b.ReportMetric(float64(markettest.Percentile(written, 50)), "files-p50")
	b.ReportMetric(float64(markettest.Percentile(deleted, 50)), "deleted-p50")
}

// BenchmarkStart measures starts of removals by one client and by eight. The floor appends
// and syncs records sequentially.
func BenchmarkStart(b *testing.B) {
	h, _, _, sellers := measured(b, true)
	perSecond := func(b *testing.B, clients int, step func(i int)) {
		var next atomic.Int64
		var group sync.WaitGroup
		began := time.Now()
		for range clients {
			group.Go(func() {
				for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
					step(int(i))
				}
			})
		}
		group.Wait()
		b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "starts/s")
	}
	start := func(i int) { h.start(sellers[i%len(sellers)]) }
	b.Run("clients=1", func(b *testing.B) { perSecond(b, 1, start) })
	b.Run("clients=8", func(b *testing.B) { perSecond(b, 8, start) })
	b.Run("floor", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "appended"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		record := strings.Repeat("-", 4<<10)
		perSecond(b, 1, func(int) {
			if _, err := f.WriteString(record); err != nil {
				b.Error(err)
			}
			if err := f.Sync(); err != nil {
				b.Error(err)
			}
		})
	})
}
