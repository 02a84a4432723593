// Package formats reads the source of an import as its settings say. It knows which
// formats there are, and where their pictures lie.
package formats

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/intake/edit"
	"souk/build/intake/feed"
	"souk/build/intake/landscape"
	"souk/build/intake/merge"
	"souk/build/intake/table"
	"souk/build/kit/durable"
	"souk/build/kit/journal"
)

// Settings are what imports/NAME.yaml says.
type Settings struct {
	// Format is one of Names, Source a file, Pictures a folder or a zip archive.
	Format, Source, Pictures string
	// Mapping has the fields of columns, Set the values of fields that rows leave out.
	Mapping, Set map[string]string
	// Services are categories of a landscape whose items are services, Members is the one
	// whose items are companies.
	Services []string
	Members  string
	// Fetch says that pictures at web addresses are downloaded.
	Fetch bool

	file *edit.File
}

// An input is a source with what lies beside it.
type input struct {
	Settings
	data []byte
}

// formats are the formats that can be imported.
var formats = map[string]func(*feed.Batch, input) error{
	"csv":       func(b *feed.Batch, in input) error { return table.Read(b, in.data, false, in.Mapping) },
	"xlsx":      func(b *feed.Batch, in input) error { return table.Read(b, in.data, true, in.Mapping) },
	"landscape": readLandscape,
}

// Names are the names of all formats.
var Names = slices.Sorted(maps.Keys(formats))

// Path returns where the settings of an import are.
func Path(content, name string) string {
	return filepath.Join(content, journal.Folder, name+".yaml")
}

// Load reads the settings of an import. There is none if the error says that its file is
// absent.
func Load(content, name string) (s Settings, err error) {
	data, err := os.ReadFile(Path(content, name))
	if err != nil {
		return s, err
	}
	if s.file, err = edit.Parse(data, false); err != nil {
		return s, fmt.Errorf("%s: %w", Path(content, name), err)
	}
	f := s.file.Fields
	text := func(key string) string { t, _ := merge.Text(f.Get(key)); return t }
	s.Format, s.Source, s.Pictures, s.Members = text("format"), text("source"), text("pictures"), text("members")
	s.Fetch = text("fetch") == "true"
	s.Mapping, s.Set = texts(f.Get("mapping")), texts(f.Get("set"))
	list, _ := f.Get("services").(merge.List)
	for _, item := range list {
		name, _ := merge.Text(item)
		s.Services = append(s.Services, name)
	}
	return s, nil
}

func texts(v merge.Value) map[string]string {
	m, _ := v.(merge.Map)
	all := map[string]string{}
	for _, p := range m {
		all[p.Key], _ = merge.Text(p.Value)
	}
	return all
}

// Bytes returns the file of the settings. Comments of a file that was loaded stay.
func (s Settings) Bytes() ([]byte, error) {
	fields := merge.Map{}
	if s.file != nil {
		fields = s.file.Fields
	}
	for _, p := range []merge.Pair{{Key: "format", Value: s.Format}, {Key: "source", Value: s.Source}, {Key: "pictures", Value: s.Pictures}, {Key: "members", Value: s.Members}} {
		if p.Value == "" {
			p.Value = nil
		}
		fields = fields.Set(p.Key, p.Value)
	}
	if fields = fields.Set("fetch", nil); s.Fetch {
		fields = fields.Set("fetch", merge.Raw("true"))
	}
	for name, values := range map[string]map[string]string{"mapping": s.Mapping, "set": s.Set} {
		var m merge.Map
		for _, key := range slices.Sorted(maps.Keys(values)) {
			m = append(m, merge.Pair{Key: key, Value: values[key]})
		}
		if fields = fields.Set(name, nil); len(m) > 0 {
			fields = fields.Set(name, m)
		}
	}
	var services merge.List
	for _, name := range s.Services {
		services = append(services, name)
	}
	if fields = fields.Set("services", nil); services != nil {
		fields = fields.Set("services", services)
	}
	if s.file == nil {
		data, _ := edit.New(fields)
		return data, nil
	}
	data, _, err := s.file.Edit(fields)
	return data, err
}

