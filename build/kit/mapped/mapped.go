// Package mapped makes the bytes of a file readable as memory, in pages that the
// system takes back where it needs them and that no garbage collector looks at. It
// refuses to know what is in a file. The file must not be cut short meanwhile, which
// ends the process: what is mapped is replaced by another file, and never changed.
package mapped

import "os"

// File returns the first bytes of a file, to be read alone. They stay as they are
// where another file takes the place of this one, and when f is closed. size is not 0.
func File(f *os.File, size int) ([]byte, error) { return mapFile(f, size) }

// Leave says that the bytes of a mapping are not read for a while. They stay readable, and
// count as memory of the process again once they are.
func Leave(b []byte) { leave(b) }

// Close gives up what File returned, which nobody may read from then on.
func Close(b []byte) error { return unmapFile(b) }
