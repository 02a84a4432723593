// Package source reads a content folder into changes for the catalog. It alone knows YAML,
// front matter, the folder's layout and the cache that avoids reading files twice. It finds
// all mistakes within a file in one pass; the catalog finds mistakes that involve several
// files, and decides what is public.
package source
