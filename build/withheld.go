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

// rememberedFile contains the removals in force when the last release was made. A stub alone
// does not say which of a company's removals it belongs to: a ledger restored from a backup
// made between two removals knows the first one and that it was restored. The file is stored
// beside the release, because the ledger may be in the state folder, and no publish copies it.
func (b *Builder) rememberedFile() string {
	return filepath.Join(release.Folder(b.config.Public), ".withheld")
}

// lost returns removals of the last release that are no longer recorded although their stubs
// exist.
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

// remember records the removals of the next release before it is made.
func (b *Builder) remember(from buildInputs) error {
	if b.inputs.record != nil && b.inputs.withheld().Key() == from.withheld().Key() {
		return nil
	}
	list := slices.DeleteFunc(slices.Concat(b.lost(from.record), from.retained, from.record.List()), catalog.Removal.Restored)
	data, err := json.Marshal(list)
	before, _ := os.ReadFile(b.rememberedFile())
	if err == nil && len(list)+len(before) > 0 && string(before) != string(data) {
		err = durable.Replace(b.rememberedFile(), 0o600, data)
	}
	if err != nil {
		return fmt.Errorf("save the removals of the release: %w", err)
	}
	return nil
}
