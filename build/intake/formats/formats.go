// Package formats reads the source of an import according to its settings. It knows
// the formats and where their pictures are.
package formats

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"souk/build/intake/edit"
	"souk/build/intake/feed"
	"souk/build/intake/landscape"
	"souk/build/intake/table"
	"souk/build/kit/durable"
	"souk/build/kit/journal"
)

// Settings are the contents of imports/NAME.yaml.
type Settings struct {
	// Format is one of Names, Source a file, Pictures a folder or a zip archive.
	Format   string `yaml:"format,omitempty"`
	Source   string `yaml:"source,omitempty"`
	Pictures string `yaml:"pictures,omitempty"`
	// Services are the categories of a landscape whose items are services; Members is the
	// one whose items are companies.
	Members string `yaml:"members,omitempty"`
	// Fetch says that pictures at web addresses are downloaded.
	Fetch bool `yaml:"fetch,omitempty"`
	// Mapping maps columns to fields; Set contains values of fields that rows do not
	// have.
	Mapping  map[string]string `yaml:"mapping,omitempty"`
	Set      map[string]string `yaml:"set,omitempty"`
	Services []string          `yaml:"services,omitempty"`

	file *edit.File
}

// formats are the formats that can be imported.
var formats = map[string]func(b *feed.Batch, s Settings, data []byte) error{
	"csv":       func(b *feed.Batch, s Settings, data []byte) error { return table.Read(b, data, false, s.Mapping) },
	"xlsx":      func(b *feed.Batch, s Settings, data []byte) error { return table.Read(b, data, true, s.Mapping) },
	"landscape": readLandscape,
}

// Names are the names of all formats.
var Names = slices.Sorted(maps.Keys(formats))

// Path returns where the settings of an import are.
func Path(content, name string) string {
	return filepath.Join(content, journal.Folder, name+".yaml")
}

// Load reads the settings of an import. If there is no such import, the error is an
// fs.ErrNotExist.
func Load(content, name string) (s Settings, err error) {
	data, err := os.ReadFile(Path(content, name))
	if err != nil {
		return s, err
	}
	if err = yaml.Load(data, &s); err == nil {
		s.file, err = edit.Parse(data, false)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", Path(content, name), err)
	}
	return s, nil
}

// Bytes returns the file of the settings. Comments of a file that was loaded stay.
func (s Settings) Bytes() ([]byte, error) {
	data, err := yaml.Dump(s)
	if err != nil {
		return nil, err
	}
	now, err := edit.Parse(data, false)
	if err != nil {
		return nil, err
	}
	if s.file == nil {
		s.file, _ = edit.Parse(nil, false)
	}
	fields := s.file.Fields
	for _, key := range strings.Fields("format source pictures members fetch mapping set services") {
		fields = fields.Set(key, now.Fields.Get(key))
	}
	data, _, err = s.file.Edit(fields)
	return data, err
}

// Read reads the source. A relative path is one from the content folder.
func (s Settings) Read(content string) (*feed.Batch, error) {
	read, known := formats[s.Format]
	if !known {
		return nil, fmt.Errorf("the format %q is none of %s", s.Format, strings.Join(Names, ", "))
	}
	s.Source = within(content, s.Source)
	data, err := os.ReadFile(s.Source)
	if err != nil {
		return nil, fmt.Errorf("read the source: %w", err)
	}
	b := feed.NewBatch()
	for _, target := range slices.Sorted(maps.Keys(s.Set)) {
		if f, _ := feed.FieldOf(target); f == nil {
			return nil, fmt.Errorf("%q is not a field that can be imported (docs/reference/import.md lists them)", target)
		}
		b.Defaults = append(b.Defaults, feed.Cell{Column: "--set", Target: target, Text: s.Set[target], Silent: true})
	}
	if len(s.Services) > 0 {
		b.Services = func(category string) bool { return slices.Contains(s.Services, category) }
	}
	return b, read(b, s, data)
}

func within(content, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(content, filepath.FromSlash(file))
}

// Relative returns the path of a source relative to the content folder, as settings
// store it, so that it works on other machines.
func Relative(content, file string) string {
	from, err := filepath.Abs(content)
	to, wrong := filepath.Abs(file)
	if err != nil || wrong != nil || filepath.IsAbs(file) {
		return file
	}
	if below, err := filepath.Rel(from, to); err == nil {
		return filepath.ToSlash(below)
	}
	return file
}

func readLandscape(b *feed.Batch, s Settings, data []byte) error {
	o := landscape.Options{Members: s.Members}
	var err error
	beside := func(name string) (found []byte) {
		if found, wrong := os.ReadFile(filepath.Join(filepath.Dir(s.Source), name)); wrong == nil {
			return found
		} else if !durable.Absent(wrong) {
			err = wrong
		}
		return nil
	}
	if o.Guide, o.Settings = beside("guide.yml"), beside("settings.yml"); o.Settings == nil {
		o.Settings = beside("config.yml")
	}
	if err != nil {
		return fmt.Errorf("read what is beside the landscape: %w", err)
	}
	return landscape.Read(b, data, o)
}

// maxPicture is the largest picture that is read.
const maxPicture = 32 << 20

// Picture returns what reads the pictures of the source by their names: from a folder, a
// zip archive, or the folders that landscapes have beside them, and from the web if they
// are fetched; nil if there are none. done closes the archive.
func (s Settings) Picture(ctx context.Context, content string) (read func(name string) ([]byte, error), done func() error, err error) {
	files, done, err := s.files(content)
	if err != nil || files == nil && !s.Fetch {
		return nil, done, err
	}
	web := newFetcher(isPublic)
	return func(name string) ([]byte, error) {
		if strings.Contains(name, "://") {
			return web.get(ctx, name)
		}
		if name = path.Clean(name); files == nil || !fs.ValidPath(name) {
			return nil, os.ErrNotExist
		}
		f, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return bounded(f)
	}, done, nil
}

// files returns where the pictures are that come with the source, nil for nowhere.
func (s Settings) files(content string) (files fs.FS, done func() error, err error) {
	done = func() error { return nil }
	at := within(content, s.Pictures)
	if s.Pictures == "" {
		at = ""
		for _, name := range []string{"images", "logos", "hosted_logos"} {
			if folder := filepath.Join(filepath.Dir(within(content, s.Source)), name); durable.IsFolder(folder) {
				at = folder
			}
		}
		if at == "" {
			return nil, done, nil
		}
	}
	if strings.EqualFold(filepath.Ext(at), ".zip") {
		archive, err := zip.OpenReader(at)
		if err != nil {
			return nil, done, fmt.Errorf("read the archive of pictures: %w", err)
		}
		return flat{archive}, archive.Close, nil
	}
	folder, err := os.OpenRoot(at)
	if err != nil {
		return nil, done, fmt.Errorf("read the pictures: %w", err)
	}
	return folder.FS(), folder.Close, nil
}

// flat finds the files of an archive by their names, in whatever folder they are.
type flat struct{ *zip.ReadCloser }

func (a flat) Open(name string) (fs.File, error) {
	for _, f := range a.File {
		if path.Base(f.Name) == path.Base(name) && !f.FileInfo().IsDir() {
			return a.ReadCloser.Open(f.Name)
		}
	}
	return nil, os.ErrNotExist
}

func bounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPicture+1))
	if err == nil && len(data) > maxPicture {
		err = errors.New("the picture is larger than 32 MB")
	}
	return data, err
}
