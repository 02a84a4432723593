package terms

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// A manifest names the segments of an index.
type manifest struct {
	Schema   string
	Program  string
	Release  string
	Segments []manifestSegment
}

type manifestSegment struct {
	Folder string
	Files  []checksum
}

// A checksum is that of one file of a segment.
type checksum struct {
	Name string
	Size int64
	CRC  uint32
}

// castagnoli is the polynomial that processors compute in hardware.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func writeDigests(folder string, digests []Digest) error {
	data := make([]byte, 0, len(digests)*len(Digest{}))
	for _, d := range digests {
		data = append(data, d[:]...)
	}
	return os.WriteFile(filepath.Join(folder, digestsFile), data, 0o600)
}

func readDigests(folder string) ([]Digest, error) {
	data, err := os.ReadFile(filepath.Join(folder, digestsFile))
	if err != nil {
		return nil, err
	}
	if len(data)%len(Digest{}) != 0 {
		return nil, fmt.Errorf("%s has %d bytes", digestsFile, len(data))
	}
	digests := make([]Digest, len(data)/len(Digest{}))
	for i := range digests {
		digests[i] = Digest(data[i*len(Digest{}):])
	}
	return digests, nil
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

// verify compares files with their checksums: bluge maps them into memory, and
// a damaged one would crash the whole process.
func verify(folder string, sums []checksum) error {
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
