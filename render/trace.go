package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	_ "unsafe" // for go:linkname

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"
)

//go:linkname transformerFactories sigs.k8s.io/kustomize/api/internal/plugins/builtinhelpers.TransformerFactories
var transformerFactories map[int]func() resmap.TransformerPlugin

// Set during a traced build. Every transformer and generator is then wrapped to record the fields it sets.
// An untraced build runs without wrappers.
var tracing *trace

func init() {
	for kind, factory := range transformerFactories {
		transformerFactories[kind] = func() resmap.TransformerPlugin {
			plugin := factory()
			if tracing == nil {
				return plugin
			}
			return &tracedTransformer{TransformerPlugin: plugin, step: step{By: pluginKind(plugin)}}
		}
	}
}

// Must run after init of helm_charts.go, whose entry it wraps; Go runs inits of a package in order of file names.
func init() {
	for kind, factory := range generatorFactories {
		generatorFactories[kind] = func() resmap.GeneratorPlugin {
			plugin := factory()
			if tracing == nil {
				return plugin
			}
			return &tracedGenerator{GeneratorPlugin: plugin, step: step{By: pluginKind(plugin)}}
		}
	}
}

func pluginKind(plugin any) string {
	name := fmt.Sprintf("%T", plugin)
	switch name {
	case "*main.helmCharts":
		return "HelmChartInflationGenerator"
	case "*builtinhelpers.MultiTransformer":
		return "PrefixSuffixTransformer"
	}
	return strings.TrimSuffix(name[strings.LastIndex(name, ".")+1:], "Plugin")
}

// step is one transformer or generator of one kustomization.
type step struct {
	// Its builtin kind.
	By string `json:"by"`
	// Folder of the kustomization, absolute.
	In string `json:"in"`
	// Its configuration, e.g. the patch or the entry of `images`.
	Config json.RawMessage `json:"config,omitempty"`
}

// change is a field of the final object that a step set, or that a step removed.
type change struct {
	// Index of the step, or `renamed` for changes by kustomize itself: references to renamed objects, hashes.
	Step int   `json:"step"`
	Path []any `json:"path"`
	// The step removed the field.
	Removed bool `json:"removed,omitempty"`
}

// identity is the original identity of an object, as in its file.
type identity struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Namespace  string `json:"namespace,omitempty"`
}

const (
	written = -1
	renamed = -2
)

type trace struct {
	steps   []step
	objects map[*resource.Resource]*tracedObject
}

// tracedObject is the last known state of an object, with the step that set each part.
type tracedObject struct {
	node  *kyaml.Node
	parts *part
	// Its identity when it was first seen.
	id resid.ResId
	// A generator just created it; an existing object may still be merged into it.
	isFresh bool
}

// part records which step set a node; everything outside fields and items has the step of the whole.
type part struct {
	step    int
	fields  map[string]*part
	items   []*part
	removed map[string]int
}

type tracedTransformer struct {
	resmap.TransformerPlugin
	step step
}

func (plugin *tracedTransformer) Config(helpers *resmap.PluginHelpers, config []byte) error {
	plugin.step.describe(helpers, config)
	return plugin.TransformerPlugin.Config(helpers, config)
}

func (plugin *tracedTransformer) Transform(objects resmap.ResMap) error {
	if err := forgetTransformations(objects); err != nil {
		return err
	}
	tracing.note(objects, renamed)
	if err := plugin.TransformerPlugin.Transform(objects); err != nil {
		return err
	}
	tracing.note(objects, tracing.add(plugin.step))
	return nil
}

// forgetTransformations removes kustomize's own list of steps from every object. With origin annotations, kustomize parses this list and
// appends to it after every step, so its time grows with the square of the number of steps.
func forgetTransformations(objects resmap.ResMap) error {
	for _, object := range objects.Resources() {
		if err := object.PipeE(kyaml.ClearAnnotation(transformationsAnnotation)); err != nil {
			return err
		}
	}
	return nil
}

type tracedGenerator struct {
	resmap.GeneratorPlugin
	step step
}

func (plugin *tracedGenerator) Config(helpers *resmap.PluginHelpers, config []byte) error {
	plugin.step.describe(helpers, config)
	return plugin.GeneratorPlugin.Config(helpers, config)
}

func (plugin *tracedGenerator) Generate() (resmap.ResMap, error) {
	objects, err := plugin.GeneratorPlugin.Generate()
	if err == nil && objects != nil {
		made := tracing.add(plugin.step)
		for _, object := range objects.Resources() {
			tracing.objects[object] = &tracedObject{kyaml.CopyYNode(object.YNode()), &part{step: made}, object.OrgId(), true}
		}
	}
	return objects, err
}

