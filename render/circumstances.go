package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
)

// circumstances records what the templates of a request read about the release and the cluster, so that the host renders a second time only
// the charts that depend on it.
type circumstances struct {
	// `.Release.IsInstall`, `.Release.IsUpgrade` or `.Release.Revision`.
	Release bool `json:"release,omitempty"`
	// API versions that `.Capabilities.APIVersions.Has` did not find, sorted.
	MissingAPIs []string `json:"missingApis,omitempty"`
	// The templates may search the Kubernetes version for a distribution.
	VersionSuffix bool `json:"versionSuffix,omitempty"`
	// Templates whose conditions call a function that depends on the time or on chance, sorted.
	Chance []string `json:"chance,omitempty"`
}

// seen belongs to the current request. The engine serves one request at a time.
var seen *circumstances

func startRecording() {
	seen = &circumstances{}
}

// recorded is nil if the templates read nothing.
func recorded() *circumstances {
	if !seen.Release && !seen.VersionSuffix && len(seen.MissingAPIs)+len(seen.Chance) == 0 {
		return nil
	}
	slices.Sort(seen.MissingAPIs)
	slices.Sort(seen.Chance)
	seen.MissingAPIs = slices.Compact(seen.MissingAPIs)
	seen.Chance = slices.Compact(seen.Chance)
	return seen
}

// releaseFacts is Helm's map behind `.Release`. text/template prefers methods to keys, so the methods see every `.Release.IsUpgrade`.
type releaseFacts map[string]any

func (facts releaseFacts) IsInstall() any { return facts.read("IsInstall") }
func (facts releaseFacts) IsUpgrade() any { return facts.read("IsUpgrade") }
func (facts releaseFacts) Revision() any  { return facts.read("Revision") }

func (facts releaseFacts) read(name string) any {
	seen.Release = true
	return facts[name]
}

// capabilities has the fields of chartutil.Capabilities. Helm does not export the type of its own version.
type capabilities struct {
	KubeVersion chartutil.KubeVersion
	APIVersions apiVersions
	HelmVersion any
}

type apiVersions []string

func (served apiVersions) Has(name string) bool {
	if slices.Contains(served, name) {
		return true
	}
	seen.MissingAPIs = append(seen.MissingAPIs, name)
	return false
}

// watched returns the values of a rendering with recording facts.
func watched(values chartutil.Values, known *chartutil.Capabilities) chartutil.Values {
	result := chartutil.Values{}
	for key, value := range values {
		result[key] = value
	}
	result["Release"] = releaseFacts(values["Release"].(map[string]any))
	result["Capabilities"] = &capabilities{known.KubeVersion, apiVersions(known.APIVersions), known.HelmVersion}
	return result
}

var (
	// A use of the whole map, e.g. `get .Release "IsUpgrade"`, which the methods do not see.
	wholeRelease = regexp.MustCompile(`\.Release\s*(?:[^.\w\s]|\s[^\s])`)
	// The marks of the usual distributions in a version, and functions that search a text, in one action with the version.
	distribution = regexp.MustCompile("[\"'`][^\"'`\\s{}]*\\b(?:eks|gke|aks|k3s|k0s|rke|rke2|iks|tke|mke)(?:r?\\d+)?\\b")
	suffixSearch = regexp.MustCompile(`\{\{[^{}]*\b(?:contains|(?:must)?[rR]egex\w+|hasPrefix|hasSuffix|splitn?|splitList|trimPrefix|trimSuffix|replace|[tT]oSemver|semver)\b[^{}]*\bKubeVersion\b[^{}]*\}\}` +
		`|\{\{[^{}]*\bKubeVersion\b[^{}]*\|\s*(?:contains|(?:must)?[rR]egex\w+|hasPrefix|hasSuffix|splitn?|splitList|trimPrefix|trimSuffix|replace|semver)\b`)
	chanceWords = regexp.MustCompile(`\b(?:now|ago|rand\w+|uuidv4|shuffle|gen(?:CA|SelfSigned|Signed|Private)\w*)\b`)
)

