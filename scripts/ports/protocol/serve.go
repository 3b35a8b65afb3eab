// Package protocol reads calls as JSON lines and prints the answers of the original packages, in the same order.
package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
)

// Call is one line of the input.
type Call struct {
	Function  string            `json:"function"`
	Arguments []json.RawMessage `json:"arguments"`
}

// Text returns an argument that is a string.
func (c Call) Text(index int) string {
	var text string
	c.Read(index, &text)
	return text
}

// Read decodes an argument. Generators only write arguments of the right shape, so an error is a defect of the harness.
func (c Call) Read(index int, target any) {
	if index >= len(c.Arguments) {
		panic(fmt.Sprintf("harness: %s has no argument %d", c.Function, index))
	}
	if err := json.Unmarshal(c.Arguments[index], target); err != nil {
		panic(fmt.Sprintf("harness: argument %d of %s: %v", index, c.Function, err))
	}
}

// Failed is the answer of a function that returned an error.
func Failed(err error) any {
	return map[string]any{"error": err.Error()}
}

// Answered is the answer of a function that returned a value, or an error.
func Answered(value any, err error) any {
	if err != nil {
		return Failed(err)
	}
	return map[string]any{"value": value}
}

// Port maps the functions of one port. The empty name answers every function.
type Port map[string]func(call Call) any

// Program is what one binary answers. Surface lists what the originals register.
type Program struct {
	Ports   map[string]Port
	Surface map[string]func() any
}

// repetitions finds answers that depend on the order of a Go map.
const repetitions = 5

// Serve answers `PORT`, or prints a surface for `-surface NAME`. `-coverage PORT` adds the number of blocks that no earlier call of the same
// function has met.
func Serve(program Program) {
	arguments := os.Args[1:]
	if len(arguments) == 2 && arguments[0] == "-surface" {
		write(os.Stdout, program.Surface[arguments[1]]())
		return
	}
	var blocks *blocks
	if len(arguments) == 2 && arguments[0] == "-coverage" {
		blocks = newBlocks()
		arguments = arguments[1:]
	}
	if len(arguments) != 1 || program.Ports[arguments[0]] == nil {
		fmt.Fprintln(os.Stderr, "usage: [-coverage] PORT < calls.jsonl > answers.jsonl, or -surface NAME")
		os.Exit(2)
	}
	port := program.Ports[arguments[0]]
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer output.Flush()
	for {
		line, err := input.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var call Call
			if err := json.Unmarshal(line, &call); err != nil {
				panic(err)
			}
			answer := port[call.Function]
			if answer == nil {
				answer = port[""]
			}
			write(output, respond(answer, call, blocks))
		} else {
			// An empty line ends a batch.
			output.Flush()
		}
		if err == io.EOF {
			return
		}
	}
}

func respond(answer func(Call) any, call Call, blocks *blocks) any {
	if answer == nil {
		return map[string]any{"absent": true}
	}
	if blocks == nil {
		return steady(attempt(answer, call), answer, call)
	}
	blocks.start(call.Function)
	first := attempt(answer, call)
	met := blocks.met()
	return []any{steady(first, answer, call), met}
}

// steady returns the first answer if all repetitions give it.
func steady(first any, answer func(Call) any, call Call) any {
	for range repetitions - 1 {
		if !reflect.DeepEqual(first, attempt(answer, call)) {
			return map[string]any{"unsteady": true}
		}
	}
	return first
}

// attempt returns a panic as an answer, because the caller of the original crashes, too.
func attempt(answer func(Call) any, call Call) (result any) {
	defer func() {
		if reason := recover(); reason != nil {
			result = map[string]any{"panic": fmt.Sprint(reason)}
		}
	}()
	return answer(call)
}

func write(output io.Writer, value any) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		buffer.Reset()
		fmt.Fprintf(&buffer, "{\"unwritable\":%q}\n", err.Error())
	}
	output.Write(buffer.Bytes())
}
