package main

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
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
		remaining := remainingOf(causes, validated(asked).Causes)
		for i := range causes {
			if !remaining[i] && marked[i].Depends == "" {
				marked[i].Depends = depends
				found = true
			}
		}
		return found
	}
	if asked.Cluster.NamespaceLabels == nil && readsNamespace(asked.Object) {
		resource.NamespaceLabels = map[string]string{adminLabel: "true"}
		mark("the label " + adminLabel + " of the Namespace")
		resource.NamespaceLabels = nil
	}
	if kindIn(asked.Object) == "Service" && len(asked.Cluster.Families) == 0 {
		own := services.Families
		defer func() { services.Families = own }()
		for _, families := range otherFamilies {
			services.Families = families
			markFamilies(marked, validated(asked).Causes)
		}
		services.Families = own
	}
	own := utilfeature.DefaultFeatureGate
	defer func() { utilfeature.DefaultFeatureGate = own }()
	names := offByDefault(asked.Gates)
	utilfeature.DefaultFeatureGate = gatesWith(asked.Gates, names)
	if !mark("feature gates that are off by default") {
		return marked
	}
	// Name the gate where one decides alone.
	for _, gate := range names {
		utilfeature.DefaultFeatureGate = gatesWith(asked.Gates, []string{gate})
		remaining := remainingOf(causes, validated(asked).Causes)
		for i := range causes {
			if !remaining[i] && strings.HasPrefix(marked[i].Depends, "feature gates") {
				marked[i].Depends = "the feature gate " + gate
			}
		}
	}
	return marked
}

// remainingOf says which causes another configuration has too: the same one, or one with another message in the same field, as a feature
// gate changes the limit or the default that a message quotes.
func remainingOf(causes, others []cause) []bool {
	type place struct{ field, reason string }
	same := map[cause]int{}
	for _, each := range others {
		same[each]++
	}
	remaining := make([]bool, len(causes))
	for i, each := range causes {
		if same[each] > 0 {
			same[each]--
			remaining[i] = true
		}
	}
	near := map[place]int{}
	for each, count := range same {
		near[place{each.Field, each.Reason}] += count
	}
	for i, each := range causes {
		at := place{each.Field, each.Reason}
		if !remaining[i] && near[at] > 0 {
			near[at]--
			remaining[i] = true
		}
	}
	return remaining
}

// readsNamespace says whether strategies of the kind read the labels of the Namespace.
func readsNamespace(object json.RawMessage) bool {
	var typed metav1.TypeMeta
	return json.Unmarshal(object, &typed) == nil && strings.HasPrefix(typed.APIVersion, dra.GroupName+"/")
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
