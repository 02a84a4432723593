package document

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheCountOfAnAttributeIsShownEvenIfItIsZero(t *testing.T) {
	for _, c := range []struct {
		filter SearchFilter
		told   bool
	}{
		{SearchFilter{Name: FilterAttribute, Attribute: "Colour", Type: "text"}, true},
		{SearchFilter{Name: FilterAttribute, Attribute: "Reach", Type: "number"}, true},
		{SearchFilter{Name: FilterPrice, Type: "number", Unit: "EUR"}, true},
		{SearchFilter{Name: FilterCountry, Type: "text"}, false},
	} {
		data, err := json.Marshal(c.filter)
		if told := strings.Contains(string(data), `"count":0`); err != nil || told != c.told {
			t.Errorf("%s (%v)", data, err)
		}
	}
}
