package catalog

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// fill sets every field of a value to something distinct, at any depth, and fails the test
// at a type that packing does not support.
func fill(t *rapid.T, v reflect.Value, name string) {
	switch v.Interface().(type) {
	case time.Time:
		if rapid.Bool().Draw(t, name+" there") {
			v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(-60_000_000_000, 250_000_000_000).Draw(t, name), rapid.Int64Range(0, 999_999_999).Draw(t, name+" ns")).UTC()))
		}
		return
	case Kind:
		v.SetUint(uint64(rapid.IntRange(0, len(kindNames)-1).Draw(t, name)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), name+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice:
		if n := rapid.IntRange(0, 3).Draw(t, name+" length"); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), fmt.Sprint(name, "[", i, "]"))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, name+" there") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), name)
		}
	case reflect.String:
		v.SetString(rapid.String().Draw(t, name))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, name))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, name))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(rapid.Uint64Range(0, 1<<v.Type().Bits()-1).Draw(t, name))
	default:
		t.Fatalf("%s is of a type that is not packed: %s", name, v.Type())
	}
}

// drawnItem returns an Item of a kind with every field drawn.
func drawnItem(t *rapid.T, kind Kind) Item {
	item := emptyItem(kind)
	fill(t, reflect.ValueOf(item).Elem(), kind.String())
	item.Common().Ref.Kind = kind
	return item
}

func TestUnpackingReturnsThePackedItem(t *testing.T) {
	for kind := KindSeller; kind <= KindFile; kind++ {
		t.Run(kind.String(), rapid.MakeCheck(func(t *rapid.T) {
			item := drawnItem(t, kind)
			packed := Pack(item)
			if got := packed.Unpack(); !reflect.DeepEqual(got, item) {
				t.Fatalf("%#v\nis unpacked as\n%#v", item, got)
			}
			if !reflect.DeepEqual(packed.Common(), item.Common()) {
				t.Fatalf("the head of %#v is unpacked as %#v", item, packed.Common())
			}
			if o, is := item.(*Offer); is {
				want := &Offer{Head: o.Head, Categories: o.Categories, Price: o.Price, Media: o.Media, Proof: o.Proof, Availability: o.Availability, Attributes: o.Attributes}
				want.Aliases, want.Related, want.Keywords, want.Description = nil, nil, nil, Text{}
				if got := packed.card(); !reflect.DeepEqual(got, want) {
					t.Fatalf("the card of %#v is unpacked as %#v", o, got)
				}
			}
			if packed.Ref() != item.Common().Ref || Pack(&packed) != packed {
				t.Fatalf("%q is of %v", packed, packed.Ref())
			}
		}))
	}
}

// Search packs items while the catalog reads them. Only the race detector can notice a
// mistake here.
func TestAnItemCanBeReadWhileItIsPacked(t *testing.T) {
	for kind := KindSeller; kind <= KindFile; kind++ {
		t.Run(kind.String(), rapid.MakeCheck(func(t *rapid.T) {
			item := drawnItem(t, kind)
			var packing sync.WaitGroup
			packing.Go(func() { Pack(item) })
			Pack(item)
			packing.Wait()
		}))
	}
}

func FuzzUnpackTakesAnyBytes(f *testing.F) {
	f.Add(string(Pack(&Offer{Head: Head{Ref: Ref{Kind: KindProduct, Company: "a", Slug: "b"}, Name: "B"}, Price: &Price{Amount: "1"}})))
	f.Add("\x02\x00\x01a\x01b\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, text string) {
		item := Packed(text).Unpack()
		if item == nil {
			return
		}
		if again := Pack(item).Unpack(); !reflect.DeepEqual(again, item) {
			t.Errorf("%q is %#v, which is unpacked as %#v", text, item, again)
		}
	})
}
