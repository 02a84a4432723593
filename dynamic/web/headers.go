package web

import (
	"net/http"

	"souk/build/document"
)

// constant are header fields that many answers have. Their values are made once
// and shared by all answers, which is as safe as a list of one value without room
// for another is: adding to it copies it.
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

// set sets the fields in the header of an answer.
func (c constant) set(h http.Header) {
	for i := range c {
		h[c[i].name] = c[i].value
	}
}

// every are the fields of every answer.
var every = newConstant(document.EveryAnswer()...)

// varies is the field of what has compressed twins.
var varies = newConstant(document.Header{Name: "Vary", Value: "Accept-Encoding"})
