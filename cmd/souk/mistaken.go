package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"souk/build/kit/problem"
	"souk/build/kit/verbatim"
)

// flagError rewords an error of the flag parser without Go's terms.
func flagError(flags *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		flags.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		typed, hint := "--"+unknown.GetSpecifiedName(), ""
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			typed, hint = "-"+letters, " (a flag begins with two hyphens)"
		}
		if meant, near := problem.Closest(typed, names); near {
			hint = fmt.Sprintf(" (did you mean --%s?)", meant)
		}
		return fmt.Errorf("unknown flag: %s%s", typed, hint)
	case errors.As(err, &invalid):
		flag, value := invalid.GetFlag(), problem.Quoted(invalid.GetValue())
		switch kind := flag.Value.Type(); {
		case errors.Is(invalid, strconv.ErrRange):
			return fmt.Errorf("--%s: %s is too large or too small", flag.Name, value)
		case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
			return fmt.Errorf("--%s takes a whole number, not %s", flag.Name, value)
		case kind == "duration":
			return fmt.Errorf("--%s takes a length of time such as 90s or 24h, not %s", flag.Name, value)
		case kind == "bool":
			return fmt.Errorf("--%s must be true or false, not %s", flag.Name, value)
		case kind == "stringSlice":
			return fmt.Errorf("--%s takes values separated by commas, not %s", flag.Name, value)
		}
		return fmt.Errorf("--%s: %w", flag.Name, errors.Unwrap(invalid))
	}
	return err
}

// plainly returns an error's message without details for programmers: names of system calls
// and layers of a network connection.
func plainly(err error) string {
	text := err.Error()
	each(err, func(one error) {
		switch e := one.(type) {
		case *fs.PathError:
			if slices.Contains([]string{"lstat", "stat", "fstat"}, e.Op) {
				text = strings.ReplaceAll(text, e.Error(), e.Path+": "+e.Err.Error())
			}
		case *url.Error:
			text = strings.ReplaceAll(text, e.Error(), e.URL+": "+verbatim.Reason(e))
		case *net.OpError:
			text = strings.ReplaceAll(text, e.Error(), verbatim.Reason(e))
		}
	})
	return text
}

// each yields an error and the errors it wraps, the outermost first.
func each(err error, yield func(error)) {
	if err == nil {
		return
	}
	yield(err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		each(e.Unwrap(), yield)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			each(one, yield)
		}
	}
}
