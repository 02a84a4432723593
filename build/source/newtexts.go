package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"souk/templates/texts"
)

// NewTexts is the kind of 'souk new' that is not an item: the site's own texts in a language.
const NewTexts = "texts"

// CheckTextsTag returns an error if new texts cannot have this language.
func CheckTextsTag(tag string) error {
	if p := placeWording(textsFolder + "/" + tag + ".yaml"); p != nil {
		return meant(p.Meant, p.Text)
	}
	return nil
}

// ScaffoldTexts writes a file of texts in a language, with every text in its present wording,
// commented out. It never touches an existing file.
func ScaffoldTexts(content, tag string) (*Scaffolded, error) {
	file := filepath.Join(content, textsFolder, tag+".yaml")
	if _, err := os.Lstat(file); err == nil {
		return nil, fmt.Errorf("%s already exists and was left as it is", file)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# The site's own texts in %s. Remove the # from the lines that you change or translate;\n", tag)
	b.WriteString("# the others stay as they are. {…} are placeholders, which keep their names.\n\n")
	for _, line := range texts.Draft(tag) {
		fmt.Fprintf(&b, "# %s: %s\n", line.Key, strconv.Quote(line.Text))
	}
	if err := createFile(file, []byte(b.String())); err != nil {
		return nil, fmt.Errorf("write the new file: %w", err)
	}
	return &Scaffolded{Path: file}, nil
}
