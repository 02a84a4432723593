// Package site renders the pages for people, from the public documents and
// nothing else: what no document shows, no page can show. It knows HTML, the
// templates and the language of the market. It refuses to know the content, the
// catalog, what is current, and where files go or who serves them.
package site
