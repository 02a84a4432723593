package source

import (
	"reflect"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// Mistakes returns what is wrong within one content file, as a check of the whole folder
// would find it: file is its path relative to the folder.
func Mistakes(file string, data []byte) problem.List { return read(file, data, nil).Problems }

// HasField reports whether the files of a kind have a field, at a path such as price.unit;
// those of a seller's versions count as the seller's.
func HasField(kind catalog.Kind, path string) bool {
	at := slices.IndexFunc(fileKinds, func(k fileKind) bool { return k.kind == kind })
	return at >= 0 && hasField(fileKinds[at].of, path) || kind == catalog.KindSeller && hasField(reflect.TypeFor[versionFile](), path)
}

func hasField(t reflect.Type, path string) bool {
	name, below, deeper := strings.Cut(path, ".")
	for _, f := range reflect.VisibleFields(t) {
		if own, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); own != name {
			continue
		}
		of := f.Type
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		return !deeper || of.Kind() != reflect.Struct || hasField(of, below)
	}
	return false
}
