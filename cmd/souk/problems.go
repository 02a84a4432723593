package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"souk/build/kit/problem"
)

// located returns problems with their files as paths from the working folder, so that a click
// in a terminal opens them, or as absolute paths if the content is elsewhere. theme is the
// folder of a theme outside the content, or "".
func located(content, theme string, list problem.List) problem.List {
	content, theme = fromHere(content), fromHere(theme)
	at := func(file string) string {
		if below, ours := strings.CutPrefix(file, "theme/"); ours && theme != "" {
			return filepath.Join(theme, filepath.FromSlash(below))
		}
		return filepath.Join(content, filepath.FromSlash(file))
	}
	all := make(problem.List, len(list))
	for i, p := range list {
		p.File = at(p.File)
		if p.See != "" {
			p.See = at(p.See)
		}
		all[i] = p
	}
	return all
}

// fromHere returns a folder relative to the working folder if it is below it.
func fromHere(folder string) string {
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(folder) {
		if below, err := filepath.Rel(here, folder); err == nil && filepath.IsLocal(below) {
			return below
		}
	}
	return folder
}

// locatedError does the same for the mistakes in an error, if it has any.
func locatedError(content, theme string, err error) error {
	var mistakes *problem.Error
	if !errors.As(err, &mistakes) {
		return err
	}
	return &problem.Error{Mistakes: located(content, theme, mistakes.Mistakes)}
}

// printProblems prints located problems as lines, with excerpts if out is a terminal.
func printProblems(w environment, out io.Writer, list problem.List) error {
	terminal := isTerminal(out)
	colour := terminal && w.getenv("NO_COLOR") == "" && w.getenv("TERM") != "dumb" // no-color.org
	return writeProblems(out, list, terminal, colour)
}

// The graphic renditions of ECMA-48, 8.3.117.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

func writeProblems(out io.Writer, list problem.List, excerpts, colour bool) error {
	for _, p := range list {
		shade := red
		if p.Warning {
			p.Text, shade = "warning: "+p.Text, yellow
		}
		line, shown := p.String(), ""
		if excerpts {
			shown = excerpt(p)
		}
		if colour {
			place, rest, _ := strings.Cut(line, ": "+p.Text)
			line = bold + place + ":" + plain + " " + shade + p.Text + plain + rest
			shown = strings.Replace(shown, caret, shade+caret+plain, 1)
		}
		if _, err := fmt.Fprint(out, line, "\n", shown); err != nil {
			return err
		}
	}
	return nil
}

// printAnnotations prints workflow commands of GitHub Actions, whose data and properties
// escape different characters. Problems that name removed companies are only counted.
func printAnnotations(out io.Writer, list problem.List) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	private := 0
	for _, p := range list {
		if p.Private {
			private++
			continue
		}
		level := "error"
		if p.Warning {
			level = "warning"
		}
		text := p.Text
		if hint := p.Hint(); hint != "" {
			text += " (" + hint + ")"
		}
		file := filepath.ToSlash(p.File)
		if _, err := fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d::%s\n", level, property.Replace(file), max(p.Line, 1), max(p.Column, 1), data.Replace(text)); err != nil {
			return err
		}
	}
	if private == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "::warning::%s about removed sellers, which this log must not name: run 'souk check' to see them\n", problem.Count(private, "warning"))
	return err
}

// A jsonProblem is a located problem as --json prints it.
type jsonProblem struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
	Meant  string `json:"meant,omitempty"`
}

func jsonProblems(list problem.List) []jsonProblem {
	all := make([]jsonProblem, 0, len(list))
	for _, p := range list {
		all = append(all, jsonProblem{p.File, max(p.Line, 1), max(p.Column, 1), p.Text, p.Hint()})
	}
	return all
}

// mistakesError prints located mistakes as JSON and returns errReported.
func mistakesError(w environment, err *problem.Error) error {
	if printed := printJSON(w.stdout, map[string]any{"mistakes": jsonProblems(err.Mistakes)}); printed != nil {
		return printed
	}
	return errReported
}