func (about *step) describe(helpers *resmap.PluginHelpers, config []byte) {
	about.In = helpers.Loader().Root()
	fields := map[string]any{}
	if yaml.Unmarshal(config, &fields) != nil {
		return
	}
	for name := range fields {
		if strings.EqualFold(name, "fieldSpecs") {
			delete(fields, name)
		}
	}
	if text, err := json.Marshal(fields); err == nil {
		about.Config = text
	}
}

func (noted *trace) add(about step) int {
	noted.steps = append(noted.steps, about)
	return len(noted.steps) - 1
}

// note compares every object with its last known state and assigns differences to `by`. A new object is recorded as written.
func (noted *trace) note(objects resmap.ResMap, by int) {
	for _, object := range objects.Resources() {
		node := object.YNode()
		known, ok := noted.objects[object]
		if !ok {
			noted.objects[object] = &tracedObject{kyaml.CopyYNode(node), &part{step: written}, object.OrgId(), false}
			continue
		}
		if equal(known.node, node) {
			known.isFresh = false
			continue
		}
		if old := noted.merged(known, objects); old != nil {
			known.parts = assignMerged(node, known.node, known.parts, old.node, old.parts)
		} else {
			known.parts = assign(known.node, known.parts, node, by)
		}
		known.node = kyaml.CopyYNode(node)
		known.isFresh = false
	}
}

// merged returns the object that a generator with `behavior: merge` or `replace` has just replaced.
func (noted *trace) merged(fresh *tracedObject, objects resmap.ResMap) *tracedObject {
	if !fresh.isFresh {
		return nil
	}
	for object, known := range noted.objects {
		if known != fresh && known.id.Equals(fresh.id) && !slices.Contains(objects.Resources(), object) {
			return known
		}
	}
	return nil
}

// changesOf lists the changes that steps made to the final object, shorter paths first; the longest path to a field decides.
func (noted *trace) changesOf(object *resource.Resource) []change {
	known, ok := noted.objects[object]
	if !ok {
		return nil
	}
	changes := []change{}
	known.parts.list([]any{}, written, &changes)
	return changes
}

// identityOf returns the original identity of the object.
func (noted *trace) identityOf(object *resource.Resource) *identity {
	known, ok := noted.objects[object]
	if !ok {
		return nil
	}
	return &identity{known.id.ApiVersion(), known.id.Kind, known.id.Name, known.id.Namespace}
}

func (whole *part) list(path []any, around int, changes *[]change) {
	if whole.step != around {
		*changes = append(*changes, change{Step: whole.step, Path: append([]any{}, path...)})
	}
	for _, name := range sortedKeys(whole.removed) {
		if !isInternal(path, name) {
			*changes = append(*changes, change{Step: whole.removed[name], Path: append(slices.Clone(path), name), Removed: true})
		}
	}
	for _, name := range sortedKeys(whole.fields) {
		if !isInternal(path, name) {
			whole.fields[name].list(append(slices.Clone(path), name), whole.step, changes)
		}
	}
	for i, item := range whole.items {
		item.list(append(slices.Clone(path), i), whole.step, changes)
	}
}

func sortedKeys[T any](fields map[string]T) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isInternal is true for annotations that kustomize uses internally.
func isInternal(path []any, name string) bool {
	return len(path) == 2 && path[0] == "metadata" && path[1] == "annotations" &&
		(strings.HasPrefix(name, "internal.config.kubernetes.io/") || name == originAnnotation || name == transformationsAnnotation)
}

// assign records the step of every part of `after`: unchanged parts keep their step, all others get `by`.
func assign(before *kyaml.Node, known *part, after *kyaml.Node, by int) *part {
	if before == nil || after == nil {
		return &part{step: by}
	}
	if equal(before, after) {
		return known
	}
	if before.Kind == kyaml.MappingNode && after.Kind == kyaml.MappingNode {
		return assignFields(before, known, after, by)
	}
	if before.Kind == kyaml.SequenceNode && after.Kind == kyaml.SequenceNode {
		return assignItems(before, known, after, by)
	}
	return &part{step: by}
}

