// Takes the place of host.go in a native build: a request on each line of standard input, an answer on each line of standard output.
package main

import (
	"bufio"
	"os"
)

var (
	standardInput  = bufio.NewReaderSize(os.Stdin, 1<<20)
	standardOutput = bufio.NewWriterSize(os.Stdout, 1<<20)
	requestLine    []byte
)

// init answers until the input ends, because the main function of a reactor is empty.
func init() {
	for {
		line, err := standardInput.ReadBytes('\n')
		if err != nil {
			break
		}
		requestLine = line
		validate()
		if standardInput.Buffered() == 0 {
			if standardOutput.Flush() != nil {
				os.Exit(1)
			}
		}
	}
	if standardOutput.Flush() != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func takeRequest() []byte { return requestLine }

func give(answer []byte) {
	_, _ = standardOutput.Write(append(answer, '\n'))
}
