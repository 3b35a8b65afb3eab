package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/pkg/errors"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/releaseutil"
	"helm.sh/helm/v3/pkg/strvals"
	"sigs.k8s.io/yaml"
)

type helmRequest struct {
	// Folder or archive of the chart, absolute.
	Chart       string `json:"chart"`
	ReleaseName string `json:"releaseName"`
	Namespace   string `json:"namespace"`
	// Merged in this order; absolute paths.
	ValuesFiles []string `json:"valuesFiles,omitempty"`
	// Values as YAML or JSON that override those of the files.
	Values []string `json:"values,omitempty"`
	// Settings like `--set`, applied after all values.
	Set []setting `json:"set,omitempty"`

	IncludeCRDs bool `json:"includeCrds"`
	SkipTests   bool `json:"skipTests"`
	SkipHooks   bool `json:"skipHooks"`
	IsUpgrade   bool `json:"isUpgrade"`
	// `.Release.Revision`; default: 1.
	Revision int `json:"revision,omitempty"`
	// Skips validation against values.schema.json.
	SkipSchema bool `json:"skipSchema"`
	// `lookup` finds an object of every name; default: it finds nothing.
	LookupFinds bool `json:"lookupFinds"`
	// Default: Helm's own.
	KubeVersion string `json:"kubeVersion,omitempty"`
	// What the cluster reports, e.g. `v1.36.2-eks-1a2b3c4`. Helm's command line drops the suffix, an installation does not.
	GitVersion string `json:"gitVersion,omitempty"`
	// In addition to the known ones.
	APIVersions []string `json:"apiVersions,omitempty"`
	// All known API versions, replacing those that Helm knows without a cluster.
	KnownAPIVersions []string `json:"knownApiVersions,omitempty"`
}

type setting struct {
	// `value`, `string`, `json`, `file` or `literal`.
	As   string `json:"as"`
	Text string `json:"text"`
}

// renderChart follows `helm template`: loading, dependencies, values, schema, templates, sorting; hooks come last.
func renderChart(asked *helmRequest, answers *lookups) ([]rendered, error) {
	capabilities, err := capabilitiesFor(asked)
	if err != nil {
		return nil, err
	}
	values, err := valuesOf(asked)
	if err != nil {
		return nil, err
	}
	loaded, err := loader.Load(asked.Chart)
	if err != nil {
		return nil, err
	}
	if err := checkInstallable(loaded); err != nil {
		return nil, err
	}
	if err := chartutil.ValidateReleaseName(asked.ReleaseName); err != nil {
		return nil, errors.Wrapf(err, "release name %q", asked.ReleaseName)
	}
	if err := chartutil.ProcessDependenciesWithMerge(loaded, values); err != nil {
		return nil, err
	}
	toRender, err := chartutil.ToRenderValuesWithSchemaValidation(loaded, values, chartutil.ReleaseOptions{
		Name:      asked.ReleaseName,
		Namespace: asked.Namespace,
		Revision:  max(asked.Revision, 1),
		IsInstall: !asked.IsUpgrade,
		IsUpgrade: asked.IsUpgrade,
	}, capabilities, asked.SkipSchema)
	if err != nil {
		return nil, err
	}
	hooks, manifests, err := renderTemplates(loaded, toRender, capabilities, answers)
	if err != nil {
		return nil, err
	}
	objects := []rendered{}
	if asked.IncludeCRDs {
		for _, definition := range loaded.CRDObjects() {
			objects = append(objects, rendered{Template: definition.Filename, text: definition.File.Data})
		}
	}
	for _, manifest := range manifests {
		objects = append(objects, rendered{Template: manifest.Name, text: []byte(manifest.Content)})
	}
	if asked.SkipHooks {
		return objects, nil
	}
	for _, hook := range hooks {
		if asked.SkipTests && isTest(hook) {
			continue
		}
		objects = append(objects, rendered{Template: hook.Path, Hook: true, text: []byte(hook.Manifest)})
	}
	return objects, nil
}

func capabilitiesFor(asked *helmRequest) (*chartutil.Capabilities, error) {
	capabilities := chartutil.DefaultCapabilities.Copy()
	if asked.KubeVersion != "" {
		version, err := chartutil.ParseKubeVersion(asked.KubeVersion)
		if err != nil {
			return nil, fmt.Errorf("invalid kube version '%s': %s", asked.KubeVersion, err)
		}
		capabilities.KubeVersion = *version
	}
	if asked.GitVersion != "" {
		capabilities.KubeVersion.Version = asked.GitVersion
	}
	known := chartutil.DefaultVersionSet
	if asked.KnownAPIVersions != nil {
		known = asked.KnownAPIVersions
	}
	capabilities.APIVersions = append(append(chartutil.VersionSet{}, known...), asked.APIVersions...)
	return capabilities, nil
}

