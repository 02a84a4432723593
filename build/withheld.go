package build

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

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
func (b *Builder) lost(record *catalog.Removals) []catalog.Removal {
	_, _, lost := record.Since(b.remembered())
	return slices.DeleteFunc(lost, func(one catalog.Removal) bool {
		profile := document.SellerFile(one.Slug)
		return !b.tree.Has(document.GoneFile(profile)) || stub.Forgotten(b.config.Forget, catalog.Company{Slug: one.Slug}, document.FileAddress(profile))
	})
}

// remembered returns the removals that the last release was made with.
func (b *Builder) remembered() *catalog.Removals {
	var list []catalog.Removal
	data, err := os.ReadFile(b.rememberedFile())
	if err != nil || json.Unmarshal(data, &list) != nil {
		return nil
	}
	return catalog.NewRemovals(list)
}

// remember records which removals the next release is made with, before there is one.
func (b *Builder) remember(from made) error {
	if b.made.record != nil && b.made.withheld().Key() == from.withheld().Key() {
		return nil
	}
	list := slices.DeleteFunc(slices.Concat(b.lost(from.record), from.kept, from.record.List()), catalog.Removal.Restored)
	data, err := json.Marshal(list)
	before, _ := os.ReadFile(b.rememberedFile())
	if err == nil && len(list)+len(before) > 0 && string(before) != string(data) {
		err = durable.Replace(b.rememberedFile(), 0o600, data)
	}
	if err != nil {
		return fmt.Errorf("keep which removals the release is made with: %w", err)
	}
	return nil
}
