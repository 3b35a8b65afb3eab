package main

import (
	"encoding/json"
	"unsafe"
)

// The host's own imports; files, clock and randomness come from WASI.

//go:wasmimport preadmit request_length
func requestLength() uint32

//go:wasmimport preadmit request
func copyRequest(into unsafe.Pointer)

//go:wasmimport preadmit answer
func sendAnswer(from unsafe.Pointer, length uint32)

func takeRequest() []byte {
	length := requestLength()
	if length == 0 {
		return nil
	}
	bytes := make([]byte, length)
	copyRequest(unsafe.Pointer(&bytes[0]))
	return bytes
}

// give sends the answer first, then the text of each object.
func give(result answer) {
	for i := range result.Objects {
		result.Objects[i].Length = len(result.Objects[i].text)
	}
	head, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	send(head)
	for _, object := range result.Objects {
		send(object.text)
	}
}

func send(bytes []byte) {
	if len(bytes) > 0 {
		sendAnswer(unsafe.Pointer(&bytes[0]), uint32(len(bytes)))
	}
}
