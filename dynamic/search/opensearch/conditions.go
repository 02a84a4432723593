package opensearch

import (
	"souk/dynamic/search/cluster"
	"souk/dynamic/search/match"
)

// conditions builds the query DSL for terms. It counts the clauses, which OpenSearch limits.
type conditions struct{ clauses int }

func (c *conditions) leaf(kind string, body object) object {
	c.clauses++
	return object{kind: body}
}

func (c *conditions) matchNone() object { return c.leaf("match_none", object{}) }
func (c *conditions) matchAll() object  { return c.leaf("match_all", object{}) }

// anyOf returns a condition that any of several satisfies.
func (c *conditions) anyOf(list []object) object {
	switch len(list) {
	case 0:
		return c.matchNone()
	case 1:
		return list[0]
	default:
		return object{"bool": object{"should": list, "minimum_should_match": 1}}
	}
}

// of returns the condition of terms.
func (c *conditions) of(t *match.Terms) object {
	switch {
	case t == nil:
		return c.matchNone()
	case t.Prefix:
		return c.leaf("prefix", object{string(t.Field): t.Text})
	case t.Field != "":
		return c.leaf("term", object{string(t.Field): t.Text})
	case len(t.Numbers) > 0:
		return c.leaf("terms", object{"n": t.Numbers})
	case len(t.All) > 0:
		list := make([]object, len(t.All))
		for i, one := range t.All {
			list[i] = c.of(one)
		}
		return object{"bool": object{"filter": list}}
	}
	// Plain terms of one field are one clause, whatever their number.
	var list []object
	plain := map[string][]string{}
	for _, leaf := range leaves(t, 1) {
		if leaf.Field != "" && !leaf.Prefix {
			plain[string(leaf.Field)] = append(plain[string(leaf.Field)], leaf.Text)
			continue
		}
		list = append(list, c.of(leaf.Terms))
	}
	for _, field := range []match.Field{match.Words, match.Own, match.Exact, match.Beginnings} {
		if texts := plain[string(field)]; len(texts) > 0 {
			list = append(list, c.leaf("terms", object{string(field): texts}))
		}
	}
	return c.anyOf(list)
}

// leaves returns the alternatives of terms, each with its weight.
func leaves(t *match.Terms, factor float64) (list []match.WeightedTerms) {
	if t == nil {
		return nil
	}
	if t.Field != "" || len(t.All)+len(t.Numbers) > 0 {
		return []match.WeightedTerms{{Terms: t, Factor: factor}}
	}
	for _, one := range t.Any {
		list = append(list, leaves(one.Terms, factor*one.Factor)...)
	}
	return list
}

// tier returns the condition of a tier.
func (c *conditions) tier(t *cluster.Tier) object {
	switch {
	case t.Everything:
		return c.matchAll()
	case len(t.Numbers) > 0:
		return c.leaf("terms", object{"n": t.Numbers})
	}
	list := make([]object, len(t.Groups))
	for i, g := range t.Groups {
		list[i] = c.of(g)
	}
	switch {
	case t.Weights != nil:
		for i := range list {
			list[i] = object{"constant_score": object{"filter": list[i], "boost": t.Weights[i]}}
		}
		return object{"function_score": object{"query": c.anyOf(list), "min_score": t.Least}}
	case t.Least >= len(list):
		return object{"bool": object{"filter": list}}
	default:
		return object{"bool": object{"should": list, "minimum_should_match": t.Least}}
	}
}

// narrowing returns the condition of a narrowing.
func (c *conditions) narrowing(n *cluster.Narrowing) object {
	field := "f." + n.Filter
	var list []object
	var ids []uint32
	for _, run := range n.Runs {
		if run[1]-run[0] == 1 {
			ids = append(ids, run[0])
			continue
		}
		list = append(list, c.leaf("range", object{field: object{"gte": run[0], "lt": run[1]}}))
	}
	if len(ids) > 0 {
		list = append(list, c.leaf("terms", object{field: ids}))
	}
	return c.anyOf(list)
}

// excluded returns the condition of an exclusion.
func (c *conditions) excluded(one *cluster.Exclusion) object {
	all := c.but(one.Narrowings, -1)
	if one.Terms == nil {
		return all
	}
	return object{"bool": object{"filter": []object{all, c.of(one.Terms)}}}
}

// but returns the conditions of all narrowings except one; -1 excepts none.
func (c *conditions) but(list []cluster.Narrowing, out int) object {
	conditions := []object{}
	for i := range list {
		if i != out {
			conditions = append(conditions, c.narrowing(&list[i]))
		}
	}
	if len(conditions) == 0 {
		return c.matchAll()
	}
	return object{"bool": object{"filter": conditions}}
}
