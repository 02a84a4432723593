package table

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"souk/build/intake/feed"
	"souk/build/intake/merge"
)

func TestTablesAreParsedAsSpreadsheetsWriteThem(t *testing.T) {
	const plain = "seller.name,seller.summary\nÖl,\"two\nlines\"\n"
	latin, err := charmap.Windows1252.NewEncoder().String(plain)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(plain)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"UTF-8": plain, "a byte order mark": "\ufeff" + plain, "Windows-1252": latin, "UTF-16": wide,
		"semicolons": strings.ReplaceAll(plain, ",", ";"), "tabs": strings.ReplaceAll(plain, ",", "\t"), "bars": strings.ReplaceAll(plain, ",", "|"),
		"CRLF": strings.ReplaceAll(plain, "\n", "\r\n"), "blank lines": "\n" + plain + "\n,\n", "no last line end": strings.TrimSuffix(plain, "\n"),
		"a separator in quotes": strings.Replace(plain, "seller.name,", "\"seller.name\",", 1),
	} {
		b := feed.NewBatch()
		if err := Read(b, []byte(data), false, nil); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(b.Things) != 1 || !merge.Equal(b.Things[0].Fields, merge.Map{{Key: "name", Value: "Öl"}, {Key: "summary", Value: "two lines"}}) || b.Found != 2 {
			t.Errorf("%s: %d values, %v, %v", name, b.Found, b.Things[0].Fields, b.Problems)
		}
	}
}

func TestColumnsWithTheSameOrNoNameAreDistinguished(t *testing.T) {
	b := feed.NewBatch()
	if err := Read(b, []byte("seller.name,Note,Note,\nAcme,1,2,3\n"), false, map[string]string{"Note (2)": "seller.private.note", "column 4": "-"}); err != nil {
		t.Fatal(err)
	}
	if len(b.Things) != 1 || !merge.Equal(b.Things[0].Fields.Get("private"), merge.Map{{Key: "note", Value: "2"}}) || b.Lost() != 2 {
		t.Errorf("%v, lost %d", b.Things[0].Fields, b.Lost())
	}
	for _, data := range []string{"", "\n\n", "\"", "a,b\n\"x"} {
		if err := Read(feed.NewBatch(), []byte(data), false, nil); err == nil && data == "" {
			t.Errorf("%q is read", data)
		}
	}
}

func TestTheFirstSheetOfAWorkbookIsRead(t *testing.T) {
	book := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "seller.name", "B1": "seller.founded", "C1": "seller.tagline", "A2": "Acme", "B2": 1999} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	var data bytes.Buffer
	if err := book.Write(&data); err != nil {
		t.Fatal(err)
	}
	b := feed.NewBatch()
	if err := Read(b, data.Bytes(), true, nil); err != nil {
		t.Fatal(err)
	}
	if len(b.Things) != 1 || !merge.Equal(b.Things[0].Fields.Get("founded"), "1999") {
		t.Errorf("%v, %v", b.Things, b.Problems)
	}
	if err := Read(feed.NewBatch(), []byte("no workbook"), true, nil); err == nil {
		t.Error("what is no workbook is read")
	}
}

func TestRowsWithTheSameHandleAreOneProduct(t *testing.T) {
	b := feed.NewBatch()
	b.Defaults = []feed.Cell{{Target: "product.price.currency", Text: "EUR", Silent: true}}
	err := Read(b, []byte(`Title,URL handle,Description,Vendor,Tags,Status,SKU,Option1 name,Option1 value,Price,Compare-at price,Product image URL,Image alt text,Variant image URL,Inventory quantity
Shirt,shirt,<b>Soft</b>,Acme,"a, b",Archived,S-1,Size,S,10,12,https://x.example/1.jpg,Front,https://x.example/s.jpg,5
,shirt,,,,,S-2,,M,11,11,https://x.example/2.jpg,,,6
`), false, nil)
	if err != nil || len(b.Problems) > 0 {
		t.Fatal(err, b.Problems)
	}
	shirt := b.Things[1]
	variants, _ := shirt.Fields.Get("variants").(merge.List)
	media, _ := shirt.Fields.Get("media").(merge.List)
	price, _ := shirt.Fields.Get("price").(merge.Map)
	if len(variants) != 2 || len(media) != 2 || !merge.Equal(price.Get("amount"), "10") || !merge.Equal(price.Get("from"), "true") || !merge.Equal(shirt.Fields.Get("status"), "unpublished") {
		t.Errorf("the product is %v", shirt.Fields)
	}
	if small, _ := variants[0].(merge.Map); small.Get("image") != (feed.Picture{Name: "https://x.example/s.jpg", Alt: "Shirt, S"}) || !merge.Equal(small.Map("price").Get("list"), "12") {
		t.Errorf("the variant is %v", small)
	}
	carried := b.Carried
	for _, thing := range b.Things {
		carried += thing.Values
	}
	if carried+b.Lost() != b.Found {
		t.Errorf("%d carried and %d lost of %d", carried, b.Lost(), b.Found)
	}
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("Handle,Title,Vendor,Option1 Name,Option1 Value,Variant Price\na,A,V,Size,S,1\n"))
	f.Add([]byte("ID,Type,SKU,Name,Parent\n1,variable,x,A,\n2,variation,y,B,id:1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := feed.NewBatch()
		if Read(b, data, false, nil) != nil {
			return
		}
		carried := b.Carried
		for _, thing := range b.Things {
			carried += thing.Values
		}
		if carried+b.Lost() != b.Found {
			t.Fatalf("%d carried and %d lost of %d", carried, b.Lost(), b.Found)
		}
	})
}
