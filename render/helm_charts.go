package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"
	_ "unsafe" // for go:linkname

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/kustomize/api/konfig"
	_ "sigs.k8s.io/kustomize/api/krusty" // links the table below
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/errors"
	"sigs.k8s.io/kustomize/kyaml/kio"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge2"
	"sigs.k8s.io/yaml"
)

// kustomize runs a helm program for `helmCharts`. This replaces its generator in kustomize's table by one that calls Helm as a library.
//
//go:linkname generatorFactories sigs.k8s.io/kustomize/api/internal/plugins/builtinhelpers.GeneratorFactories
var generatorFactories map[int]func() resmap.GeneratorPlugin

func init() {
	for kind, factory := range generatorFactories {
		if fmt.Sprintf("%T", factory()) == "*builtins.HelmChartInflationGeneratorPlugin" {
			generatorFactories[kind] = func() resmap.GeneratorPlugin { return &helmCharts{} }
			return
		}
	}
	panic("kustomize has no generator for helmCharts")
}

// helmCharts has the fields of the plugin's configuration; its rules and messages follow api/internal/builtins.
type helmCharts struct {
	types.HelmGlobals
	types.HelmChart
	helpers *resmap.PluginHelpers
}

var valuesMergeOptions = []string{"merge", "override", "replace"}

func (charts *helmCharts) Config(helpers *resmap.PluginHelpers, config []byte) error {
	general := helpers.GeneralConfig()
	if general == nil || !general.HelmConfig.Enabled {
		return fmt.Errorf("must specify --enable-helm")
	}
	if general.HelmConfig.KubeVersion != "" {
		charts.KubeVersion = general.HelmConfig.KubeVersion
	}
	if len(general.HelmConfig.ApiVersions) > 0 {
		charts.ApiVersions = general.HelmConfig.ApiVersions
	}
	charts.helpers = helpers
	if err := yaml.Unmarshal(config, charts); err != nil {
		return err
	}
	return charts.complete()
}

func (charts *helmCharts) complete() error {
	if charts.Name == "" {
		return fmt.Errorf("chart name cannot be empty")
	}
	if charts.ChartHome == "" {
		charts.ChartHome = types.HelmDefaultHome
	}
	if charts.ValuesFile == "" {
		charts.ValuesFile = filepath.Join(charts.home(), charts.Name, "values.yaml")
	}
	if charts.ValuesMerge == "" {
		charts.ValuesMerge = "override"
	}
	if !slices.Contains(valuesMergeOptions, charts.ValuesMerge) {
		return fmt.Errorf("valuesMerge must be one of %v", valuesMergeOptions)
	}
	return nil
}

// home is the folder that contains the folder of the chart.
func (charts *helmCharts) home() string {
	home := charts.ChartHome
	if !filepath.IsAbs(home) {
		home = filepath.Join(charts.helpers.Loader().Root(), home)
	}
	if charts.Version != "" && charts.Repo != "" {
		return filepath.Join(home, fmt.Sprintf("%s-%s", charts.Name, charts.Version))
	}
	return home
}

func (charts *helmCharts) Generate() (resmap.ResMap, error) {
	chart := filepath.Join(charts.home(), charts.Name)
	if found, err := os.Stat(chart); err != nil || !found.IsDir() {
		if charts.Repo == "" {
			return nil, fmt.Errorf("no repo specified for pull, no chart found at '%s'", chart)
		}
		return nil, fmt.Errorf("HelmChartInflationGenerator: chart '%s' of '%s' is not at '%s', and nothing is fetched while rendering",
			charts.Name, charts.Repo, chart)
	}
	values, err := charts.values()
	if err != nil {
		return nil, err
	}
	name, err := charts.releaseName(chart)
	if err != nil {
		return nil, err
	}
	asked := &helmRequest{
		Chart:       chart,
		ReleaseName: name,
		Namespace:   charts.Namespace,
		Values:      values,
		IncludeCRDs: charts.IncludeCRDs,
		SkipTests:   charts.SkipTests,
		SkipHooks:   charts.SkipHooks,
		KubeVersion: charts.KubeVersion,
		APIVersions: charts.ApiVersions,
	}
	if asked.Namespace == "" {
		asked.Namespace = "default"
	}
	objects, err := renderChart(asked, &lookups{})
	if err != nil {
		return nil, errors.WrapPrefixf(err, "HelmChartInflationGenerator: helm template of '%s'", chart)
	}
	return charts.toResources(objects)
}

