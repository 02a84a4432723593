package web

import (
	"path"
	"testing"

	"souk/build/release"
)

func TestClientsPreferredEncodingIsUsed(t *testing.T) {
	both := release.Entry{Size: 9, Gzip: 5, Brotli: 4}
	onlyGzip := release.Entry{Size: 9, Gzip: 5}
	none := release.Entry{Size: 9}
	for _, c := range []struct {
		accept string
		entry  release.Entry
		want   coding
	}{
		{"", both, identity},
		{"br", both, brotli},
		{"br", onlyGzip, identity},
		{"br, gzip", none, identity},
		{"gzip, br", both, brotli},
		{"gzip, br", onlyGzip, gzip},
		{"gzip;q=0.8, br;q=0.5", both, gzip},
		{"GZIP ; Q=0.8", both, gzip},
		{"x-gzip", both, gzip},
		{"br;q=0, gzip", both, gzip},
		{"br;q=0, *", both, gzip},
		{"*", both, brotli},
		{"*;q=0", both, identity},
		{"*;q=0.3, identity;q=0.9", both, identity},
		{"gzip;q=0.2, identity;q=0.5", both, identity},
		{"gzip;q=0.5, identity;q=0.5", both, gzip},
		{"identity;q=0", both, identity},
		{"identity;q=0, gzip;q=0.1", both, gzip},
		{"zstd, deflate", both, identity},
		{"gzip;q=0.001", both, gzip},
		{"gzip;q=2, br;q=x, *;q=NaN", both, identity},
		{"gzip;level=9", both, gzip},
		{",,;;q=,", both, identity},
	} {
		if got := choose([]string{c.accept}, twins(c.entry)); got != c.want {
			t.Errorf("%q with %v: %q, want %q", c.accept, c.entry, names[got], names[c.want])
		}
	}
	if got := choose([]string{"gzip", "br"}, twins(both)); got != brotli {
		t.Errorf("two headers: %q", names[got])
	}
	if got := choose(nil, twins(both)); got != identity {
		t.Errorf("no header: %q", names[got])
	}
}

func TestIfNoneMatchIsParsedAsAList(t *testing.T) {
	const tag = `"abc"`
	for header, want := range map[string]bool{
		`"abc"`:            true,
		`W/"abc"`:          true,
		` "x" , "abc" `:    true,
		`"x,y",W/"abc"`:    true,
		`*`:                true,
		`"x", *`:           false,
		`"abc-gz"`:         false,
		`"x,"abc"`:         false,
		`abc`:              false,
		`"abc`:             false,
		``:                 false,
		`"`:                false,
		`, , "abc"`:        true,
		`"x" "abc"`:        true,
		`w/"abc"`:          false,
		`"ab", "bc", "cd"`: false,
	} {
		if got := matches([]string{header}, tag); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}

func TestCacheKeepsTheMostRecentlyUsedUpToItsSize(t *testing.T) {
	c := newCache(16 * (3*1000 + 3*overhead)) // three bodies per shard
	name := func(n byte) key { return key{release.Digest{0, n}, identity} }
	body := make([]byte, 1000)
	for n := range byte(3) {
		c.add(name(n), body)
	}
	c.get(name(0))
	c.add(name(3), body)
	c.add(name(3), body)
	for n, want := range []bool{true, false, true, true} {
		if got := c.get(name(byte(n))) != nil; got != want {
			t.Errorf("body %d is cache: %v", n, got)
		}
	}
	if c.get(key{release.Digest{0, 0}, gzip}) != nil {
		t.Error("another coding's body was given")
	}
	if s := &c.shards[0]; s.size > s.most || s.used.Len() != len(s.byKey) {
		t.Errorf("%d of %d bytes, %d in order, %d by key", s.size, s.most, s.used.Len(), len(s.byKey))
	}
}

func FuzzOnlyOneSpellingOfAPathIsPlain(f *testing.F) {
	for _, path := range []string{"/", "/a/b", "/a//b", "/a/./b", "/a/../b", "/a%2fb", "/a/", "", "a", "/.well-known/x", "/a..b", "/..."} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if !plain(path) {
			return
		}
		if clean := cleaned(path); clean != path {
			t.Errorf("%q is plain, and is another spelling of %q", path, clean)
		}
	})
}

// cleaned cleans a path like a file system, but keeps a trailing slash.
func cleaned(p string) string {
	clean := path.Clean(p)
	if clean != "/" && p[len(p)-1] == '/' {
		clean += "/"
	}
	return clean
}
