package replica_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/delivery/replica"
)

func TestCheckingForChangesTakesOneRequest(t *testing.T) {
	server, destination := bucket(t)
	m := newMarket(t, t.TempDir(), destination)
	m.publish(t)
	o := origin(t, m.destination)
	c, err := replica.Open(t.Context(), replica.Options{Origin: o, State: t.TempDir(), Sleep: noSleep})
	if err != nil {
		t.Fatal(err)
	}
	follow(t, c)
	var lines []string
	server.Meddle(func(_ http.ResponseWriter, r *http.Request) bool {
		lines = append(lines, r.Method+" "+r.URL.Path+" "+r.Header.Get("If-None-Match"))
		return false
	})
	asked := o.Requests()
	follow(t, c)
	if len(lines) != 1 || o.Requests() != asked+1 || !strings.HasPrefix(lines[0], "GET /market/public.release/head \"") {
		t.Errorf("the requests are %q", lines)
	}
}

func TestAnySequenceOfReleasesIsCopiedByteForByte(t *testing.T) {
	_, destination := bucket(t)
	var n int
	rapid.Check(t, func(r *rapid.T) {
		n++
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		to := filepath.Join(dir, "out", "public")
		s3 := rapid.Bool().Draw(r, "S3")
		if s3 {
			to = strings.Replace(destination, "/public", fmt.Sprintf("/%d/public", n), 1)
		}
		m := newMarket(r, dir, to)
		if s3 {
			// Names without extensions need a store in which a name may also be a folder,
			// which this one does not support.
			m.options.Gzip = rapid.Bool().Draw(r, "gzip")
		}
		o := origin(r, to)
		defer o.Close()
		c, err := replica.Open(context.Background(), replica.Options{Origin: o, State: filepath.Join(dir, "server"), Sleep: noSleep})
		if err != nil {
			r.Fatal(err)
		}
		defer c.Close()
		for range rapid.IntRange(1, 6).Draw(r, "releases") {
			for range rapid.IntRange(0, 3).Draw(r, "edits") {
				m.edit(r)
			}
			m.build(r)
			m.publish(r)
			if rapid.Bool().Draw(r, "followed") {
				follow(r, c)
				m.holds(r, c)
			}
		}
		follow(r, c)
		m.holds(r, c)
	})
}

// edit makes a random change.
func (m *market) edit(r *rapid.T) {
	company := rapid.SampledFrom([]string{"acme", "globex", "initech", "hooli", "umbrella"}).Draw(r, "company")
	file := companies + company + ".json"
	_, there := m.docs[file]
	switch what := rapid.SampledFrom([]string{"change", "remove", "words", "article"}).Draw(r, "what"); {
	case m.gone[file]:
	case !there:
		m.add(company)
	case what == "change":
		m.docs[file] += " "
	case what == "remove":
		m.remove(company)
	case what == "words":
		m.parts[company] += rapid.StringN(1, 9, 20).Draw(r, "word")
	default:
		name := "api/v1/marketplace/articles/" + company + ".json"
		if m.docs[name] == "" {
			m.docs[name] = `{"apiUrl":"https://market.example/api/v1/marketplace/articles/` + company + `"}`
		} else {
			delete(m.docs, name)
		}
	}
}

// A removal of a company that no document shows makes no new release, but the copy must be
// known to have it all the same.
func TestARevisionWithoutChangesIsCopiedToo(t *testing.T) {
	m := newMarket(t, t.TempDir(), filepath.Join(t.TempDir(), "out", "public"))
	m.publish(t)
	c := m.follower(t, t.TempDir())
	follow(t, c)
	before := m.tree.ID()
	m.revision++
	m.build(t)
	m.publish(t)
	follow(t, c)
	if _, made := m.tree.BuiltFrom(); made != 1 || m.tree.ID() != before {
		t.Fatalf("the release %s was made again with %d as %s", before, made, m.tree.ID())
	}
	m.holds(t, c)
}
