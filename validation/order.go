package main

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// ofMap finds fields that Go's validation visits in the random order of a map: all keys as one field, or one field for each key.
var ofMap = regexp.MustCompile(`^(.*(?:labels|annotations|matchLabels|nodeSelector))$|^(.*)\[[^\]]*[^\]0-9][^\]]*\]$`)

// inOrder sorts causes of neighbouring keys of one map, because a server reports them in random order. The message follows.
func inOrder(of *metav1.Status) {
	if of.Details == nil {
		return
	}
	causes := of.Details.Causes
	before := sentence(causes)
	for start := 0; start < len(causes); {
		group := mapOf(causes[start].Field)
		end := start + 1
		for group != "" && end < len(causes) && mapOf(causes[end].Field) == group && isVisited(causes[end]) && isVisited(causes[start]) {
			end++
		}
		run := causes[start:end]
		sort.SliceStable(run, func(i, j int) bool {
			if run[i].Field != run[j].Field {
				return run[i].Field < run[j].Field
			}
			return invalidValue(run[i]) < invalidValue(run[j])
		})
		start = end
	}
	if start, isWhole := strings.CutSuffix(of.Message, before); isWhole {
		of.Message = start + sentence(causes)
	}
}

// isVisited is false for the keys that a kind of Secret requires, which have an order of their own.
func isVisited(of metav1.StatusCause) bool {
	return of.Type != metav1.CauseTypeFieldValueRequired
}

var quoted = regexp.MustCompile(`^Invalid value: ("(?:[^"\\]|\\.)*")`)

// invalidValue is empty for a cause without a value; several causes of one value keep their order.
func invalidValue(of metav1.StatusCause) string {
	return quoted.FindString(of.Message)
}

func mapOf(field string) string {
	found := ofMap.FindStringSubmatch(field)
	if found == nil {
		return ""
	}
	return found[1] + found[2]
}

// sentence is what errors.NewInvalid makes of the causes, with utilerrors.Aggregate: each text once, in brackets if there are several.
func sentence(causes []metav1.StatusCause) string {
	seen := sets.New[string]()
	var texts []string
	for _, each := range causes {
		text := fmt.Sprintf("%s: %s", each.Field, each.Message)
		if !seen.Has(text) {
			seen.Insert(text)
			texts = append(texts, text)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
