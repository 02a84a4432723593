package rendition

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"souk/build/kit/picture"
)

// photo returns a picture that has two renditions.
func photo(t *testing.T, noise uint32) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 700, 30))
	for i := range m.Pix {
		noise = noise*1664525 + 1013904223
		if m.Pix[i] = uint8(noise >> 24); i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAShelfStoresItsRenditions(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pictures")
	data := photo(t, 1)
	name := Name(data, "png")
	if _, ok := Open(folder).Lookup(name); ok {
		t.Error("kept before it was made")
	}
	made, faults := Open(folder).Of(name, data)
	if len(made) != 2 || len(faults) > 0 {
		t.Fatalf("made %d, faults %v", len(made), faults)
	}
	kept, ok := Open(folder).Lookup(name)
	if !ok || !reflect.DeepEqual(kept, made) {
		t.Error("what is kept differs")
	}
	// Stored renditions are not created again, even if the bytes differ.
	if again, _ := Open(folder).Of(name, photo(t, 2)); !reflect.DeepEqual(again, made) {
		t.Error("made again")
	}
}

func TestMissingRenditionsAreStoredToo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pictures")
	m := image.NewPaletted(image.Rect(0, 0, 400, 400), color.Palette{color.Transparent, color.White})
	for i := range m.Pix {
		m.Pix[i] = uint8((i/2 + i/800) % 2)
	}
	// The picture has two colors; every other version has more, and so more bytes.
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	made, faults := Open(folder).Of("one.png", b.Bytes())
	kept, ok := Open(folder).Lookup("one.png")
	if len(made)+len(faults)+len(kept) > 0 || !ok {
		t.Errorf("made %d, kept %d (%v), faults %v", len(made), len(kept), ok, faults)
	}
}

func TestRenditionsAreReturnedEvenIfTheyCannotBeStored(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	data := photo(t, 1)
	for _, folder := range []string{"", filepath.Join(file, "below")} {
		if made, faults := Open(folder).Of(Name(data, "png"), data); len(made) != 2 || len(faults) > 0 {
			t.Errorf("%q: made %d, faults %v", folder, len(made), faults)
		}
	}
	if err := Open("").Purge(nil); err != nil {
		t.Error(err)
	}
}

func TestRenditionsOfAnotherVersionAreIgnored(t *testing.T) {
	cache := Open(t.TempDir())
	data := photo(t, 1)
	cache.Of("photo.png", data)
	was := version
	version = "another"
	defer func() { version = was }()
	if _, ok := cache.Lookup("photo.png"); ok {
		t.Error("taken")
	}
}

func TestPurgeKeepsUsedRenditions(t *testing.T) {
	folder := t.TempDir()
	cache := Open(folder)
	for _, name := range []string{"one", "two", "three"} {
		if err := cache.keep(name+".png", []picture.Rendition{{Data: []byte(name)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := cache.Purge([]string{"two.png", "other.jpg"}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || !strings.HasPrefix(entries[0].Name(), "two") {
		t.Errorf("left are %v, error %v", entries, err)
	}
}
