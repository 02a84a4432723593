package replica

import "testing"

// Fault sets a function that is called before each step that a kill may precede.
func (c *Copy) Fault(fault func(step string) error) { c.fault = fault }

// ParseChunk exports parseChunk for tests.
func ParseChunk(data []byte, at, count int) (files []string, err error) {
	got, err := parseChunk(data, at, count)
	for file := range got.entries {
		files = append(files, file)
	}
	return files, err
}

func FuzzAHeadIsWholeOrRefused(f *testing.F) {
	f.Add([]byte(`{"format":1,"release":"00112233445566778899aabbccddeeff","chunks":[{"digest":"00112233445566778899aabbccddeeff","size":1}],"files":{"search/head":{"digest":"00112233445566778899aabbccddeeff","size":1}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := ParseHead(data)
		if err != nil {
			return
		}
		again, err := h.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseHead(again); err != nil {
			t.Fatalf("%s is read, and %s is not: %v", data, again, err)
		}
		for name := range h.Files {
			if !local(name) {
				t.Fatalf("%q is taken", name)
			}
		}
	})
}

func FuzzAChunkNamesFilesBelowTheFolderAlone(f *testing.F) {
	f.Add([]byte(`{"file":"api/v1/release.json","digest":"00112233445566778899aabbccddeeff","size":1,"modTime":1}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parseChunk(data, 0, 1)
		for file := range got.entries {
			if err == nil && !local(file) {
				t.Fatalf("%q is taken", file)
			}
		}
	})
}
