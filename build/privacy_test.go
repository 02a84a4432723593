package build_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build"
	"souk/build/release"
)

// withPosition returns a JPEG whose Exif data says where it was taken: the first directory
// points to the GPS directory (JEITA CP-3451, 4.6.6), whose latitude has three fractions.
func withPosition(t *testing.T) (data, position []byte) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 40, 30)), nil); err != nil {
		t.Fatal(err)
	}
	position = []byte("\x00\x00\x00\x2f\x00\x00\x00\x01\x00\x00\x00\x16\x00\x00\x00\x01\x00\x00\x0e\xb6\x00\x00\x00\x64")
	tiff := "MM\x00*\x00\x00\x00\x08" +
		"\x00\x02" + "\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00" + "\x88\x25\x00\x04\x00\x00\x00\x01\x00\x00\x00\x26" + "\x00\x00\x00\x00" +
		"\x00\x02" + "\x00\x01\x00\x02\x00\x00\x00\x02N\x00\x00\x00" + "\x00\x02\x00\x05\x00\x00\x00\x03\x00\x00\x00\x44" + "\x00\x00\x00\x00" +
		string(position)
	exif := "Exif\x00\x00" + tiff
	head := append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return append(head, b.Bytes()[2:]...), position
}

// Each string is searched in every file below the public folder, raw and decompressed, and
// in the names of the files.
func TestNothingRevealsWhereAPictureWasTakenOrWhoDrewIt(t *testing.T) {
	taken, position := withPosition(t)
	const draughtsman, drawing = "D. Raughtsman", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 7 7">`
	m := newStaying(t, func(m *market, _ *build.Config) {
		m.write("sellers/acme/products/media/arm.svg", drawing+`<!-- `+draughtsman+` --><metadata>`+draughtsman+`</metadata><g i:label="`+draughtsman+`"/>`+
			`<style>@import url(https://fonts.example/d.css);</style></svg>`)
		m.write("sellers/acme/products/media/arm.jpg", string(taken))
		m.write("sellers/acme/products/arm.yaml", armOfAcme)
		m.write("sellers/acme/products/base.md", "---\nname: Base\ncategories: [tools]\n---\n\n![The base](media/arm.jpg)\n")
	})
	files := readTree(t, filepath.Join(m.dir, "public"))
	pictures := map[string]int{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		pictures[filepath.Ext(file)]++
		plain, err := release.Decompress(file, files[file])
		if err != nil {
			t.Fatal(err)
		}
		for _, needle := range []string{string(position), "Exif", draughtsman, "@import", "fonts.example"} {
			if bytes.Contains(files[file], []byte(needle)) || bytes.Contains(plain, []byte(needle)) {
				t.Errorf("%s holds %q", file, needle)
			}
		}
	}
	if pictures[".jpg"] != 1 || pictures[".svg"] == 0 {
		t.Errorf("published %v", pictures)
	}
	if body := m.read("api/v1/marketplace/companies/acme/products/base.json"); !strings.Contains(body, `.jpg`) {
		t.Errorf("the product shows no picture: %s", body)
	}
}

// A picture is named by the digest of its published form, so two files that differ only in
// their metadata are one picture.
func TestPicturesThatDifferOnlyInMetadataAreOne(t *testing.T) {
	taken, position := withPosition(t)
	elsewhere := bytes.Replace(taken, position, bytes.Repeat([]byte{1}, len(position)), 1)
	m := newStaying(t, func(m *market, _ *build.Config) {
		m.write("sellers/acme/products/media/here.jpg", string(taken))
		m.write("sellers/acme/products/media/there.jpg", string(elsewhere))
		m.write("sellers/acme/products/base.yaml", "name: Base\ncategories: [tools]\nmedia: [{file: media/here.jpg, alt: a}, {file: media/there.jpg, alt: b}]\n")
	})
	found, err := filepath.Glob(filepath.Join(m.dir, "public", "media", "*.jpg"))
	if err != nil || len(found) != 1 {
		t.Fatalf("published %v, %v", found, err)
	}
	if body := m.read("api/v1/marketplace/companies/acme/products/base.json"); strings.Count(body, filepath.Base(found[0])) < 2 || !strings.Contains(body, `"width":30,"height":40`) {
		t.Errorf("the product shows %s", body)
	}
}