// Read reads the source. A relative path is one from the content folder. has reports
// whether content has a field.
func (s Settings) Read(content string, has func(catalog.Kind, string) bool) (*feed.Batch, error) {
	read, known := formats[s.Format]
	if !known {
		return nil, fmt.Errorf("the format %q is none of %s", s.Format, strings.Join(Names, ", "))
	}
	in := input{Settings: s}
	in.Source = within(content, s.Source)
	var err error
	if in.data, err = os.ReadFile(in.Source); err != nil {
		return nil, fmt.Errorf("read the source: %w", err)
	}
	b := feed.NewBatch()
	b.Has, b.Fetch = has, s.Fetch
	for _, target := range slices.Sorted(maps.Keys(s.Set)) {
		if _, _, known := feed.FieldOf(target); !known {
			return nil, fmt.Errorf("%q is no field that can be imported (docs/import.md lists them)", target)
		}
		b.Defaults = append(b.Defaults, feed.Cell{Column: "--set", Target: target, Text: s.Set[target], Silent: true})
	}
	if len(s.Services) > 0 {
		b.Services = func(category string) bool { return slices.Contains(s.Services, category) }
	}
	return b, read(b, in)
}

func within(content, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(content, filepath.FromSlash(file))
}

// Relative returns the path of a source as settings have it: from the content folder,
// so that another machine finds it.
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

func readLandscape(b *feed.Batch, in input) error {
	o := landscape.Options{Members: in.Members}
	for name, to := range map[string]*[]byte{"guide.yml": &o.Guide, "settings.yml": &o.Settings, "config.yml": &o.Settings} {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(in.Source), name))
		if err != nil && !durable.Absent(err) {
			return err
		}
		if len(data) > 0 && (len(*to) == 0 || name == "settings.yml") {
			*to = data
		}
	}
	return landscape.Read(b, in.data, o)
}

// maxPicture is the largest picture that is read.
const maxPicture = 32 << 20

// Picture returns what reads the pictures of the source by their names: from a folder, a
// zip archive, or the folders that landscapes have beside them, and from the web if they
// are fetched. done closes the archive.
func (s Settings) Picture(ctx context.Context, content string) (read func(name string) ([]byte, error), done func() error, err error) {
	read, done, err = s.local(content)
	if err != nil || !s.Fetch {
		return read, done, err
	}
	web := newFetcher(isPublic)
	return func(name string) ([]byte, error) {
		switch {
		case strings.Contains(name, "://"):
			return web.get(ctx, name)
		case read == nil:
			return nil, os.ErrNotExist
		}
		return read(name)
	}, done, nil
}

func (s Settings) local(content string) (read func(name string) ([]byte, error), done func() error, err error) {
	done = func() error { return nil }
	at := within(content, s.Pictures)
	if s.Pictures == "" {
		for _, name := range []string{"hosted_logos", "logos", "images"} {
			if folder := filepath.Join(filepath.Dir(within(content, s.Source)), name); durable.IsFolder(folder) {
				return fromFolder(folder), done, nil
			}
		}
		return nil, done, nil
	}
	if !strings.EqualFold(filepath.Ext(at), ".zip") {
		if _, err := os.Stat(at); err != nil {
			return nil, done, fmt.Errorf("read the pictures: %w", err)
		}
		return fromFolder(at), done, nil
	}
	archive, err := zip.OpenReader(at)
	if err != nil {
		return nil, done, fmt.Errorf("read the archive of pictures: %w", err)
	}
	byName := map[string]*zip.File{}
	for _, f := range archive.File {
		byName[path.Base(f.Name)] = f
	}
	return func(name string) ([]byte, error) {
		f := byName[path.Base(name)]
		if f == nil {
			return nil, os.ErrNotExist
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return bounded(r)
	}, archive.Close, nil
}

func bounded(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if n, err := io.Copy(&b, io.LimitReader(r, maxPicture+1)); err != nil || n > maxPicture {
		return nil, errors.Join(err, errors.New("the picture is larger than 32 MB"))
	}
	return b.Bytes(), nil
}

func fromFolder(folder string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, os.ErrNotExist
		}
		f, err := os.OpenInRoot(folder, filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return bounded(f)
	}
}
