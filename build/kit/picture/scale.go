package picture

// scaled returns the samples of a layer at another size. Each is the mean of the area that
// it covers, weighted by how much of each original sample lies in it. It uses integers, so
// that every machine rounds alike: an original pixel is width × height units large, a new
// one l.width × l.height. Sides are at most 30,000 and pixels 100 million (see sizeFaults),
// so sums of 255 times that fit into 64 bits.
func (l layer) scaled(width, height int) []uint8 {
	pix := make([]uint8, 0, width*height*l.samples)
	across := spans(l.width, width)
	narrow, sum := make([]uint32, width*l.samples), make([]uint64, width*l.samples)
	area := uint64(l.width) * uint64(l.height)
	for y := range l.height {
		l.narrowed(y, across, uint32(width), narrow)
		// top and bottom are the bounds of the row, in units.
		top, bottom := y*height, (y+1)*height
		for to := top / l.height; to*l.height < bottom; to++ {
			end := (to + 1) * l.height
			covered := uint64(min(bottom, end) - max(top, to*l.height))
			for i, v := range narrow {
				sum[i] += uint64(v) * covered
			}
			if end > bottom {
				continue
			}
			for i, v := range sum {
				pix = append(pix, uint8((v+area/2)/area))
				sum[i] = 0
			}
		}
	}
	return pix
}

// A span is the part of a row that a pixel covers: samples from first to last, and how much
// of these two.
type span struct {
	first, last int
	head, tail  uint32
}

func spans(from, to int) []span {
	all := make([]span, to)
	for x := range all {
		left, right := x*from, (x+1)*from
		s := span{first: left / to, last: (right - 1) / to}
		s.head = uint32(min((s.first+1)*to, right) - left)
		if s.last > s.first {
			s.tail = uint32(right - s.last*to)
		}
		all[x] = s
	}
	return all
}

// narrowed sums up what each pixel covers of a row.
func (l layer) narrowed(y int, across []span, whole uint32, sums []uint32) {
	row, n := l.row(y), l.samples
	for x, s := range across {
		for c := range n {
			var inner uint32
			for i := (s.first+1)*n + c; i < s.last*n; i += n {
				inner += uint32(row[i])
			}
			sums[x*n+c] = uint32(row[s.first*n+c])*s.head + inner*whole + uint32(row[s.last*n+c])*s.tail
		}
	}
}
