package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"souk/build/intake/feed"
	"souk/build/kit/durable"
	"souk/build/source"
)

// newMarket is the marketplace.yaml of a market that begins with an import.
const newMarket = `# yaml-language-server: $schema=.schemas/marketplace.schema.json
# The name of the market, and its addresses. Replace all three before you publish.
name: My market
siteUrl: https://market.example
contactEmail: hello@market.example
# What the home page shows first, at most 12 References such as seller:acme.
featured: []
`

// runInitFrom creates a market in the folder args[1] and imports the source args[0] into it.
func runInitFrom(ctx context.Context, w environment, o initOptions, args []string) (err error) {
	if len(args) == 2 {
		o.content = filepath.Join(args[1], o.content)
	}
	entries, err := os.ReadDir(o.content)
	if err != nil && !durable.Absent(err) {
		return fmt.Errorf("create a marketplace: %w", err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s already exists and is not empty: to import into it, run 'souk import %s %s --as NAME'", o.content, o.from, shellWord(args[0]))
	}
	if o.name == "" {
		o.name = feed.Slug(strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])))
	}
	file := filepath.Join(o.content, "marketplace.yaml")
	if err := os.MkdirAll(o.content, 0o777); err != nil {
		return fmt.Errorf("create a marketplace: %w", err)
	}
	if err := durable.Replace(file, 0o666, []byte(newMarket)); err != nil {
		return fmt.Errorf("create a marketplace: %w", err)
	}
	settings, err := o.settings([]string{o.from, args[0]})
	if err == nil {
		err = runImport(ctx, w, o.importOptions, settings)
	}
	if err != nil {
		return errors.Join(err, durable.Remove(file))
	}
	if _, err := source.WriteSchemas(filepath.Join(o.content, source.SchemaDir)); err != nil {
		return err
	}
	at := ""
	if o.content != "content" {
		at = " --content " + shellWord(o.content)
	}
	fmt.Fprintf(w.stderr, `souk: next:
  write the market's name, siteUrl and contactEmail into %s
  look at what had no place, above, and map it with 'souk import %s%s --map …'
  souk check%s && souk serve --preview --watch%s
`, file, o.name, at, at, at)
	return nil
}
