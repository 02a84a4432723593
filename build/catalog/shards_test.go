package catalog

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type digested uint64

func (d digested) Digest() uint64 { return uint64(d) }

// contents returns the members of each shard, sorted.
func contents(s *Shards[digested]) map[Shard][]digested {
	all := map[Shard][]digested{}
	for shard := range s.All() {
		all[shard] = slices.Sorted(slices.Values(s.Members(shard)))
	}
	return all
}

func TestShardsDependOnlyOnTheSetAndReportChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var set Shards[digested]
		there := []digested{}
		// Crowded digests start with the same bits.
		shift := rapid.SampledFrom([]int{0, 0, 5, 40}).Draw(t, "crowded")
		add := func(touch func(Shard)) {
			m := digested(random.Uint64() >> shift)
			if !slices.Contains(there, m) {
				there = append(there, m)
				set.Add(m, touch)
			}
		}
		for range rapid.SampledFrom([]int{0, 499, 1000, 3000}).Draw(t, "at first") {
			add(nil)
		}
		before, touched := contents(&set), map[Shard]bool{}
		touch := func(s Shard) { touched[s] = true }
		for range rapid.IntRange(0, 5).Draw(t, "edits") {
			many := rapid.SampledFrom([]int{1, 1, 2, 400}).Draw(t, "many")
			comes := rapid.Bool().Draw(t, "comes")
			for range many {
				if comes {
					add(touch)
				} else if len(there) > 0 {
					i := random.IntN(len(there))
					set.Remove(there[i], touch)
					there = slices.Delete(there, i, i+1)
				}
			}
		}
		var fresh Shards[digested]
		random.Shuffle(len(there), func(i, j int) { there[i], there[j] = there[j], there[i] })
		for _, m := range there {
			fresh.Add(m, nil)
		}
		after, want := contents(&set), contents(&fresh)
		for shard, members := range want {
			if !slices.Equal(after[shard], members) {
				t.Fatalf("%s holds %d members and should hold %d", shard, len(after[shard]), len(members))
			}
			if len(members) == 0 || len(members) > ShardSize {
				t.Fatalf("%s has %d members", shard, len(members))
			}
			if !slices.Equal(before[shard], members) && !touched[shard] {
				t.Fatalf("%s changed and is not told of", shard)
			}
			for _, m := range members {
				if set.Of(m.Digest()) != shard {
					t.Fatalf("%x is of %s and not of %s", m, set.Of(m.Digest()), shard)
				}
			}
		}
		for shard := range after {
			if want[shard] == nil {
				t.Fatalf("there is a shard %s", shard)
			}
		}
		for shard := range before {
			if after[shard] == nil && !touched[shard] {
				t.Fatalf("%s went and is not told of", shard)
			}
			if after[shard] == nil && set.Members(shard) != nil && len(set.Members(shard)) > 0 {
				t.Fatalf("%s went and has members", shard)
			}
		}
	})
}

func TestASplitChangesOneShard(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var set Shards[digested]
	for range 20_000 {
		touched := map[Shard]bool{}
		set.Add(digested(random.Uint64()), func(s Shard) { touched[s] = true })
		if len(touched) > 5 {
			t.Fatalf("one more member changes %v", touched)
		}
	}
	if got := set.Of(0b0101 << 60).String(); len(got) < 5 || got[:4] != "0101" {
		t.Errorf("a digest that begins with 0101 is of %s", got)
	}
	if text := (Shard{}).String(); text != "" {
		t.Errorf("the whole set is %q", text)
	}
}
