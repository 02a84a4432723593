package source

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"souk/build/catalog"
	"souk/build/internal/markdown"
	"souk/build/kit/problem"
)

// This file finds what tools leave in content by accident: stand-ins for files, conflict
// markers of a merge, and traces of templates, assistants and conversions.

// replaced matches the beginnings of files that stand in for others.
var replaced = []struct {
	begin       *regexp.Regexp
	what, meant string
}{
	{regexp.MustCompile(`^version https://git-lfs\.github\.com/spec/`), "the file is a pointer of Git LFS, not the file itself", "run git lfs pull"},
	{regexp.MustCompile(`^/annex/objects/\S+\s*$`), "the file is a pointer of git-annex, not the file itself", "run git annex get"},
	{regexp.MustCompile(`^b0VIM `), "the file is a swap file of Vim", "close the editor, and remove the file"},
	{regexp.MustCompile(`^,[^,\n]*,[^,\n]*,[^,\n]*,[^,\n]*;\s*$`), "the file is a lock of LibreOffice", "close the document, and remove the file"},
	{regexp.MustCompile(`^[^\s@:]+@[^\s@:]+\.\d+:\d+\s*$`), "the file is a lock of Emacs", "close the editor, and remove the file"},
}

// maxReplaced is the maximum size of such a file that is read in full.
const maxReplaced = 1 << 10

// conflict matches a conflict marker of Git at the beginning of a line.
var conflict = regexp.MustCompile(`(?m)^(<<<<<<<|\|\|\|\|\|\|\||>>>>>>>) `)

// leftoverProblem returns the mistake of a file that a tool left behind, or nil. Other mistakes in the
// file follow from it.
func leftoverProblem(file string, data []byte) *problem.Problem {
	for _, one := range replaced {
		if one.begin.Match(data[:min(len(data), maxReplaced)]) {
			return &problem.Problem{File: file, Line: 1, Column: 1, Text: one.what, Meant: one.meant}
		}
	}
	if !bytes.Contains(data, []byte("<<<<<<< ")) && !bytes.Contains(data, []byte("||||||| ")) && !bytes.Contains(data, []byte(">>>>>>> ")) {
		return nil
	}
	var code markdown.Code
	if strings.HasSuffix(file, ".md") && len(data) <= MaxMarkdown && markdown.Parse(string(data)).Excess == nil {
		code = markdown.CodeOf(string(data))
	}
	for _, mark := range conflict.FindAllIndex(data, -1) {
		if !code.Has(mark[0]) {
			return &problem.Problem{
				File: file, Line: 1 + bytes.Count(data[:mark[0]], []byte("\n")), Column: 1, Text: "Git could not merge two versions of the lines here, and left both",
				Meant: "keep what is right, and remove the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>",
			}
		}
	}
	return nil
}

// longestTrace is how much of a text is compared with a shape, in bytes.
const longestTrace = 200

// A trace is what a tool leaves in a text.
type trace struct {
	// sign is in every text that has it; shape, if not nil, is all of it.
	sign        string
	shape       *regexp.Regexp
	what, meant string
}

const (
	placeholder, fill = "a placeholder that no template filled", "write what it stands for, or put it in backticks if it is meant"
	citation, cite    = "a citation mark of an AI assistant", "remove it, or link to the source"
	wrongly, anew     = "a character that was decoded wrongly", "write the character again"
)

// traces are those in any text, inMarkdown those in Markdown, and inPlain those in other
// texts.
var (
	traces = []trace{
		{"{{", regexp.MustCompile(`^\{\{[^{}\n]+\}\}`), placeholder, fill},
		{"{%", regexp.MustCompile(`^\{%[^%\n]+%\}`), placeholder, fill},
		{"<%", regexp.MustCompile(`^<%[^%\n]+%>`), placeholder, fill},
		{"${", regexp.MustCompile(`^\$\{[A-Za-z_][\w.]*\}`), placeholder, fill},
		{"*|", regexp.MustCompile(`^\*\|[A-Z0-9_:]+\|\*`), placeholder, fill},
		{"orem ipsum dolor", nil, "filler text", "write what belongs there"},
		{"[object Object]", nil, "a JavaScript object that was written as text", "write the value it stands for"},
		{"oaicite", regexp.MustCompile(`^oaicite:\s?\d`), citation, cite},
		{"citeturn", regexp.MustCompile(`^citeturn\d`), citation, cite},
		{"\ue200cite", nil, citation, cite},
		{"【", regexp.MustCompile(`^【\d+(:\d+)?†[^】\n]*】`), citation, cite},
		{"[cite", regexp.MustCompile(`^\[cite(_start|: ?\d[\d, ]*)\]`), citation, cite},
		{"utm_source=chatgpt.com", nil, "a mark of ChatGPT in an address", "remove it from the address"},
		{"\ufffd", nil, "the replacement character, for a character lost in a conversion", anew},
		{"â€", regexp.MustCompile(`^â€[™œ˜“”¦\x{9d}]`), wrongly, anew},
		{"Ã", regexp.MustCompile(`^Ã[¡-ª¬-º¼-¿ŸœŒ]`), wrongly, anew},
	}
	inMarkdown = append([]trace{
		{"&amp;", regexp.MustCompile(`^&amp;(amp|nbsp|quot|apos|lt|gt|#\d+|#x[0-9A-Fa-f]+);`), "a character that was escaped twice", "write the character itself"},
		{"\ufeff", nil, "a byte order mark within the text", "remove it"},
		{"![[", regexp.MustCompile(`^!\[\[[^\[\]\n]+\]\]`), "a picture as Obsidian writes it, which Markdown does not show", "write ![what it shows](media/name.png)"},
	}, traces...)
	inPlain = append([]trace{
		{"&", regexp.MustCompile(`^&(amp|nbsp|quot|apos|lt|gt|#\d+|#x[0-9A-Fa-f]+);`), "an HTML escape, which would be shown literally", "write the character itself"},
	}, traces...)
)

// missing lists texts that programs write for a missing value.
var missing = map[string]bool{
	"undefined": true, "NaN": true, "#N/A": true, "#REF!": true, "#VALUE!": true, "#NAME?": true, "#DIV/0!": true, "#NUM!": true, "#NULL!": true,
}

// warnOfTraces warns about traces of tools in a text, once for each kind. It ignores code and
// text after a backslash.
func (d *decoder) warnOfTraces(text string, kinds []trace, position func(offset int) catalog.Position) {
	code := sync.OnceValue(func() markdown.Code { return markdown.CodeOf(text) })
	for _, one := range kinds {
		for at := strings.Index(text, one.sign); at >= 0; {
			found := one.sign
			if one.shape != nil {
				found = one.shape.FindString(text[at:min(len(text), at+longestTrace)])
			}
			if found != "" && (at == 0 || text[at-1] != '\\') && !code().Has(at) {
				d.warnAt(position(at), one.meant, "%q is %s", shorten(found), one.what)
				break
			}
			next := strings.Index(text[at+len(one.sign):], one.sign)
			if next < 0 {
				break
			}
			at += len(one.sign) + next
		}
	}
}
