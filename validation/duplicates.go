package main

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// repeatsKeys says whether a list that is merged by a key has two items with the same key.
func repeatsKeys(text json.RawMessage, gvk schema.GroupVersionKind) bool {
	var object map[string]any
	if json.Unmarshal(text, &object) != nil {
		return false
	}
	versioned, err := legacyscheme.Scheme.New(gvk)
	if err != nil {
		return false
	}
	patchMeta, err := strategicpatch.NewPatchMetaFromStruct(versioned)
	return err == nil && hasDuplicates(object, patchMeta)
}

// refusedDuplicates is the answer to a create if it is refused for a duplicate. A three-way merge joins such items without a word, and
// server-side apply refuses them.
func refusedDuplicates(asked request) *answer {
	asked.OldObject = nil
	created := validated(asked)
	for _, each := range created.Causes {
		if each.Reason == string(metav1.CauseTypeFieldValueDuplicate) {
			return &created
		}
	}
	return nil
}

// hasDuplicates looks at the lists that are merged by a key.
func hasDuplicates(object map[string]any, patchMeta strategicpatch.LookupPatchMeta) bool {
	for name, value := range object {
		switch of := value.(type) {
		case map[string]any:
			below, _, err := patchMeta.LookupPatchMetadataForStruct(name)
			if err == nil && hasDuplicates(of, below) {
				return true
			}
		case []any:
			below, meta, err := patchMeta.LookupPatchMetadataForSlice(name)
			if err == nil && hasDuplicateItems(of, meta.GetPatchMergeKey(), below) {
				return true
			}
		}
	}
	return false
}

func hasDuplicateItems(items []any, key string, patchMeta strategicpatch.LookupPatchMeta) bool {
	seen := map[any]bool{}
	for _, item := range items {
		object, isObject := item.(map[string]any)
		if !isObject {
			continue
		}
		switch value := object[key].(type) {
		case string, float64:
			if key != "" && seen[value] {
				return true
			}
			seen[value] = true
		}
		if hasDuplicates(object, patchMeta) {
			return true
		}
	}
	return false
}
