package metrics

import (
	"bytes"
	"strconv"
	"strings"
)

// contentType is the media type of the text format:
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// An exposition is a text in that format. Each family is written once, followed by its
// samples.
type exposition struct{ bytes.Buffer }

var (
	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	valueEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// family starts the samples of one name; kind is counter, gauge, histogram or summary.
func (e *exposition) family(name, kind, help string) {
	e.WriteString("# HELP " + name + " " + helpEscapes.Replace(help) + "\n# TYPE " + name + " " + kind + "\n")
}

// sample writes one value; labels are alternating names and values.
func (e *exposition) sample(name string, value float64, labels ...string) {
	e.WriteString(name)
	between := "{"
	for i := 0; i+1 < len(labels); i += 2 {
		e.WriteString(between + labels[i] + `="` + valueEscapes.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD")) + `"`)
		between = ","
	}
	if len(labels) > 0 {
		e.WriteString("}")
	}
	e.WriteString(" " + number(value) + "\n")
}

// gauge writes a gauge with one sample.
func (e *exposition) gauge(name, help string, value float64, labels ...string) {
	e.family(name, "gauge", help)
	e.sample(name, value, labels...)
}

// counter writes a counter with one sample.
func (e *exposition) counter(name, help string, value float64) {
	e.family(name, "counter", help)
	e.sample(name, value)
}

// number formats a value as Go does, which is what the format requires.
func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }
