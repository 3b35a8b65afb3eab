package main

import (
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// emulated is the release of the current request, such as 1.34.
var emulated string

// emulate sets the feature gates of a release, as kube-apiserver's --emulated-version does, and turns on others.
func emulate(release string, on []string) error {
	if release == "" {
		release = engineRelease
	}
	if _, err := version.Parse(release); err != nil {
		return err
	}
	emulated = release
	utilfeature.DefaultFeatureGate = gatesWith(on, nil)
	return nil
}

// built are the gates of gatesWith. Turning sixty gates on and off takes longer than validating an object.
var built = map[string]featuregate.MutableVersionedFeatureGate{}

// gatesWith are the gates of the emulated release, with two lists turned on. It ignores gates that the release doesn't have.
func gatesWith(first, second []string) featuregate.MutableVersionedFeatureGate {
	key := emulated + " " + strings.Join(first, ",") + " " + strings.Join(second, ",")
	gates, isKnown := built[key]
	if !isKnown {
		gates = utilfeature.DefaultMutableFeatureGate.DeepCopy()
		// Neither fails: the release was read before.
		_ = gates.SetEmulationVersion(version.MustParse(emulated))
		turnOn(gates, first)
		turnOn(gates, second)
		built[key] = gates
	}
	return gates
}

// turnOn also turns on the gates that the named ones depend on.
func turnOn(gates featuregate.MutableVersionedFeatureGate, names []string) {
	known := gates.GetAll()
	dependencies := gates.Dependencies()
	wanted := map[string]bool{}
	var add func(name featuregate.Feature)
	add = func(name featuregate.Feature) {
		spec, isKnown := known[name]
		if !isKnown || spec.LockToDefault || wanted[string(name)] || gates.Enabled(name) {
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
	// A gate whose dependency is locked cannot be turned on; the answer is then that of the defaults.
	_ = gates.SetFromMap(wanted)
}

// off are the results of offByDefault.
var off = map[string][]string{}

// offByDefault are the gates of the emulated release that an administrator may turn on, besides those that are on.
func offByDefault(on []string) []string {
	key := emulated + " " + strings.Join(on, ",")
	names, isKnown := off[key]
	if isKnown {
		return names
	}
	gates := gatesWith(on, nil)
	for name, spec := range gates.GetAll() {
		isGroup := name == "AllAlpha" || name == "AllBeta"
		if !spec.Default && !spec.LockToDefault && !isGroup && !gates.Enabled(name) &&
			!strings.HasPrefix(string(name), "DeclarativeValidation") {
			names = append(names, string(name))
		}
	}
	sort.Strings(names)
	off[key] = names
	return names
}
