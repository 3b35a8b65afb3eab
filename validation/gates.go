package main

import (
	"fmt"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// emulated is the release of the current request, such as 1.34.
var emulated string

// emulate sets the feature gates of a release, as kube-apiserver's --emulated-version does, and those whose value is known.
func emulate(release string, known map[string]bool) error {
	if release == "" {
		release = engineRelease
	}
	if _, err := version.Parse(release); err != nil {
		return err
	}
	emulated = release
	utilfeature.DefaultFeatureGate = gatesWith(known, nil)
	return nil
}

// built are the gates of gatesWith. Turning sixty gates on and off takes longer than validating an object.
var built = map[string]featuregate.MutableVersionedFeatureGate{}

// gatesWith are the gates of the emulated release with known values, and with others turned on. It ignores gates that the release doesn't
// have.
func gatesWith(known map[string]bool, on []string) featuregate.MutableVersionedFeatureGate {
	key := keyOf(known) + " " + strings.Join(on, ",")
	gates, isKnown := built[key]
	if !isKnown {
		gates = utilfeature.DefaultMutableFeatureGate.DeepCopy()
		// Does not fail: the release was read before.
		_ = gates.SetEmulationVersion(version.MustParse(emulated))
		turnOff(gates, named(known, false))
		turnOn(gates, named(known, true))
		turnOn(gates, on)
		built[key] = gates
	}
	return gates
}

func keyOf(known map[string]bool) string {
	return fmt.Sprint(emulated, named(known, true), named(known, false))
}

// named are the gates with a value, sorted.
func named(known map[string]bool, value bool) []string {
	var names []string
	for name, each := range known {
		if each == value {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
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

// turnOff also turns off the gates that depend on the named ones.
func turnOff(gates featuregate.MutableVersionedFeatureGate, names []string) {
	known := gates.GetAll()
	wanted := map[string]bool{}
	var add func(name featuregate.Feature)
	add = func(name featuregate.Feature) {
		spec, isKnown := known[name]
		if _, isDone := wanted[string(name)]; isDone || !isKnown || spec.LockToDefault || !gates.Enabled(name) {
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
	// A gate on which a locked one depends cannot be turned off; the answer is then that of the defaults.
	_ = gates.SetFromMap(wanted)
}

// off are the results of offByDefault.
var off = map[string][]string{}

// offByDefault are the gates of the emulated release that an administrator may turn on, without those whose value is known.
func offByDefault(known map[string]bool) []string {
	key := keyOf(known)
	names, isKnown := off[key]
	if isKnown {
		return names
	}
	gates := gatesWith(known, nil)
	for name, spec := range gates.GetAll() {
		isGroup := name == "AllAlpha" || name == "AllBeta"
		_, isSet := known[string(name)]
		if !isSet && !spec.Default && !spec.LockToDefault && !isGroup && !gates.Enabled(name) &&
			!strings.HasPrefix(string(name), "DeclarativeValidation") {
			names = append(names, string(name))
		}
	}
	sort.Strings(names)
	off[key] = names
	return names
}
