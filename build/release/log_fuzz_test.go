package release

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// sampleRecord returns a record that uses every field.
func sampleRecord() *record {
	return &record{
		Sequence: 3, Clock: clock, After: totals{sum: sum{1, 2, 3, 4}, documents: 2, bytes: 99}, Revision: 12, Stage: "stage-3", Boot: "run",
		Files: []string{"a.json", "b/c.json"}, Entries: []Entry{{Digest: Digest{1}, Size: 1, ModTime: 2, Gzip: 3, Brotli: 4}, {Size: 5}},
		Gone: []string{"g.json"}, Deleted: []string{"d.json", "e.json"}, Twins: []string{"t.json.gz"},
		Owners: map[string]Owner{"acme": {ID: "acme", Domains: []string{"acme.example", "old.example"}, Aliases: []string{"was"}, Replaces: true}, "x": {}, "y": {ID: "y", Domains: []string{""}, Web: []string{"y.example"}}},
	}
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	for _, want := range []*record{sampleRecord(), {Clock: clock, Owners: map[string]Owner{}, Entries: []Entry{}}} {
		f, err := parseChunk(want.chunk(""))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.record(); !reflect.DeepEqual(got, want) {
			t.Errorf("got\n%+v, want\n%+v", got, want)
		}
	}
}

func TestARecordWithPathsOutsideTheFolderIsInvalid(t *testing.T) {
	for _, file := range []string{"../log", "a/../../b", "/etc/passwd", "a//b", ".", ""} {
		r := &record{Clock: clock, Files: []string{file}, Entries: []Entry{{}}}
		if _, err := parseChunk(r.chunk("")); err == nil {
			t.Errorf("%q is a file of a release", file)
		}
	}
}

// FuzzRecord parses any bytes as a record with a valid checksum.
func FuzzRecord(f *testing.F) {
	f.Add(sampleRecord().flatten(0))
	f.Add((&record{Clock: clock}).flatten(0))
	f.Fuzz(func(t *testing.T, data []byte) {
		one, err := parseFlat(data)
		if err != nil {
			return
		}
		r := one.record()
		again, err := parseFlat(r.flatten(0))
		if err != nil || !reflect.DeepEqual(again.record(), r) {
			t.Errorf("it is another once it was written: %v", err)
		}
		for i, file := range r.Files {
			if at, there := one.files.find(file); !there || at != i {
				t.Errorf("%q is found at %d, %v", file, at, there)
			}
		}
	})
}

// FuzzLog reads any bytes as a log, both as a builder and as a server.
func FuzzLog(f *testing.F) {
	whole := sampleRecord().chunk(logMagic)
	two := append(bytes.Clone(whole), sampleRecord().chunk("")...)
	f.Add(whole)
	f.Add(two)
	f.Add(two[:len(two)-3])
	f.Add([]byte(logMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		public := filepath.Join(t.TempDir(), "public")
		path := filepath.Join(Folder(public), logName)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		l := log{path: path}
		records, err := l.read()
		if err != nil {
			t.Fatal(err)
		}
		reader, err := Follow(public)
		if (err == nil) != (l.size > 0) {
			t.Fatalf("a builder reads %d records of %d bytes, a server says %v", len(records), l.size, err)
		}
		if err != nil {
			return
		}
		defer reader.Close()
		m := newManifest()
		for _, r := range records {
			m.apply(r)
		}
		files, owners, _ := toldBy(reader)
		if len(files) != len(m.entries) || len(owners) != len(m.owners) || reader.ID() != m.ID() {
			t.Errorf("a server has %d files and %d owners, a builder %d and %d", len(files), len(owners), len(m.entries), len(m.owners))
		}
	})
}
