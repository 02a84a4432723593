// Package site renders the pages for people from the public documents and nothing else, so
// that a page never shows more than a document. It knows HTML, the templates and the language
// of the market. It does not know the content, the catalog, what is current, where files go or
// who serves them.
package site
