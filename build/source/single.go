package source

import (
	"souk/build/kit/problem"
)

// Mistakes returns the mistakes within one content file, as a check of the whole folder would
// find them. file is its path relative to the folder.
func Mistakes(file string, data []byte) problem.List { return read(file, data, nil).Problems }