// searchTemplates records what the texts of a chart and its dependencies show, packed or not.
func searchTemplates(loaded *chart.Chart) {
	hasVersion, hasDistribution := false, false
	var visit func(part *chart.Chart)
	visit = func(part *chart.Chart) {
		for _, file := range part.Templates {
			text := file.Data
			seen.Release = seen.Release || wholeRelease.Match(text)
			if bytes.Contains(text, []byte("KubeVersion")) {
				hasVersion = true
				seen.VersionSuffix = seen.VersionSuffix || suffixSearch.Match(text)
			}
			hasDistribution = hasDistribution || distribution.Match(text)
			if chanceWords.Match(text) && steersByChance(string(text)) {
				seen.Chance = append(seen.Chance, part.ChartFullPath()+"/"+file.Name)
			}
		}
		for _, dependency := range part.Dependencies() {
			visit(dependency)
		}
	}
	visit(loaded)
	seen.VersionSuffix = seen.VersionSuffix || (hasVersion && hasDistribution)
}

// deciding functions choose between values. `default` and `coalesce` are not among them: they only choose a value that differs anyway.
var deciding = []string{"and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "ternary", "semverCompare", "contains", "hasPrefix", "hasSuffix", "mustRegexMatch", "regexMatch", "has"}

// steersByChance reports whether a condition of the template calls a function that depends on the time or on chance.
func steersByChance(text string) bool {
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := tree.Parse(text, "{{", "}}", trees); err != nil {
		return false
	}
	for _, each := range trees {
		if each.Root != nil && decidesIn(each.Root) {
			return true
		}
	}
	return tree.Root != nil && decidesIn(tree.Root)
}

func decidesIn(list *parse.ListNode) bool {
	if list == nil {
		return false
	}
	branch := func(node *parse.BranchNode) bool {
		return usesChance(node.Pipe) || decidesIn(node.List) || decidesIn(node.ElseList)
	}
	for _, node := range list.Nodes {
		found := false
		switch node := node.(type) {
		case *parse.IfNode:
			found = branch(&node.BranchNode)
		case *parse.WithNode:
			found = decidesIn(node.List) || decidesIn(node.ElseList) || comparesChance(node.Pipe)
		case *parse.RangeNode:
			found = branch(&node.BranchNode)
		case *parse.ActionNode:
			found = comparesChance(node.Pipe)
		case *parse.TemplateNode:
			found = node.Pipe != nil && comparesChance(node.Pipe)
		}
		if found {
			return true
		}
	}
	return false
}

// comparesChance reports whether the pipe passes chance to a function that decides.
func comparesChance(pipe *parse.PipeNode) bool {
	if pipe == nil {
		return false
	}
	carries := false
	for _, command := range pipe.Cmds {
		name := ""
		if identifier, ok := command.Args[0].(*parse.IdentifierNode); ok {
			name = identifier.Ident
		}
		own := false
		for _, argument := range command.Args {
			inner, isPipe := argument.(*parse.PipeNode)
			if isPipe && comparesChance(inner) {
				return true
			}
			own = own || nodeUsesChance(argument)
		}
		if slices.Contains(deciding, name) && (own || carries) {
			return true
		}
		carries = carries || own
	}
	return false
}

func usesChance(pipe *parse.PipeNode) bool {
	return pipe != nil && slices.ContainsFunc(pipe.Cmds, func(command *parse.CommandNode) bool {
		return slices.ContainsFunc(command.Args, nodeUsesChance)
	})
}

func nodeUsesChance(node parse.Node) bool {
	switch node := node.(type) {
	case *parse.IdentifierNode:
		return chanceWords.MatchString(node.Ident)
	case *parse.PipeNode:
		return usesChance(node)
	case *parse.ChainNode:
		return nodeUsesChance(node.Node)
	}
	return false
}

// failsOnTypes is true for an error of a function that insists on Helm's own types, e.g. `dig` with `.Release`.
func failsOnTypes(err error) bool {
	return strings.Contains(err.Error(), "interface conversion") || strings.Contains(err.Error(), "releaseFacts")
}
