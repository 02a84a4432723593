package corpus

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"souk/build/kit/mapped"
)

// A Spill moves lists out of the heap into a mapped file. The index data of each listing is
// then part of the page cache, which the system can reclaim. If the system allows, the file
// has no name, so that it does not outlive the process. The zero Spill has no lists.
type Spill struct {
	lists []spilled
	size  int
	data  []byte
	// named is the path of the file, if it could not be deleted while mapped.
	named string
}

// A spilled is the bytes of a list, and the function that recreates the list from bytes
// elsewhere.
type spilled struct {
	data  []byte
	place func(at unsafe.Pointer)
}

// SpillList adds a list that no longer changes and whose elements contain no pointers.
func SpillList[T any](s *Spill, list *[]T) {
	if len(*list) == 0 {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*list))), len(*list)*int(unsafe.Sizeof((*list)[0])))
	s.add(bytes, func(at unsafe.Pointer) { *list = unsafe.Slice((*T)(at), len(*list)) })
}

// SpillText adds a text.
func SpillText(s *Spill, text *string) {
	if *text == "" {
		return
	}
	s.add(unsafe.Slice(unsafe.StringData(*text), len(*text)), func(at unsafe.Pointer) { *text = unsafe.String((*byte)(at), len(*text)) })
}

func (s *Spill) add(data []byte, place func(unsafe.Pointer)) {
	s.lists = append(s.lists, spilled{data, place})
	s.size += aligned(len(data))
}

// aligned returns the next possible start of a list.
func aligned(n int) int { return (n + 7) &^ 7 }

// Move moves the lists into a file in a folder. If that fails, they stay in the heap.
func (s *Spill) Move(folder string) (err error) {
	if s.size == 0 {
		return nil
	}
	err = os.MkdirAll(folder, 0o700)
	var f *os.File
	if err == nil {
		f, err = os.CreateTemp(folder, "search-*.tmp")
	}
	if err != nil {
		return fmt.Errorf("write search data to a file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if os.Remove(f.Name()) != nil {
		s.named = f.Name() // this system cannot delete an open file
	}
	var padding [8]byte
	for _, l := range s.lists {
		_, err := f.Write(l.data)
		if err == nil {
			_, err = f.Write(padding[:aligned(len(l.data))-len(l.data)])
		}
		if err != nil {
			return fmt.Errorf("write search data to a file: %w", err)
		}
	}
	if s.data, err = mapped.File(f, s.size); err != nil {
		return fmt.Errorf("map search data into memory: %w", err)
	}
	at := 0
	for _, l := range s.lists {
		l.place(unsafe.Pointer(&s.data[at]))
		at += aligned(len(l.data))
	}
	s.lists = nil
	return nil
}

// close releases the lists.
func (s *Spill) close() error {
	var err error
	if s.data != nil {
		err = mapped.Close(s.data)
	}
	if s.named != "" {
		err = errors.Join(err, os.Remove(s.named))
	}
	return err
}
