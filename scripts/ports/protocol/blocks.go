package protocol

import (
	"bytes"
	"encoding/binary"
	"runtime/coverage"
)

// blocks counts the covered blocks of a program that was built with `-cover -covermode=atomic`.
type blocks struct {
	function string
	seen     map[block]bool
	// Those of all calls, and the sizes of the original's functions that the calls entered.
	all   map[block]bool
	sizes map[block]uint64
}

type block struct{ pkg, function, index uint64 }

func newBlocks() *blocks {
	return &blocks{seen: map[block]bool{}, all: map[block]bool{}, sizes: map[block]uint64{}}
}

func (b *blocks) start(function string) {
	if function != b.function {
		b.function = function
		b.seen = map[block]bool{}
	}
	if err := coverage.ClearCounters(); err != nil {
		panic(err)
	}
}

// met returns the number of blocks that were not covered since the function changed, and of all calls the number of covered blocks and the number
// of blocks in the original's functions that were entered.
func (b *blocks) met() []int {
	var buffer bytes.Buffer
	if err := coverage.WriteCounters(&buffer); err != nil {
		panic(err)
	}
	found := 0
	forEachBlock(buffer.Bytes(), func(covered block, size uint64) {
		if !b.seen[covered] {
			b.seen[covered] = true
			found++
		}
		b.all[covered] = true
		b.sizes[block{covered.pkg, covered.function, 0}] = size
	})
	entered := 0
	for _, size := range b.sizes {
		entered += int(size)
	}
	return []int{found, len(b.all), entered}
}

// forEachBlock reads the format of Go's `internal/coverage` (counter data file, ULEB128 flavour).
func forEachBlock(data []byte, report func(met block, size uint64)) {
	const fileHeader, segmentHeader = 32, 16
	if len(data) < fileHeader+segmentHeader || data[24] != 2 {
		panic("unknown format of coverage counters")
	}
	segment := data[fileHeader:]
	functions := binary.LittleEndian.Uint64(segment)
	skipped := int(binary.LittleEndian.Uint32(segment[8:]) + binary.LittleEndian.Uint32(segment[12:]))
	at := fileHeader + segmentHeader + skipped
	if rest := at % 4; rest != 0 {
		at += 4 - rest
	}
	next := func() uint64 {
		value, size := binary.Uvarint(data[at:])
		at += size
		return value
	}
	for range functions {
		counters, pkg, function := next(), next(), next()
		for index := range counters {
			if next() != 0 {
				report(block{pkg, function, index}, counters)
			}
		}
	}
}
