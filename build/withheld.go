package build

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/durable"
	"souk/build/release"
	"souk/build/release/stub"
)

// rememberedFile has the removals that were in force when the last release was made. A
// stub alone does not tell which of a company's removals it is of: a ledger that is put
// back from a backup of between two of them knows the first, and that it was restored.
// It lies beside the release, since the ledger may lie in the state folder, and no
// publish copies it.
func (b *Builder) rememberedFile() string {
	return filepath.Join(release.Folder(b.config.Public), ".withheld")
}

// lost returns the removals of the last release that are not on record any more, though
// there is a stub that they left.
func (b *Builder) lost(record *catalog.Removals) (list []catalog.Removal) {
	for _, one := range b.remembered() {
		profile, c := document.SellerFile(one.Slug), catalog.Company{Slug: one.Slug}
		if !record.Accounts(one) && b.tree.Has(document.GoneFile(profile)) && !stub.Forgets(b.config.Forget, c, document.FileAddress(profile)) {
			list = append(list, one)
		}
	}
	return list
}

// remembered returns the removals that the last release was made with.
func (b *Builder) remembered() (list []catalog.Removal) {
	data, err := os.ReadFile(b.rememberedFile())
	if err != nil || json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// remember records which removals the next release is made with, before there is one.
func (b *Builder) remember(from made) error {
	if b.made.record != nil && b.made.withheld().Key() == from.withheld().Key() {
		return nil
	}
	list := append(append([]catalog.Removal{}, b.lost(from.record)...), from.kept...)
	for _, one := range from.record.List() {
		if !one.Restored() && one.Slug != "" {
			list = append(list, one)
		}
	}
	data, err := json.Marshal(list)
	if err == nil {
		var before []byte
		if before, err = os.ReadFile(b.rememberedFile()); err == nil && string(before) == string(data) || errors.Is(err, fs.ErrNotExist) && len(list) == 0 {
			return nil
		}
		err = durable.Replace(b.rememberedFile(), 0o600, data)
	}
	if err != nil {
		return fmt.Errorf("keep which removals the release is made with: %w", err)
	}
	return nil
}
