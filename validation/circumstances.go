package main

import (
	"encoding/json"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/kubernetes/pkg/apis/core"
	dra "k8s.io/kubernetes/pkg/apis/resource"
	services "k8s.io/kubernetes/pkg/registry/core/service/storage"
	"k8s.io/kubernetes/pkg/registry/resource"
)

// Families of addresses that a cluster may have; the first one is the default.
var otherFamilies = [][]core.IPFamily{
	{core.IPv6Protocol},
	{core.IPv4Protocol, core.IPv6Protocol},
	{core.IPv6Protocol, core.IPv4Protocol},
}

const adminLabel = dra.DRAAdminNamespaceLabelKey

const ofFamilies = "the IP families of the cluster"

// Every server has this range unless --service-node-port-range says otherwise.
const defaultNodePorts = "30000-32767"

// withCircumstances validates again with other configurations of the server, as far as the configuration is unknown: other IP families,
// other labels of the Namespace, and the feature gates that are off by default. A cause that is then missing is not certain. For an accepted
// Service, returns the cause that the default range of node ports would have.
func withCircumstances(causes []cause, asked request) []cause {
	if len(causes) > 0 {
		return withOthers(causes, asked)
	}
	if asked.Cluster.NodePorts != "" || kindIn(asked.Object) != "Service" {
		return nil
	}
	asked.Cluster.NodePorts = defaultNodePorts
	if asked.Cluster.configure() != nil {
		return nil
	}
	for _, each := range validated(asked).Causes {
		if strings.Contains(each.Message, "provided port is not in the valid range") {
			each.Depends = "the range of node ports of the cluster"
			return []cause{each}
		}
	}
	return nil
}

func withOthers(causes []cause, asked request) []cause {
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
	if asked.Cluster.NamespaceLabels == nil {
		resource.NamespaceLabels = map[string]string{adminLabel: "true"}
		mark("the label " + adminLabel + " of the Namespace")
		resource.NamespaceLabels = nil
	}
	if kindIn(asked.Object) == "Service" && len(asked.Cluster.Families) == 0 {
		own := services.Families
		for _, families := range otherFamilies {
			services.Families = families
			markFamilies(marked, validated(asked).Causes)
		}
		services.Families = own
	}
	gates := offByDefault(asked.Gates)
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

// markFamilies marks the causes that disappear. An answer with other causes says nothing: the REST storage stops at the first problem with
// families, before it validates the rest.
func markFamilies(marked, others []cause) {
	own := map[cause]bool{}
	for _, each := range marked {
		each.Depends = ""
		own[each] = true
	}
	remaining := map[cause]bool{}
	isPart := true
	for _, each := range others {
		remaining[each] = true
		isPart = isPart && own[each]
	}
	for i, each := range marked {
		each.Depends = ""
		isAboutCluster := strings.Contains(each.Message, "configured on this cluster") || strings.Contains(each.Message, "not configured for dual-stack")
		if !remaining[each] && (isPart || isAboutCluster) {
			marked[i].Depends = ofFamilies
		}
	}
}

func kindIn(object json.RawMessage) string {
	var typed metav1.TypeMeta
	if json.Unmarshal(object, &typed) != nil {
		return ""
	}
	return typed.Kind
}

// offByDefault are the gates of the emulated release that an administrator may turn on, without those whose value is known.
func offByDefault(known map[string]bool) []string {
	var names []string
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		isGroup := name == "AllAlpha" || name == "AllBeta"
		_, isKnown := known[string(name)]
		if !isKnown && !spec.Default && !spec.LockToDefault && !isGroup && !utilfeature.DefaultFeatureGate.Enabled(name) &&
			!strings.HasPrefix(string(name), "DeclarativeValidation") {
			names = append(names, string(name))
		}
	}
	sort.Strings(names)
	return names
}

// set sets gates to their known values, and returns the way back.
func set(known map[string]bool) func() {
	var on, off []string
	for name, isOn := range known {
		if isOn {
			on = append(on, name)
		} else {
			off = append(off, name)
		}
	}
	undoOff := disable(off)
	undoOn := enable(on)
	return func() { undoOn(); undoOff() }
}

// disable turns gates and the gates that depend on them off, and returns the way back.
func disable(names []string) func() {
	if len(names) == 0 {
		return func() {}
	}
	gates := utilfeature.DefaultMutableFeatureGate
	known := gates.GetAll()
	wanted := map[string]bool{}
	var add func(name featuregate.Feature)
	add = func(name featuregate.Feature) {
		spec, isKnown := known[name]
		if _, isDone := wanted[string(name)]; isDone || !isKnown || spec.LockToDefault || !utilfeature.DefaultFeatureGate.Enabled(name) {
			return
		}
		wanted[string(name)] = false
		for dependent, dependencies := range gates.Dependencies() {
			for _, dependency := range dependencies {
				if dependency == name {
					add(dependent)
				}
			}
		}
	}
	for _, name := range names {
		add(featuregate.Feature(name))
	}
	return apply(wanted)
}

// enable turns gates and the gates that they depend on on, and returns the way back. It ignores gates that the emulated release doesn't
// have.
func enable(names []string) func() {
	if len(names) == 0 {
		return func() {}
	}
	gates := utilfeature.DefaultMutableFeatureGate
	known := gates.GetAll()
	dependencies := gates.Dependencies()
	wanted := map[string]bool{}
	var add func(name featuregate.Feature)
	add = func(name featuregate.Feature) {
		spec, isKnown := known[name]
		if !isKnown || spec.LockToDefault || wanted[string(name)] || utilfeature.DefaultFeatureGate.Enabled(name) {
			return
		}
		wanted[string(name)] = true
		for _, dependency := range dependencies[name] {
			add(dependency)
		}
	}
	for _, name := range names {
		add(featuregate.Feature(name))
	}
	return apply(wanted)
}

// apply sets gates and returns the way back. Gates whose dependency is locked to another value keep their defaults.
func apply(wanted map[string]bool) func() {
	gates := utilfeature.DefaultMutableFeatureGate
	before := map[string]bool{}
	for name := range wanted {
		before[name] = utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(name))
	}
	_ = gates.SetFromMap(wanted)
	return func() {
		for name := range wanted {
			if err := gates.ResetFeatureValueToDefault(featuregate.Feature(name)); err != nil {
				panic(err)
			}
		}
		_ = gates.SetFromMap(differing(before))
	}
}

// differing are the gates that do not have these values.
func differing(values map[string]bool) map[string]bool {
	rest := map[string]bool{}
	for name, value := range values {
		if utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(name)) != value {
			rest[name] = value
		}
	}
	return rest
}
