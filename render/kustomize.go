package main

import (
	"encoding/json"
	"path"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

type kustomizeRequest struct {
	// Folder of the kustomization, absolute.
	Root string `json:"root"`
	// False: files outside the folder of a kustomization are rejected, the default of `kustomize build`.
	AnyFile bool `json:"anyFile"`
	// Renders charts in the repository.
	EnableHelm bool `json:"enableHelm"`
	// Keeps the order of the files, like Flux; otherwise the order of `kustomize build`.
	FileOrder bool `json:"fileOrder"`
	// Kubernetes version for charts, and API versions in addition to those that Helm knows.
	KubeVersion string   `json:"kubeVersion,omitempty"`
	APIVersions []string `json:"apiVersions,omitempty"`
	// Adds the origin and changes of each object; costs a second build.
	Provenance bool `json:"provenance"`
}

const (
	originAnnotation          = "config.kubernetes.io/origin"
	transformationsAnnotation = "alpha.config.kubernetes.io/transformations"
)

func renderKustomization(asked *kustomizeRequest) ([]rendered, []step, error) {
	disk := filesys.MakeFsOnDisk()
	built, err := buildKustomization(asked, disk)
	if err != nil {
		return nil, nil, err
	}
	objects := make([]rendered, 0, built.Size())
	for _, object := range built.Resources() {
		text, err := object.AsYAML()
		if err != nil {
			return nil, nil, err
		}
		objects = append(objects, rendered{text: text})
	}
	if !asked.Provenance {
		return objects, nil, nil
	}
	return objects, addProvenance(objects, built, asked, disk), nil
}

func buildKustomization(asked *kustomizeRequest, files filesys.FileSystem) (resmap.ResMap, error) {
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	if asked.FileOrder {
		options.Reorder = krusty.ReorderOptionNone
	}
	if asked.AnyFile {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	options.PluginConfig.HelmConfig.Enabled = asked.EnableHelm
	options.PluginConfig.HelmConfig.Command = "helm"
	options.PluginConfig.HelmConfig.KubeVersion = asked.KubeVersion
	options.PluginConfig.HelmConfig.ApiVersions = asked.APIVersions
	return krusty.MakeKustomizer(options).Run(files, asked.Root)
}

// addProvenance builds again with tracing and origin annotations. The objects of the first build are kept, because
// annotations would affect hashes, patches and replacements. If the two builds do not match, it adds nothing.
func addProvenance(objects []rendered, built resmap.ResMap, asked *kustomizeRequest, disk filesys.FileSystem) (steps []step) {
	tracing = &trace{objects: map[*resource.Resource]*tracedObject{}}
	defer func() {
		tracing = nil
		if recover() == nil {
			return
		}
		steps = nil
		for i := range objects {
			objects[i].Origin, objects[i].Written, objects[i].Changes = nil, nil, nil
		}
	}()
	annotated, err := buildKustomization(asked, &annotatedRoot{FileSystem: disk, root: asked.Root})
	if err != nil || annotated.Size() != built.Size() {
		return nil
	}
	for i, object := range annotated.Resources() {
		if object.CurId() != built.Resources()[i].CurId() {
			return nil
		}
	}
	tracing.note(annotated, renamed)
	for i, object := range annotated.Resources() {
		objects[i].Origin = asJSON(object.GetAnnotations()[originAnnotation])
		objects[i].Changes = tracing.changesOf(object)
		objects[i].Written = tracing.identityOf(object)
	}
	return tracing.steps
}

func asJSON(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	converted, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil
	}
	return converted
}

// annotatedRoot is a file system that enables origin annotations in the kustomization of one folder.
type annotatedRoot struct {
	filesys.FileSystem
	root string
}

func (files *annotatedRoot) ReadFile(name string) ([]byte, error) {
	content, err := files.FileSystem.ReadFile(name)
	if err != nil || path.Dir(name) != path.Clean(files.root) || !isKustomizationName(path.Base(name)) {
		return content, err
	}
	if annotated, err := withBuildMetadata(content); err == nil {
		return annotated, nil
	}
	return content, nil
}

func isKustomizationName(name string) bool {
	return name == "kustomization.yaml" || name == "kustomization.yml" || name == "Kustomization"
}

func withBuildMetadata(content []byte) ([]byte, error) {
	asJSON, err := yaml.YAMLToJSON(content)
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(asJSON, &fields); err != nil {
		return nil, err
	}
	options := []string{}
	if given, ok := fields["buildMetadata"]; ok {
		if err := json.Unmarshal(given, &options); err != nil {
			return nil, err
		}
	}
	options = append(options, types.OriginAnnotations)
	if fields["buildMetadata"], err = json.Marshal(options); err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}
