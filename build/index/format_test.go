package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/index/naming"
	"souk/build/index/terms"
)

// namesOf returns everything that the names of a Set contain about its living documents, in
// order.
func namesOf(s *Set) (list []string) {
	for _, v := range s.Views {
		for _, kind := range []catalog.Kind{catalog.KindProduct, catalog.KindService} {
			l := v.Names(kind)
			for at := range l.Words.Len() {
				for _, u := range l.Of(at, at+1) {
					if document := l.Documents[u.Rank()]; v.Lives(document) {
						list = append(list, fmt.Sprint(l.Words.At(at), " ", u.As(), " of ", v.Ref(int(document)), " of ", l.Lengths[u.Rank()], " bytes, ", l.Counts[u.Rank()], " words"))
					}
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

func TestPartsOfAnEarlierFormatAreRejectedWithAdvice(t *testing.T) {
	folder, m := t.TempDir(), newMarket(2, "a")
	s := mustWrite(t, m.corpus(), Options{Folder: folder})
	former := s.Head
	former.Schema = "souk search 6"
	told, err := json.Marshal(former)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, headFile), append([]byte(sumOf(told)+"\n"), told...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), folder, nil); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "another version of the program") || !strings.Contains(err.Error(), "souk build") {
		t.Errorf("it is read: %v", err)
	}
	old := slices.Clone(s.Views[0].data)
	copy(old, "souk part 3\n")
	if _, err := openPart("p", old); err == nil {
		t.Error("a part of a former format is read")
	}
	mustWrite(t, m.corpus(), Options{Folder: folder})
	if again, err := Read(t.Context(), folder, nil); err != nil || len(again.Views) != 1 {
		t.Errorf("the next build does not write them anew: %v", err)
	} else if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzADamagedPartIsReadOrRefusedWithoutAPanic(f *testing.F) {
	m := newMarket(2, "a", "b")
	s, err := Write(context.Background(), m.corpus(), Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(3), []byte("x"))
	f.Add(uint16(16), []byte{0, 0, 0, 0, 0, 0, 0, 200})
	for _, of := range s.Views[0].names[0].Uses {
		at := bytes.Index(s.Views[0].data, binary.LittleEndian.AppendUint32(nil, uint32(of)))
		f.Add(uint16(at), bytes.Repeat([]byte{0xff}, 8))
	}
	records := bytes.Index(s.Views[0].data, s.Views[0].records.all)
	for at := range s.Views[0].records.all {
		f.Add(uint16(records+at), []byte{1, 0xff, 0x01, 0}) // one of kind 255, which does not exist
	}
	f.Fuzz(func(_ *testing.T, at uint16, patch []byte) {
		data := slices.Clone(s.Views[0].data)
		copy(data[int(at)%len(data):], patch)
		p, err := openPart("p", data)
		if err != nil {
			return
		}
		for at := range p.Documents() {
			_, _ = p.Listing(at), p.Seller(at)
			_, _ = p.Category(at), p.Article(at)
			_, _, _ = p.Name(at), p.Compare(at, p, 0), p.Description(at)
			_, _, _ = said(p, at), p.KeyBeginning(at), p.Published(at)
		}
		p.sellers(func(string, *catalog.Company) {})
		for field := range terms.Fields {
			of := p.segment.Lists[field].Terms
			for at := range of.Len() {
				_ = p.segment.Each(field, of.At(at), func(terms.Posting) {})
			}
		}
		for _, kind := range []catalog.Kind{catalog.KindProduct, catalog.KindService} {
			l := p.Names(kind)
			for at := range l.Words.Len() {
				_ = l.Words.At(at)
				for uses := l.Of(at, at+1); len(uses) > 0; uses = naming.After(uses) {
					_ = uses[0].Rank()
				}
			}
		}
		_, _ = p.encodeWithout(context.Background(), []uint32{0})
	})
}
