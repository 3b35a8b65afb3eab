package main

import (
	"encoding/json"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/apis/core"
	services "k8s.io/kubernetes/pkg/registry/core/service/storage"
)

// Families of addresses that a cluster may have; the first one is the default.
var otherFamilies = [][]core.IPFamily{
	{core.IPv6Protocol},
	{core.IPv4Protocol, core.IPv6Protocol},
	{core.IPv6Protocol, core.IPv4Protocol},
}

const ofFamilies = "the IP families of the cluster"

// withCircumstances validates again with other IP families and with the feature gates that are off by default. A cause that is then
// missing is not certain.
func withCircumstances(causes []cause, asked request) []cause {
	marked := append([]cause{}, causes...)
	mark := func(depends string) bool {
		found := false
		remaining := map[cause]bool{}
		for _, each := range validated(asked).Causes {
			remaining[each] = true
		}
		for i, each := range causes {
			if !remaining[each] && marked[i].Depends == "" {
				marked[i].Depends = depends
				found = true
			}
		}
		return found
	}
	if kindIn(asked.Object) == "Service" {
		own := services.Families
		for _, families := range otherFamilies {
			services.Families = families
			mark(ofFamilies)
		}
		services.Families = own
	}
	gates := offByDefault()
	undo := enable(gates)
	depends := mark("feature gates that are off by default")
	undo()
	if !depends {
		return marked
	}
	// Name the gate where one decides alone.
	for _, gate := range gates {
		undo := enable([]string{gate})
		remaining := map[cause]bool{}
		for _, each := range validated(asked).Causes {
			remaining[each] = true
		}
		undo()
		for i, each := range causes {
			if !remaining[each] && strings.HasPrefix(marked[i].Depends, "feature gates") {
				marked[i].Depends = "the feature gate " + gate
			}
		}
	}
	return marked
}

func kindIn(object json.RawMessage) string {
	var typed metav1.TypeMeta
	if json.Unmarshal(object, &typed) != nil {
		return ""
	}
	return typed.Kind
}

// offByDefault are the gates of the emulated release that an administrator may turn on.
func offByDefault() []string {
	var names []string
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		isGroup := name == "AllAlpha" || name == "AllBeta"
		if !spec.Default && !spec.LockToDefault && !isGroup && !utilfeature.DefaultFeatureGate.Enabled(name) &&
			!strings.HasPrefix(string(name), "DeclarativeValidation") {
			names = append(names, string(name))
		}
	}
	sort.Strings(names)
	return names
}

// enable turns gates on and returns the way back. It ignores gates that the emulated release doesn't have.
func enable(names []string) func() {
	gates := utilfeature.DefaultMutableFeatureGate
	var enabled []featuregate.Feature
	for _, name := range names {
		feature := featuregate.Feature(name)
		if spec, isKnown := gates.GetAll()[feature]; !isKnown || spec.LockToDefault {
			continue
		}
		if gates.SetFromMap(map[string]bool{name: true}) == nil {
			enabled = append(enabled, feature)
		}
	}
	return func() {
		for _, feature := range enabled {
			if err := gates.ResetFeatureValueToDefault(feature); err != nil {
				panic(err)
			}
		}
	}
}
