package dynamic

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build"
	"souk/build/catalog"
	"souk/build/kit/problem"
)

// A contentFolder is a content folder for a test to edit, with the watch and the Builder of
// a server that follows it.
type contentFolder struct {
	testing.TB
	root    string
	now     time.Time
	watch   watched
	builder *build.Builder
	fresh   int
}

const acme = "officialDomain: acme.example\nversions: [{version: 1, name: Acme, logo: media/logo.svg}]\n"

func drawing(size int) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%[1]d"><rect width="1" height="1"/></svg>`, size)
}

func followContent(t *testing.T) *contentFolder {
	t.Helper()
	c := &contentFolder{TB: t, root: t.TempDir(), now: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)}
	c.write("marketplace.yaml", "name: M\nsiteUrl: https://market.example\ncontactEmail: desk@market.example\n")
	c.begin()
	var err error
	if c.builder, err = build.New(c.config("served")); err != nil {
		t.Fatal(err)
	}
	c.watch = watchContent(t, c.at("."))
	if _, err := c.builder.Build(t.Context(), catalog.NewRemovals(nil)); err != nil {
		t.Fatal(err)
	}
	return c
}

// begin resets the content to a small one without mistakes.
func (c *contentFolder) begin() {
	c.Helper()
	for _, folder := range []string{"sellers", "categories", "articles", "market-maps", "site", "theme", "texts", "shared"} {
		if err := os.RemoveAll(c.at(folder)); err != nil {
			c.Fatal(err)
		}
	}
	for file, text := range map[string]string{
		"sellers/acme/seller.yaml":     acme,
		"sellers/acme/media/logo.svg":  drawing(1),
		"categories/product/arms.yaml": "name: Arms\n",
		"site/notes.txt":               "notes",
		"theme/style.css":              "a {}",
		"texts/en.yaml":                "{}",
	} {
		c.write(file, text)
	}
}

func (c *contentFolder) at(file string) string {
	return filepath.Join(c.root, "content", filepath.FromSlash(file))
}

func (c *contentFolder) config(name string) build.Config {
	return build.Config{
		Content: c.at("."), Public: filepath.Join(c.root, name, "public"), State: filepath.Join(c.root, name, "var"), Pages: true,
		Clock: time.Now, At: c.now, Program: "test", LongLived: true,
	}
}

func (c *contentFolder) write(file, text string) {
	c.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(c.at(file)), 0o755), os.WriteFile(c.at(file), []byte(text), 0o644)); err != nil {
		c.Fatal(err)
	}
}

// settle builds what the watch reports until it has reported everything that happened
// before. It returns all reported paths and what the server then shows.
func (c *contentFolder) settle() (paths []string, shown string) {
	c.Helper()
	// Events arrive in order, so the event of this file is the last. It is not built.
	const last = "marketplace.yaml"
	if err := os.Chtimes(c.at(last), time.Now(), time.Now()); err != nil {
		c.Fatal(err)
	}
	for ended := false; !ended; {
		select {
		case batch := <-c.watch.changes:
			ended = slices.Contains(batch, last)
			paths = append(paths, slices.DeleteFunc(batch, func(path string) bool { return path == last })...)
		case <-time.After(10 * time.Second):
			c.Fatal("nothing is reported")
		}
	}
	report, err := c.builder.Build(c.Context(), catalog.NewRemovals(nil), paths...)
	if err != nil {
		c.Fatal(err)
	}
	return paths, outcome(c.builder, report.HeldBack)
}

// anew returns what a newly started server shows.
func (c *contentFolder) anew() string {
	c.Helper()
	c.fresh++
	b, err := build.New(c.config(fmt.Sprint("fresh", c.fresh)))
	if err != nil {
		c.Fatal(err)
	}
	_, err = b.Build(c.Context(), catalog.NewRemovals(nil))
	var mistakes *problem.Error
	if err != nil && !errors.As(err, &mistakes) {
		c.Fatal(err)
	}
	if mistakes != nil {
		return outcome(b, mistakes.Mistakes)
	}
	return outcome(b, nil)
}

func outcome(b *build.Builder, mistakes problem.List) string {
	if len(mistakes) > 0 {
		return fmt.Sprint(mistakes)
	}
	return b.Tree().ID()
}

