package storage

import "k8s.io/apimachinery/pkg/runtime"

// The parts of the storage interface that selection predicates use.

type IndexerFunc func(object runtime.Object) string

type IndexerFuncs map[string]IndexerFunc

type MatchValue struct {
	IndexName string
	Value     string
}
