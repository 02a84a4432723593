package source

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"souk/build/catalog"
)

// SellerNames returns the names and legal names in every version of a Seller's identity,
// public or not. file is the Seller's, relative to the content folder. If the file has
// mistakes, it returns the readable names.
func SellerNames(root, file string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("read the names of a seller: %w", err)
	}
	d := &decoder{file: file}
	front, _, whole := d.split(data)
	if !whole {
		return nil, nil
	}
	n := d.mapping(front)
	if n == nil {
		return nil, nil
	}
	f := newFile(catalog.KindSeller).(*sellerFile)
	d.decodeStruct(n, reflect.ValueOf(f).Elem(), "the seller")
	var names []string
	for _, v := range f.Versions {
		for _, name := range []string{v.Name, v.LegalName} {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names, nil
}
