package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/blang/semver/v4"
	"preadmit.ports/protocol"
)

// yamlStyleFloat is go-yaml's.
var yamlStyleFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

var numbers = protocol.Port{
	"strconv.ParseFloat": func(call protocol.Call) any { return parsedFloat(call.Text(0)) },
	"strconv.FormatFloat 'g'": func(call protocol.Call) any {
		return value(strconv.FormatFloat(float(call, 0), 'g', -1, 64))
	},
	"strconv.FormatFloat 'f'": func(call protocol.Call) any {
		return value(strconv.FormatFloat(float(call, 0), 'f', -1, 64))
	},
	"strconv.FormatFloat 32": func(call protocol.Call) any {
		text := strconv.FormatFloat(float(call, 0), 'g', -1, 32)
		// sigs.k8s.io/yaml writes the special values as YAML does.
		switch text {
		case "NaN":
			text = ".nan"
		case "+Inf":
			text = ".inf"
		case "-Inf":
			text = "-.inf"
		}
		return value(text)
	},
	"fmt %#v": func(call protocol.Call) any { return value(fmt.Sprintf("%#v", float(call, 0))) },
	// As go-yaml: first signed, then unsigned. It has removed the underscores before.
	"strconv.ParseInt 0": func(call protocol.Call) any { return parsedInteger(call.Text(0), 0) },
	"strconv.ParseInt 2": func(call protocol.Call) any { return parsedInteger(call.Text(0), 2) },
	"yaml float": func(call protocol.Call) any {
		if !yamlStyleFloat.MatchString(call.Text(0)) {
			return value(nil)
		}
		return parsedFloat(call.Text(0))
	},
	"yaml .float": func(call protocol.Call) any { return parsedFloat(call.Text(0)) },
	"semver.Parse": func(call protocol.Call) any {
		version, err := semver.Parse(call.Text(0))
		return answered(version.String(), err)
	},
	"semver.Compare": func(call protocol.Call) any {
		left, err := semver.Parse(call.Text(0))
		if err != nil {
			return protocol.Failed(err)
		}
		right, err := semver.Parse(call.Text(1))
		if err != nil {
			return protocol.Failed(err)
		}
		return value(left.Compare(right))
	},
}

// float reads the bits of a number as hexadecimal text.
func float(call protocol.Call, index int) float64 {
	bits, err := strconv.ParseUint(call.Text(index), 16, 64)
	if err != nil {
		panic("harness: " + err.Error())
	}
	return math.Float64frombits(bits)
}

func bitsOf(number float64) string {
	if math.IsNaN(number) {
		return "NaN"
	}
	return fmt.Sprintf("%016x", math.Float64bits(number))
}

// parsedFloat answers null for an error, whose text nothing shows.
func parsedFloat(text string) any {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return value(nil)
	}
	return value(bitsOf(number))
}

func parsedInteger(text string, base int) any {
	if strings.Contains(text, "_") {
		return value(nil)
	}
	if signed, err := strconv.ParseInt(text, base, 64); err == nil {
		return value(strconv.FormatInt(signed, 10))
	}
	if unsigned, err := strconv.ParseUint(text, base, 64); err == nil {
		return value(strconv.FormatUint(unsigned, 10))
	}
	return value(nil)
}
