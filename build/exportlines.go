package build

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/export/merchant"
	"souk/build/export/sheet"
)

// Without counts what an export format has no place for, by kind.
type Without map[string]int

func (w Without) add(what string) { w[what]++ }

// ExportSchemaOrg writes a line of JSON-LD for each current seller, product and service of a
// content folder, without building it. If the content has mistakes, it returns a
// *problem.Error.
func ExportSchemaOrg(ctx context.Context, c Config, removals *catalog.Removals, to io.Writer) (Without, error) {
	market, err := Read(ctx, c, removals)
	if err != nil {
		return nil, err
	}
	r := document.NewRenderer(market, c.SiteURL)
	s, err := newSite(market, r)
	if err != nil {
		return nil, err
	}
	without := Without{}
	for _, n := range current(market, catalog.KindSeller, catalog.KindProduct, catalog.KindService) {
		line, err := s.Data(r.WithoutLists(n), without.add)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(line); err != nil {
			return nil, err
		}
	}
	return without, ctx.Err()
}

// ExportMerchant writes the current products of a content folder as a feed for Google Merchant
// Center, like ExportSchemaOrg.
func ExportMerchant(ctx context.Context, c Config, removals *catalog.Removals, to io.Writer) (Without, error) {
	market, err := Read(ctx, c, removals)
	if err != nil {
		return nil, err
	}
	r, without := document.NewRenderer(market, c.SiteURL), Without{}
	if _, err := io.WriteString(to, merchant.Header); err != nil {
		return nil, err
	}
	for _, n := range current(market, catalog.KindProduct) {
		if _, err := io.WriteString(to, merchant.Rows(r.Document(n).(document.Product), without.add)); err != nil {
			return nil, err
		}
	}
	if services := len(current(market, catalog.KindService)); services > 0 {
		without[merchant.Services] = services
	}
	return without, ctx.Err()
}

// ExportSheet returns a function that writes the current items of one kind as a CSV table,
// like ExportSchemaOrg. name is one of sheet.Sheets.
func ExportSheet(name string) func(context.Context, Config, *catalog.Removals, io.Writer) (Without, error) {
	return func(ctx context.Context, c Config, removals *catalog.Removals, to io.Writer) (Without, error) {
		market, err := Read(ctx, c, removals)
		if err != nil {
			return nil, err
		}
		table, without, w := sheet.Sheets[name], Without{}, csv.NewWriter(to)
		in := sheet.Market{Catalog: market, Media: document.NewRenderer(market, c.SiteURL).SiteURL() + "/" + document.MediaFolder, Without: without.add}
		if err := w.Write(table.Header); err != nil {
			return nil, err
		}
		for _, n := range current(market, table.Kind) {
			if err := w.Write(table.Row(n, in)); err != nil {
				return nil, err
			}
		}
		w.Flush()
		return without, errors.Join(w.Error(), ctx.Err())
	}
}

// current returns the current nodes of some kinds, by kind, then address.
func current(market *catalog.Catalog, kinds ...catalog.Kind) (all []*catalog.Node) {
	for _, n := range market.Nodes() {
		if n.Current() && slices.Contains(kinds, n.Ref().Kind) {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *catalog.Node) int {
		return cmp.Or(cmp.Compare(a.Ref().Kind, b.Ref().Kind), cmp.Compare(a.Ref().Path(), b.Ref().Path()))
	})
	return all
}