// checkInstallable rejects the charts that `helm template` rejects before it reads values.
func checkInstallable(loaded *chart.Chart) error {
	if kind := loaded.Metadata.Type; kind != "" && kind != "application" {
		return errors.Errorf("%s charts are not installable", kind)
	}
	present := map[string]bool{}
	for _, dependency := range loaded.Dependencies() {
		present[dependency.Name()] = true
	}
	missing := []string{}
	for _, required := range loaded.Metadata.Dependencies {
		if !present[required.Name] {
			missing = append(missing, required.Name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return errors.Errorf("An error occurred while checking for chart dependencies. You may need to run `helm dependency build` "+
		"to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: %s", strings.Join(missing, ", "))
}

func renderTemplates(loaded *chart.Chart, values chartutil.Values, capabilities *chartutil.Capabilities, answers *lookups) (
	[]*release.Hook, []releaseutil.Manifest, error,
) {
	if wanted := loaded.Metadata.KubeVersion; wanted != "" {
		if version := capabilities.KubeVersion.String(); !chartutil.IsCompatibleRange(wanted, version) {
			return nil, nil, errors.Errorf(
				"chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, version)
		}
	}
	searchTemplates(loaded)
	if answers.finds {
		answers.keys = wordsOf(loaded)
	}
	files, err := engine.RenderWithClientProvider(loaded, watched(values, capabilities), answers)
	if err != nil && len(answers.keys) > 0 {
		// The template reads something else than data.
		answers.keys = nil
		files, err = engine.RenderWithClientProvider(loaded, watched(values, capabilities), answers)
	}
	if err != nil && failsOnTypes(err) {
		seen.Release = true
		files, err = engine.RenderWithClientProvider(loaded, values, answers)
	}
	if err != nil {
		return nil, nil, err
	}
	for name := range files {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(files, name)
		}
	}
	return releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
}

func isTest(hook *release.Hook) bool {
	for _, event := range hook.Events {
		if event == release.HookTest {
			return true
		}
	}
	return false
}

// valuesOf merges the given values in the order of Helm's command line.
func valuesOf(asked *helmRequest) (map[string]any, error) {
	merged := map[string]any{}
	for _, name := range asked.ValuesFiles {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := mergeYAML(merged, content); err != nil {
			return nil, errors.Wrapf(err, "failed to parse %s", name)
		}
	}
	for _, text := range asked.Values {
		if err := mergeYAML(merged, []byte(text)); err != nil {
			return nil, errors.Wrap(err, "failed to parse values")
		}
	}
	for _, given := range asked.Set {
		if err := set(merged, given); err != nil {
			return nil, err
		}
	}
	return merged, nil
}

func mergeYAML(into map[string]any, content []byte) error {
	values := map[string]any{}
	if err := yaml.Unmarshal(content, &values); err != nil {
		return err
	}
	mergeInto(into, values)
	return nil
}

// mergeInto merges maps and replaces everything else.
func mergeInto(into, from map[string]any) {
	for key, value := range from {
		below, isMap := value.(map[string]any)
		known, wasMap := into[key].(map[string]any)
		if isMap && wasMap {
			mergeInto(known, below)
			continue
		}
		into[key] = value
	}
}

func set(values map[string]any, given setting) error {
	var err error
	switch given.As {
	case "json":
		if strvals.ParseJSON(given.Text, values) != nil {
			return errors.Errorf("failed parsing --set-json data %s", given.Text)
		}
	case "value":
		err = errors.Wrap(strvals.ParseInto(given.Text, values), "failed parsing --set data")
	case "string":
		err = errors.Wrap(strvals.ParseIntoString(given.Text, values), "failed parsing --set-string data")
	case "literal":
		err = errors.Wrap(strvals.ParseLiteralInto(given.Text, values), "failed parsing --set-literal data")
	case "file":
		read := func(name []rune) (any, error) {
			content, err := os.ReadFile(path.Clean(string(name)))
			return string(content), err
		}
		err = errors.Wrap(strvals.ParseIntoFile(given.Text, values, read), "failed parsing --set-file data")
	default:
		err = errors.Errorf("unknown form of a setting: %q", given.As)
	}
	return err
}
