package web

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"souk/build/document"
)

// Read returns a document of a release as the server would send it. gone means that the
// server answers 410; a nil body otherwise means 404.
func Read(r Release, file string) (body []byte, gone bool, err error) {
	// The second lookup decides, as in tree.file.
	for range 2 {
		if _, there := r.Lookup(file); !there {
			_, gone := r.Lookup(document.GoneFile(file))
			return nil, gone, nil
		}
		body, err = read(r, file)
		if !errors.Is(err, fs.ErrNotExist) {
			return body, false, err
		}
	}
	return nil, false, fmt.Errorf("a file of the release is missing: %w", err)
}

func read(r Release, file string) ([]byte, error) {
	f, err := r.OpenFile(file)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(f)
	return body, errors.Join(err, f.Close())
}
