package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"path"
	"regexp"
	"regexp/syntax"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"preadmit.ports/protocol"
)

var text = protocol.Port{
	"regexp.Compile": func(call protocol.Call) any {
		return compiled(call, func(expression *regexp.Regexp) any { return expression.NumSubexp() })
	},
	"Regexp.MatchString": func(call protocol.Call) any {
		return compiled(call, func(expression *regexp.Regexp) any { return expression.MatchString(call.Text(1)) })
	},
	"Regexp.FindString": func(call protocol.Call) any {
		return compiled(call, func(expression *regexp.Regexp) any {
			if !expression.MatchString(call.Text(1)) {
				return nil
			}
			return expression.FindString(call.Text(1))
		})
	},
	"Regexp.FindAllString": func(call protocol.Call) any {
		var limit int
		call.Read(2, &limit)
		return compiled(call, func(expression *regexp.Regexp) any {
			return append([]string{}, expression.FindAllString(call.Text(1), limit)...)
		})
	},
	"Regexp.ReplaceAllString": func(call protocol.Call) any {
		return compiled(call, func(expression *regexp.Regexp) any {
			return expression.ReplaceAllString(call.Text(1), "<${0}|${1}|${2}|${n}>")
		})
	},
	"syntax.CharClass": func(call protocol.Call) any {
		parsed, err := syntax.Parse(call.Text(0), syntax.Perl)
		if err != nil {
			return protocol.Failed(err)
		}
		switch parsed.Op {
		case syntax.OpCharClass:
			return value(rangesDigest(parsed.Rune))
		case syntax.OpAnyChar:
			return value(rangesDigest([]rune{0, unicode.MaxRune}))
		case syntax.OpAnyCharNotNL:
			return value(rangesDigest([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}))
		case syntax.OpNoMatch:
			return value(rangesDigest(nil))
		case syntax.OpLiteral:
			// Go simplifies the class of a letter in both cases.
			if parsed.Flags&syntax.FoldCase != 0 {
				low, high := parsed.Rune[0], unicode.SimpleFold(parsed.Rune[0])
				return value(rangesDigest([]rune{min(low, high), min(low, high), max(low, high), max(low, high)}))
			}
			if len(parsed.Rune) == 1 {
				return value(rangesDigest([]rune{parsed.Rune[0], parsed.Rune[0]}))
			}
		}
		return value(nil)
	},
	"unicode.IsPrint": func(call protocol.Call) any {
		var character rune
		call.Read(0, &character)
		return value(unicode.IsPrint(character))
	},
	"strconv.Quote": func(call protocol.Call) any { return value(strconv.Quote(call.Text(0))) },
	"strconv.Quote bytes": func(call protocol.Call) any {
		return value(strconv.Quote(bytesOf(call, 0)))
	},
	"string bytes": func(call protocol.Call) any { return value(string([]rune(bytesOf(call, 0)))) },
	"[]byte":       func(call protocol.Call) any { return value(written(call.Text(0))) },
	"strings.TrimSpace": func(call protocol.Call) any {
		return value(strings.TrimSpace(call.Text(0)))
	},
	"strings.Trim":      func(call protocol.Call) any { return value(strings.Trim(call.Text(0), call.Text(1))) },
	"strings.TrimRight": func(call protocol.Call) any { return value(strings.TrimRight(call.Text(0), call.Text(1))) },
	"strings.Compare":   func(call protocol.Call) any { return value(strings.Compare(call.Text(0), call.Text(1))) },
	"utf8.RuneCountInString": func(call protocol.Call) any {
		return value(utf8.RuneCountInString(call.Text(0)))
	},
	"path.Match": func(call protocol.Call) any {
		return answered(path.Match(call.Text(0), call.Text(1)))
	},
	"path.Clean": func(call protocol.Call) any { return value(path.Clean(call.Text(0))) },
	"StdEncoding.DecodeString": func(call protocol.Call) any {
		return recoded(base64.StdEncoding, call.Text(0))
	},
	"RawStdEncoding.DecodeString": func(call protocol.Call) any {
		decoded, err := base64.RawStdEncoding.DecodeString(call.Text(0))
		return answered(base64.StdEncoding.EncodeToString(decoded), err)
	},
	"URLEncoding.DecodeString": func(call protocol.Call) any {
		decoded, err := base64.URLEncoding.DecodeString(call.Text(0))
		return answered(hex.EncodeToString(decoded), err)
	},
	"StdEncoding.EncodeToString": func(call protocol.Call) any {
		return value(base64.StdEncoding.EncodeToString([]byte(call.Text(0))))
	},
	"sha256.Sum256": func(call protocol.Call) any {
		var texts []string
		call.Read(0, &texts)
		digest := sha256.New()
		for _, each := range texts {
			digest.Write([]byte(each))
		}
		return value(hex.EncodeToString(digest.Sum(nil)))
	},
	"sort.Slice": func(call protocol.Call) any {
		var keys []int
		call.Read(0, &keys)
		order := make([]int, len(keys))
		for index := range order {
			order[index] = index
		}
		sort.Slice(order, func(i, j int) bool { return keys[order[i]] < keys[order[j]] })
		return value(order)
	},
}

func compiled(call protocol.Call, answer func(*regexp.Regexp) any) any {
	expression, err := regexp.Compile(call.Text(0))
	if err != nil {
		return protocol.Failed(err)
	}
	return value(answer(expression))
}

func recoded(encoding *base64.Encoding, text string) any {
	decoded, err := encoding.DecodeString(text)
	return answered(encoding.EncodeToString(decoded), err)
}

// rangesDigest tells ranges of characters apart: their number, and sums of their bounds.
func rangesDigest(ranges []rune) []int {
	digest := []int{len(ranges) / 2, 0, 0}
	for index, bound := range ranges {
		digest[1] += int(bound)
		digest[2] = (digest[2]*31 + int(bound)*(index+1)) % 1000003
	}
	return digest
}
