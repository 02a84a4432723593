package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"souk/build/catalog"
	"souk/build/kit/problem"
)

// days is a number of days, as in 365d.
type days int

func (d *days) String() string {
	if *d == 0 {
		return ""
	}
	return fmt.Sprintf("%dd", int(*d))
}

func (*days) Type() string { return "days" }

func (d *days) Set(text string) error {
	number, _ := strings.CutSuffix(text, "d")
	const most = 36500
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 || n > most || number == text {
		return fmt.Errorf("%q is not a number of days, as in 365d", text)
	}
	*d = days(n)
	return nil
}

// stale warns about items last updated more than the given number of days ago. 0 warns about
// none.
func stale(market *catalog.Catalog, after days) (list problem.List) {
	if after == 0 || market == nil {
		return nil
	}
	oldest := market.Now().Add(-time.Duration(after) * 24 * time.Hour)
	market.Each(func(n *catalog.Node) {
		h := n.Item().Common()
		if h == nil || n.Withheld() || h.UpdatedAt.Time.IsZero() || !h.UpdatedAt.Time.Before(oldest) {
			return
		}
		list = append(list, problem.Problem{
			File: h.File, Warning: true, Text: fmt.Sprintf("updatedAt is %s, more than %d days ago", h.UpdatedAt.Time.Format(time.DateOnly), int(after)),
			Meant: "review it, then set updatedAt",
		})
	})
	return list
}
