// Package source reads a content folder into changes for the catalog. It alone
// knows YAML, front matter, the folder's layout and the cache that saves reading
// files twice. It finds all mistakes within a file in one pass; mistakes that
// involve several files are the catalog's to find, and what is public is not its
// concern.
package source
