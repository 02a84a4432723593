package picture

import "bytes"

// The blocks of a GIF (GIF89a, appendix A).
const (
	gifExtension = 0x21
	gifImage     = 0x2c
	gifTrailer   = 0x3b

	gifControl     = 0xf9
	gifApplication = 0xff
)

// cleanGIF keeps the images, their durations, and the number of repetitions. It removes
// comments, plain text, which no browser shows, and private data of programs.
func cleanGIF(data []byte) (public []byte, turn int, err error) {
	const header = 13 // the signature and the logical screen
	rest, ok := tail(data, header)
	if !ok {
		return nil, upright, errCutShort
	}
	if rest, ok = tail(rest, gifColours(data[10])); !ok {
		return nil, upright, errCutShort
	}
	out, images := grown(len(data)+1), 0
	out.Write(data[:len(data)-len(rest)])
	for len(rest) > 0 && (rest[0] == gifImage || rest[0] == gifExtension) {
		size, ok := gifBlock(rest)
		if !ok {
			return nil, upright, errCutShort
		}
		switch {
		case rest[0] == gifImage:
			images++
			out.Write(rest[:size])
		case rest[1] == gifControl:
			out.Write(gifFirst(rest[:size], 4))
		case rest[1] == gifApplication:
			out.Write(gifLoop(rest[:size]))
		}
		rest = rest[size:]
	}
	if images == 0 {
		return nil, upright, errCutShort
	}
	out.WriteByte(gifTrailer)
	return out.Bytes(), upright, nil
}

// gifColours returns the size of the color table that a packed field announces.
func gifColours(packed byte) int {
	if packed&0x80 == 0 {
		return 0
	}
	return 3 << (packed&7 + 1)
}

// gifBlock returns the size of the image or extension at the start of data.
func gifBlock(data []byte) (size int, ok bool) {
	at := 2 // introducer and label
	if data[0] == gifImage {
		const descriptor = 10
		if len(data) < descriptor {
			return 0, false
		}
		at = descriptor + gifColours(data[9]) + 1 // and the code size
	}
	for at < len(data) {
		length := int(data[at])
		if at += 1 + length; length == 0 {
			return at, at <= len(data)
		}
	}
	return 0, false
}

// gifFirst returns an extension with only its first sub-block, or nothing if that does not
// have the required size.
func gifFirst(extension []byte, size int) []byte {
	if int(extension[2]) != size {
		return nil
	}
	return append(bytes.Clone(extension[:3+size]), 0)
}

// gifLoop returns an application extension that contains the number of repetitions, without
// its other data, or nothing.
func gifLoop(extension []byte) []byte {
	const name = 11
	if int(extension[2]) != name {
		return nil
	}
	head, blocks := extension[:3+name], extension[3+name:]
	if named := string(head[3:]); named != "NETSCAPE2.0" && named != "ANIMEXTS1.0" {
		return nil
	}
	for blocks[0] != 0 {
		if blocks[0] == 3 && blocks[1]&7 == 1 {
			return append(append(bytes.Clone(head), blocks[:4]...), 0)
		}
		blocks = blocks[1+int(blocks[0]):]
	}
	return nil
}
