package search

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

type manifest struct {
	Schema  string
	Program string
	Release string
	Parts   []manifestPart
}

type manifestPart struct {
	Folder string
	Files  []manifestFileSum
}

type manifestFileSum struct {
	Name string
	Size int64
	CRC  uint32
}

// castagnoli is the polynomial that processors compute by themselves.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func writePrints(folder string, prints []imprint) error {
	data := make([]byte, 0, len(prints)*len(imprint{}))
	for _, p := range prints {
		data = append(data, p[:]...)
	}
	return os.WriteFile(filepath.Join(folder, printsFile), data, 0o600)
}

func readPrints(folder string) ([]imprint, error) {
	data, err := os.ReadFile(filepath.Join(folder, printsFile))
	if err != nil {
		return nil, err
	}
	if len(data)%len(imprint{}) != 0 {
		return nil, fmt.Errorf("%s has %d bytes", printsFile, len(data))
	}
	prints := make([]imprint, len(data)/len(imprint{}))
	for i := range prints {
		prints[i] = imprint(data[i*len(imprint{}):])
	}
	return prints, nil
}

// replace puts a file into the place of another, durably and in one step.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func sumFile(path string) (size int64, crc uint32, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	h := crc32.New(castagnoli())
	size, err = io.Copy(h, f)
	return size, h.Sum32(), err
}

// verify compares files with their checksums, since bluge maps them into
// memory and would take the whole process down over a damaged one.
func verify(folder string, sums []manifestFileSum) error {
	if len(sums) == 0 {
		return errors.New("the manifest names no files")
	}
	for _, want := range sums {
		size, crc, err := sumFile(filepath.Join(folder, filepath.Base(want.Name)))
		if err != nil {
			return err
		}
		if size != want.Size || crc != want.CRC {
			return fmt.Errorf("%s is damaged", filepath.Join(folder, want.Name))
		}
	}
	return nil
}
