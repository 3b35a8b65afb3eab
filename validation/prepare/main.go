// Command prepare writes the modules of Kubernetes that the validation engine links, without the parts that need a network, a cluster or
// metrics. It reads the originals from the module cache and writes to ../modules, which is not committed. Each deviation from the originals
// is a row of a table in this file, or a file in ../replacements.
package main

import (
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	kubernetesVersion = "v1.36.3"
	stagingVersion    = "v0.36.3"
	output            = "../modules"
	replacements      = "../replacements"
)

// module is one copied module. Folders: what to copy; everything if empty.
type module struct {
	name    string
	version string
	folders []string
}

var modules = []module{
	{"kubernetes", kubernetesVersion, []string{"pkg", "plugin", "third_party"}},
	{"apiserver", stagingVersion, nil},
	{"client-go", stagingVersion, nil},
	{"component-base", stagingVersion, nil},
	{"api", stagingVersion, nil},
}

// reduced names packages that keep only some of their files.
// Files of ../replacements with the same package path are added.
var reduced = map[string][]string{
	"apiserver/pkg/admission":                                {"attributes.go", "conversion.go", "errors.go", "handler.go", "interfaces.go", "chain.go", "util.go", "reinvocation.go"},
	"apiserver/pkg/admission/plugin/policy/mutating/patch":   {"json_patch.go", "smd.go"},
	"apiserver/pkg/admission/plugin/policy/validating":       {"interface.go", "message.go"},
	"apiserver/pkg/admission/plugin/webhook/matchconditions": {"matcher.go"},
	"apiserver/pkg/audit":                                    {},
	"apiserver/pkg/registry/generic":                         {"matcher.go"},
	"apiserver/pkg/storage":                                  {"selection_predicate.go"},
	"apiserver/pkg/util/webhook":                             {"validation.go"},
	"apiserver/pkg/validation":                               {},
	"client-go/kubernetes/typed/core/v1":                     {},
	"client-go/tools/cache":                                  {},
	"client-go/util/cert":                                    {},
	"component-base/cli/flag":                                {"colon_separated_multimap_string_string.go"},
	"component-base/metrics/prometheus/compatversion":        {},
	"component-base/metrics/prometheus/feature":              {},
	"kubernetes/pkg/controller/endpoint":                     {},
	"kubernetes/pkg/controller/endpointslice":                {},
	"kubernetes/pkg/controller/endpointslicemirroring":       {},
	"kubernetes/pkg/kubelet/client":                          {},
	"kubernetes/pkg/registry/admissionregistration/resolver": {"resolver.go"},
	"kubernetes/pkg/registry/core/service":                   {"doc.go", "strategy.go"},
	"kubernetes/pkg/registry/core/service/ipallocator":       {"interfaces.go"},
	"kubernetes/pkg/registry/core/service/portallocator":     {"operation.go", "allocator.go"},
	"kubernetes/pkg/registry/core/service/storage":           {"alloc.go", "transaction.go", "storage.go"},
	"kubernetes/pkg/registry/resource":                       {},
	"kubernetes/plugin/pkg/admission/serviceaccount":         {},
}

// extracted names files that keep only the listed declarations. A type keeps its methods.
var extracted = map[string][]string{
	"apiserver/pkg/util/webhook/validation.go":                           {"ValidateWebhookURL", "ValidateWebhookService"},
	"kubernetes/pkg/registry/admissionregistration/resolver/resolver.go": {"ResourceResolver", "ResourceResolverFunc"},
	"apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go": {"JSONPatchCondition", "jsonPatchType"},
	"apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go":        {"ApplyConfigurationCondition", "applyConfigObjectType"},
	"apiserver/pkg/admission/plugin/policy/validating/interface.go":      {"ValidationCondition", "AuditAnnotationCondition", "Variable"},
	"apiserver/pkg/admission/plugin/policy/validating/message.go":        {"MessageExpressionCondition"},
	"apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go":  {"MatchCondition"},
	"kubernetes/pkg/registry/core/service/portallocator/allocator.go":    {"Interface", "ErrFull", "ErrAllocated", "ErrNotInRange"},
	"kubernetes/pkg/registry/core/service/storage/storage.go": {
		"normalizeClusterIPs", "patchAllocatedValues", "needsClusterIP", "needsNodePort", "needsHCNodePort", "otherFamily",
	},
}

func main() {
	log.SetFlags(0)
	if err := os.RemoveAll(output); err != nil {
		log.Fatal(err)
	}
	for _, of := range modules {
		if err := copyModule(of); err != nil {
			log.Fatal(err)
		}
	}
	if err := addReplacements(); err != nil {
		log.Fatal(err)
	}
	for path, names := range extracted {
		if err := extract(filepath.Join(output, path), names); err != nil {
			log.Fatal(err)
		}
	}
	if err := dropProtobuf(filepath.Join(output, "api")); err != nil {
		log.Fatal(err)
	}
}

// copyModule copies the Go files without tests, go.mod and the licence.
func copyModule(of module) error {
	located, err := exec.Command("go", "mod", "download", "-json", "k8s.io/"+of.name+"@"+of.version).Output()
	if err != nil {
		return fmt.Errorf("k8s.io/%s@%s: %w", of.name, of.version, err)
	}
	top := field(located, "Dir")
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if !isCopied(of, relative) {
				return filepath.SkipDir
			}
			return nil
		}
		name := entry.Name()
		isLinked := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if !isLinked && name != "go.mod" && name != "LICENSE" || isDropped(of.name, relative) {
			return nil
		}
		return copyFile(path, filepath.Join(output, of.name, relative))
	})
}

func isCopied(of module, folder string) bool {
	name := filepath.Base(folder)
	if name == "testdata" || name == "vendor" {
		return false
	}
	if folder == "." || len(of.folders) == 0 {
		return true
	}
	top, _, _ := strings.Cut(filepath.ToSlash(folder), "/")
	for _, wanted := range of.folders {
		if top == wanted {
			return true
		}
	}
	return false
}

func isDropped(module, path string) bool {
	kept, isReduced := reduced[filepath.ToSlash(filepath.Join(module, filepath.Dir(path)))]
	if !isReduced || !strings.HasSuffix(path, ".go") {
		return false
	}
	for _, name := range kept {
		if name == filepath.Base(path) {
			return false
		}
	}
	return true
}

func addReplacements() error {
	return filepath.WalkDir(replacements, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(replacements, path)
		if err != nil {
			return err
		}
		if _, isReduced := reduced[filepath.ToSlash(filepath.Dir(relative))]; !isReduced {
			return fmt.Errorf("%s: its package is not in the table of reduced packages", path)
		}
		return copyFile(path, filepath.Join(output, relative))
	})
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