// places are folders of the content in which a program may leave a file.
var places = []string{
	"", "sellers/acme/", "sellers/acme/products/", "sellers/acme/media/", "sellers/acme/products/media/", "articles/", "articles/media/", "categories/product/",
	"market-maps/", "site/", "site/.well-known/", "theme/", "texts/",
}

func TestEditorLeftoversAreIgnoredByReaderAndWatch(t *testing.T) {
	c := followContent(t)
	_, before := c.settle()
	for _, name := range []string{
		"logo.svg~", ".logo.svg.swp", ".logo.svg.swo", "logo.svg.swp", ".#logo.svg", "#logo.svg#", ".DS_Store", "._logo.svg", "Thumbs.db", "thumbs.db", "ehthumbs.db", "desktop.ini", "Desktop.ini",
		"~$prices.xlsx", ".~lock.prices.ods#", "~WRL0001.tmp", "logo.svg.part", "logo.svg.crdownload", "logo.svg.tmp", "logo.svg.TMP", "seller.yaml.tmp", "style.css.bak", "de.yaml.orig", "de.yaml.rej",
		"seller.yaml___jb_tmp___", "seller.yaml___jb_old___", ".goutputstream-A1B2C3", ".nfs0001", ".fuse_hidden0001", ".logo.svg.a1B2c3", "logo.svg.filepart", "logo.svg.partial", "Unconfirmed 1.crdownload",
		".syncthing.logo.svg.tmp", "~syncthing~logo.svg.tmp", "Icon\r", "__MACOSX", "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found", ".git", ".well-known",
	} {
		for _, place := range places {
			if place == "site/" && name == ".well-known" {
				continue
			}
			c.write(place+name, "left")
		}
	}
	if left := c.anew(); left != before {
		t.Errorf("with what programs left, a build makes %s, not %s", left, before)
	}
	for _, place := range places {
		if err := os.MkdirAll(c.at(place), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	paths, shown := c.settle()
	if shown != before {
		t.Errorf("the server shows %s, not %s", shown, before)
	}
	for _, told := range paths {
		if info, err := os.Stat(c.at(told)); err != nil || !info.IsDir() {
			t.Errorf("the watch reports %q", told)
		}
	}
}

func TestContentThatLooksLikeALeftoverIsReadAndWatched(t *testing.T) {
	c := followContent(t)
	_, before := c.settle()
	for _, file := range []string{
		"site/tmp", "site/part.txt", "site/bak/a.txt", "site/.well-known/security.txt", "site/4913/a.txt", "theme/logo_.svg", "articles/tmp.md",
		"sellers/4913/seller.yaml", "sellers/part/seller.yaml", "sellers/acme/media/tmp.svg", "sellers/acme/media/a~b.svg", "sellers/acme/media/part/a.svg",
	} {
		c.write(file, "no drawing")
		paths, shown := c.settle()
		if fresh := c.anew(); shown != fresh || shown == before || len(paths) == 0 {
			t.Errorf("with %s, of which %q is reported, the server shows\n%s\nand a new one\n%s", file, paths, shown, fresh)
		}
		before = shown
	}
}

// Vim briefly creates a file to find out whether it may write.
func TestEditorProbeFileIsIgnored(t *testing.T) {
	c := followContent(t)
	_, before := c.settle()
	for _, place := range places {
		c.write(place+"4913", "")
	}
	if _, shown := c.settle(); shown != before {
		t.Errorf("the server shows %s, not %s", shown, before)
	}
}

func TestDeletedBackupFileDelaysNothing(t *testing.T) {
	c := followContent(t)
	c.write("sellers/new/media/logo.svg~", "no picture")
	c.write("sellers/new/seller.yaml", strings.ReplaceAll(acme, "acme", "new"))
	c.write("sellers/new/media/logo.svg", drawing(2))
	c.settle()
	if err := os.Remove(c.at("sellers/new/media/logo.svg~")); err != nil {
		t.Fatal(err)
	}
	c.write("sellers/new/media/logo.svg", drawing(3))
	if _, shown := c.settle(); shown != c.anew() || strings.Contains(shown, "logo") {
		t.Errorf("the server shows %s", shown)
	}
}

// kubernetes adds a file to a folder as in a volume, whose updates replace the link ..data.
func (c *contentFolder) kubernetes(folder, name, text string, version int) {
	c.Helper()
	data := fmt.Sprintf("..2026_%d", version)
	c.write(folder+"/"+data+"/"+name, text)
	err := errors.Join(os.Symlink(data, c.at(folder+"/..data_tmp")), os.Rename(c.at(folder+"/..data_tmp"), c.at(folder+"/..data")))
	if _, missing := os.Lstat(c.at(folder + "/" + name)); errors.Is(missing, fs.ErrNotExist) {
		err = errors.Join(err, os.Symlink("..data/"+name, c.at(folder+"/"+name)))
	}
	if err != nil {
		c.Fatal(err)
	}
}

func TestKubernetesVolumeIsFollowed(t *testing.T) {
	c := followContent(t)
	for version := range 3 {
		c.kubernetes("site", "volume.txt", fmt.Sprint("version ", version), version)
		if _, shown := c.settle(); shown != c.anew() || strings.Contains(shown, "volume") {
			t.Errorf("of version %d is shown %s", version, shown)
		}
	}
}

func TestServerThatFollowsItsContentEqualsANewOne(t *testing.T) {
	c := followContent(t)
	names := []string{"logo.svg", "logo.svg~", "logo.svg.tmp", ".logo.svg.swp", "#logo.svg#", "4913", "notes.txt", "seller.yaml", "style.css", "Logo.svg", "x"}
	folders := append([]string{"sellers/new/", "sellers/acme/media/deep/", "shared/", "site/.new/"}, places...)
	anyFile := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(folders).Draw(t, "folder") + rapid.SampledFrom(names).Draw(t, "name")
	})
	anyFolder := rapid.Custom(func(t *rapid.T) string {
		return strings.TrimSuffix(rapid.SampledFrom(folders[:len(folders)-1]).Filter(func(f string) bool { return f != "" }).Draw(t, "folder"), "/")
	})
	path := rapid.OneOf(anyFile, anyFolder)
	// An operation that the file system refuses changes nothing.
	operations := map[string]func(t *rapid.T){
		"write": func(t *rapid.T) {
			file := anyFile.Draw(t, "file")
			_ = os.MkdirAll(filepath.Dir(c.at(file)), 0o755)
			_ = os.WriteFile(c.at(file), []byte(rapid.SampledFrom([]string{drawing(1), drawing(2), acme, "a {}", ""}).Draw(t, "text")), 0o644)
		},
		"remove": func(t *rapid.T) { _ = os.RemoveAll(c.at(path.Draw(t, "path"))) },
		"rename": func(t *rapid.T) {
			_ = os.Rename(c.at(path.Draw(t, "from")), c.at(path.Draw(t, "to")))
		},
		"link": func(t *rapid.T) {
			from, to := anyFile.Draw(t, "from"), path.Draw(t, "to")
			if relative, err := filepath.Rel(filepath.Dir(c.at(from)), c.at(to)); err == nil {
				_ = os.Symlink(relative, c.at(from))
			}
		},
		"forbid": func(t *rapid.T) {
			file := anyFile.Draw(t, "file")
			_ = os.Chmod(c.at(file), rapid.SampledFrom([]fs.FileMode{0o644, 0o600}).Draw(t, "mode"))
		},
		"volume": func(t *rapid.T) {
			c.fresh++
			c.write("shared/..2026/volume", "v")
			c.kubernetes("site", "volume.txt", fmt.Sprint(c.fresh), c.fresh)
		},
	}
	steps := slices.Sorted(func(yield func(string) bool) {
		for name := range operations {
			if !yield(name) {
				return
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		c.begin()
		for range rapid.IntRange(1, 6).Draw(t, "operations") {
			operations[rapid.SampledFrom(steps).Draw(t, "operation")](t)
		}
		_, shown := c.settle()
		if fresh := c.anew(); shown != fresh {
			t.Fatalf("the server shows\n%s\nand a new one\n%s", shown, fresh)
		}
	})
}