// assignMerged gives every part of a merged object the step of the side it comes from; the generator's side wins.
func assignMerged(after, own *kyaml.Node, ownParts *part, old *kyaml.Node, oldParts *part) *part {
	switch {
	case own != nil && equal(own, after):
		return ownParts
	case old != nil && equal(old, after):
		return oldParts
	case after == nil || after.Kind != kyaml.MappingNode:
		return &part{step: renamed}
	}
	result := &part{step: ownParts.step, fields: map[string]*part{}}
	ownFields, oldFields := fieldsOf(own), fieldsOf(old)
	for i := 0; i+1 < len(after.Content); i += 2 {
		name := after.Content[i].Value
		result.fields[name] = assignMerged(
			after.Content[i+1], ownFields[name], ownParts.field(name), oldFields[name], oldParts.field(name))
	}
	return result
}

func assignFields(before *kyaml.Node, known *part, after *kyaml.Node, by int) *part {
	result := &part{step: known.step, fields: map[string]*part{}, removed: map[string]int{}}
	for name, step := range known.removed {
		result.removed[name] = step
	}
	values := fieldsOf(before)
	for i := 0; i+1 < len(after.Content); i += 2 {
		name := after.Content[i].Value
		result.fields[name] = assign(values[name], known.field(name), after.Content[i+1], by)
		delete(values, name)
		delete(result.removed, name)
	}
	for name := range values {
		result.removed[name] = by
	}
	return result
}

// assignItems pairs equal items, then items with the same name, then items at the same index of lists of equal length.
func assignItems(before *kyaml.Node, known *part, after *kyaml.Node, by int) *part {
	result := &part{step: known.step, items: make([]*part, len(after.Content))}
	pairs := pairItems(before.Content, after.Content)
	for i, item := range after.Content {
		if pairs[i] < 0 {
			result.items[i] = &part{step: by}
			continue
		}
		result.items[i] = assign(before.Content[pairs[i]], known.item(pairs[i]), item, by)
	}
	return result
}

func pairItems(before, after []*kyaml.Node) []int {
	pairs := make([]int, len(after))
	used := make([]bool, len(before))
	for i := range pairs {
		pairs[i] = -1
		if i < len(before) && equal(before[i], after[i]) {
			pairs[i], used[i] = i, true
		}
	}
	same := []func(one, other *kyaml.Node) bool{equal, sameName}
	for _, isSame := range same {
		for i, item := range after {
			if pairs[i] >= 0 {
				continue
			}
			for j, candidate := range before {
				if !used[j] && isSame(candidate, item) {
					pairs[i], used[j] = j, true
					break
				}
			}
		}
	}
	if len(before) == len(after) {
		for i := range pairs {
			if pairs[i] < 0 && !used[i] && nameOf(after[i]) == "" {
				pairs[i], used[i] = i, true
			}
		}
	}
	return pairs
}

func sameName(one, other *kyaml.Node) bool {
	name := nameOf(one)
	return name != "" && name == nameOf(other)
}

// nameOf is the merge key value of a list item.
func nameOf(node *kyaml.Node) string {
	if node.Kind != kyaml.MappingNode {
		return ""
	}
	fields := fieldsOf(node)
	for _, key := range []string{"name", "containerPort", "port", "mountPath", "devicePath", "ip", "key", "topologyKey", "type", "uid"} {
		if value, ok := fields[key]; ok && value.Kind == kyaml.ScalarNode {
			return key + "=" + value.Value
		}
	}
	return ""
}

func (whole *part) field(name string) *part {
	if found, ok := whole.fields[name]; ok {
		return found
	}
	return &part{step: whole.step}
}

func (whole *part) item(index int) *part {
	if index < len(whole.items) {
		return whole.items[index]
	}
	return &part{step: whole.step}
}

func fieldsOf(node *kyaml.Node) map[string]*kyaml.Node {
	if node == nil {
		return nil
	}
	fields := make(map[string]*kyaml.Node, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		fields[node.Content[i].Value] = node.Content[i+1]
	}
	return fields
}

func equal(one, other *kyaml.Node) bool {
	if one == nil || other == nil {
		return one == other
	}
	if one.Kind != other.Kind || one.Value != other.Value || len(one.Content) != len(other.Content) {
		return false
	}
	if one.Kind == kyaml.ScalarNode && one.ShortTag() != other.ShortTag() {
		return false
	}
	if one.Kind == kyaml.MappingNode {
		fields := fieldsOf(other)
		for i := 0; i+1 < len(one.Content); i += 2 {
			value, ok := fields[one.Content[i].Value]
			if !ok || !equal(one.Content[i+1], value) {
				return false
			}
		}
		return true
	}
	for i := range one.Content {
		if !equal(one.Content[i], other.Content[i]) {
			return false
		}
	}
	return true
}
