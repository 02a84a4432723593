package web

import (
	"net/http"

	"souk/build/document"
)

// constant lists header fields that many answers share. Their values are created once;
// sharing them is safe, since appending to a full slice copies it.
type constant []constantField

type constantField struct {
	name  string
	value []string
}

func newConstant(list ...document.Header) constant {
	all := make(constant, len(list))
	for i, one := range list {
		all[i] = constantField{http.CanonicalHeaderKey(one.Name), []string{one.Value}}
	}
	return all
}

// set sets the fields in an answer's header.
func (c constant) set(h http.Header) {
	for i := range c {
		h[c[i].name] = c[i].value
	}
}

// every lists the fields of every answer.
var every = newConstant(document.EveryAnswer()...)

// negotiated is the field of pages, which are Markdown for a client that prefers it.
var negotiated = newConstant(document.Header{Name: "Vary", Value: "Accept, Accept-Encoding"})

// varies is the field of what has compressed twins.
var varies = newConstant(document.Header{Name: "Vary", Value: "Accept-Encoding"})
