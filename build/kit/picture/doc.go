// Package picture finds out from the bytes of a picture what it is, how large it is and
// whether it may be published. It returns what is published: the picture without its
// metadata, and smaller versions of it.
//
// It knows five types: PNG, JPEG, GIF, WebP and SVG. The four binary ones are cleaned by
// their segments, chunks or blocks, of which it keeps only those known to be needed. Pixels
// are decoded only to rotate a picture and to scale it down, one picture at a time. An SVG
// picture is a document that can run scripts and fetch resources as soon as a visitor opens
// its address. So it is parsed completely, and written anew from the elements, attributes
// and properties that are known to belong to a static drawing. A drawing that would make
// browsers hang is a fault.
//
// The package does not know file names, folders or any other formats. It never trusts a
// name or a declared type. Encoded pixels are published as they are: errors in the pixels
// of a small picture are not noticed, a larger picture with such errors has no smaller
// versions, and anything hidden in the pixels is published.
package picture
