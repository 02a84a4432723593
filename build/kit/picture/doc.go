// Package picture tells from the bytes of a picture what it is, how large it
// is and whether it may be published on a site, and returns what of it is
// published: the picture without its metadata, and smaller forms of it.
//
// It knows five types: PNG, JPEG, GIF, WebP and SVG. The four binary ones are
// cleaned by their segments, chunks or blocks, of which it keeps those that it
// knows to be needed; pixels are decoded only to turn a picture upright and to
// scale it down, one picture at a time. An SVG
// picture is a document that can run scripts and fetch things from elsewhere as
// soon as a visitor opens it at its own address, so it is read from end to end,
// and written anew from the elements, attributes and properties that are known
// to belong to a static drawing. One that browsers would hang on is a fault.
//
// The package refuses to know file names, folders and every format besides
// the pictures themselves. It never believes a name or a declared type. Coded
// pixels are published as they are: a small picture that is broken within them
// goes unnoticed, a larger one has no smaller forms, and what somebody hides in
// them is published.
package picture
