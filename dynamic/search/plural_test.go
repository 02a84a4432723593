package search

import (
	"slices"
	"testing"
)

func TestShortPluralsAndSingularsMatchEachOther(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(market("en", "Accelerator: Needs a GPU", "Rack: For GPUs", "Guard: Of an LLM", "Box: Runs a VM", "Store: A fast DB", "Resolver: DNS with DN",
			"Site: A CMS", "Ruler: 30 cm", "Clock: For a cow", "Band: It mows rows", "Tower: A beehive", "Camera: It sees")), nil)
		for query, want := range map[string][]string{
			"gpus": {"Rack", "Accelerator"}, "GPU": {"Accelerator", "Rack"}, "llms": {"Guard"}, "vms": {"Box"}, "dbs": {"Store"}, "fast dbs": {"Store"},
			"cms": {"Site"}, "dns": {"Resolver"}, "cows": {"Clock"}, "bees": {"Tower"},
		} {
			if got := names(t, x, query); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
	})
}