// releaseName follows `--name-template`, or else `--generate-name`, if the release has no name.
func (charts *helmCharts) releaseName(chart string) (string, error) {
	if charts.ReleaseName != "" && charts.NameTemplate != "" {
		return "", fmt.Errorf("cannot set --name-template and also specify a name")
	}
	if charts.ReleaseName != "" {
		return charts.ReleaseName, nil
	}
	if charts.NameTemplate != "" {
		return namedByTemplate(charts.NameTemplate)
	}
	base, _, _ := strings.Cut(filepath.Base(chart), ".")
	return fmt.Sprintf("%s-%d", base, time.Now().Unix()), nil
}

// namedByTemplate offers Helm's functions for names, except those that read from the machine.
func namedByTemplate(text string) (string, error) {
	functions := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv", "getHostByName"} {
		delete(functions, name)
	}
	parsed, err := template.New("name-template").Funcs(functions).Parse(text)
	if err != nil {
		return "", err
	}
	var name strings.Builder
	if err := parsed.Execute(&name, nil); err != nil {
		return "", err
	}
	return name.String(), nil
}

// values returns the texts that the plugin passes to helm as files, in its order.
func (charts *helmCharts) values() ([]string, error) {
	main, err := charts.mainValues()
	if err != nil {
		return nil, err
	}
	texts := []string{string(main)}
	for _, file := range charts.AdditionalValuesFiles {
		content, err := charts.helpers.Loader().Load(file)
		if err != nil {
			return nil, errors.WrapPrefixf(err, "could not load additionalValuesFile")
		}
		texts = append(texts, string(content))
	}
	return texts, nil
}

func (charts *helmCharts) mainValues() ([]byte, error) {
	if len(charts.ValuesInline) > 0 && charts.ValuesMerge == "replace" {
		return yaml.Marshal(charts.ValuesInline)
	}
	content, err := charts.helpers.Loader().Load(charts.ValuesFile)
	if err != nil || len(charts.ValuesInline) == 0 {
		return content, err
	}
	written, err := kyaml.Parse(string(content))
	if err != nil {
		return nil, errors.WrapPrefixf(err, "could not parse values file into rnode")
	}
	inline, err := kyaml.FromMap(charts.ValuesInline)
	if err != nil {
		return nil, errors.WrapPrefixf(err, "could not parse values inline into rnode")
	}
	// The first argument wins.
	winner, other := inline, written
	if charts.ValuesMerge == "merge" {
		winner, other = written, inline
	}
	merged, err := merge2.Merge(winner, other.Copy(), kyaml.MergeOptions{})
	if err != nil {
		return nil, errors.WrapPrefixf(err, "could not merge values")
	}
	asMap, err := merged.Map()
	if err != nil {
		return nil, errors.WrapPrefixf(err, "could not parse merged values into map")
	}
	return yaml.Marshal(asMap)
}

func (charts *helmCharts) toResources(objects []rendered) (resmap.ResMap, error) {
	var stream bytes.Buffer
	for _, object := range objects {
		fmt.Fprintf(&stream, "---\n# Source: %s\n%s\n", object.Template, object.text)
	}
	factory := charts.helpers.ResmapFactory()
	resources, err := factory.NewResMapFromBytes(stream.Bytes())
	if err != nil {
		// Some documents are not objects; the readable ones are used, as in the plugin.
		reader := &kio.ByteReader{Reader: &stream, OmitReaderAnnotations: true}
		nodes, readErr := reader.Read()
		if readErr != nil {
			return nil, fmt.Errorf("error reading helm output: %w", readErr)
		}
		if len(nodes) == 0 {
			return nil, fmt.Errorf("could not parse bytes into resource map: %w", err)
		}
		if resources, err = factory.NewResMapFromRNodeSlice(nodes); err != nil {
			return nil, fmt.Errorf("could not parse rnode slice into resource map: %w", err)
		}
	}
	for _, resource := range resources.Resources() {
		if err := resource.RNode.PipeE(kyaml.SetAnnotation(konfig.HelmGeneratedAnnotation, "true")); err != nil {
			return nil, fmt.Errorf("failed to set helm annotation: %w", err)
		}
	}
	return resources, nil
}
