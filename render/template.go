package main

import (
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

// templateRequest renders texts like Argo CD's ApplicationSet controller with `goTemplate: true`.
type templateRequest struct {
	// Each is a separate template.
	Texts []string `json:"texts"`
	// Every text is rendered with every set; the answer has all texts of the first set, then of the second.
	ParameterSets []map[string]any `json:"parameterSets"`
	// E.g. `missingkey=error`.
	Options []string `json:"options,omitempty"`
}

const maximumTemplateCalls = 3

func renderTexts(asked *templateRequest) ([]rendered, error) {
	parsed := make([]*template.Template, len(asked.Texts))
	for i, text := range asked.Texts {
		one, err := parseText(text, asked.Options)
		if err != nil {
			return nil, err
		}
		parsed[i] = one
	}
	objects := make([]rendered, 0, len(asked.Texts)*len(asked.ParameterSets))
	for _, parameters := range asked.ParameterSets {
		for i, one := range parsed {
			var text strings.Builder
			if err := one.Execute(&text, parameters); err != nil {
				return nil, fmt.Errorf("failed to execute go template %s: %w", asked.Texts[i], err)
			}
			objects = append(objects, rendered{text: []byte(text.String())})
		}
	}
	return objects, nil
}

func parseText(text string, options []string) (one *template.Template, err error) {
	defer func() {
		// An unknown option is a panic in Go.
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	one = template.New("base").Funcs(templateFunctions()).Option(options...)
	one = one.Funcs(template.FuncMap{"tpl": callTemplate(one)})
	if one, err = one.Parse(text); err != nil {
		return nil, fmt.Errorf("failed to parse template %s: %w", text, err)
	}
	return one, nil
}

func templateFunctions() template.FuncMap {
	functions := template.FuncMap(sprig.GenericFuncMap())
	for _, name := range []string{"env", "expandenv", "getHostByName"} {
		delete(functions, name)
	}
	functions["normalize"] = normalizedName
	functions["slugify"] = slugifiedName
	functions["toYaml"] = func(value any) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["fromYaml"] = func(text string) (map[string]any, error) {
		value := map[string]any{}
		return value, yaml.Unmarshal([]byte(text), &value)
	}
	functions["fromYamlArray"] = func(text string) ([]any, error) {
		value := []any{}
		return value, yaml.Unmarshal([]byte(text), &value)
	}
	return functions
}

// callTemplate implements `tpl`, which renders a text of the parameters as a template.
func callTemplate(parent *template.Template) func(string, any) (string, error) {
	depth := 0
	return func(text string, values any) (string, error) {
		depth++
		defer func() { depth-- }()
		if depth > maximumTemplateCalls {
			return "", fmt.Errorf("maximum recursion depth %d exceeded in tpl function", maximumTemplateCalls)
		}
		copied, err := parent.Clone()
		if err != nil {
			return "", fmt.Errorf("cannot clone template: %w", err)
		}
		if copied, err = copied.New(parent.Name()).Parse(text); err != nil {
			return "", fmt.Errorf("cannot parse template %q: %w", text, err)
		}
		var result strings.Builder
		if err := copied.Execute(&result, values); err != nil {
			return "", fmt.Errorf("error during tpl function execution for %q: %w", text, err)
		}
		return strings.ReplaceAll(result.String(), "<no value>", ""), nil
	}
}

var noNameCharacter = regexp.MustCompile("[^-a-z0-9.]")

func normalizedName(name string) string {
	name = noNameCharacter.ReplaceAllString(strings.ToLower(name), "-")
	if len(name) > 253 {
		name = name[:253]
	}
	return strings.Trim(name, "-.")
}

var (
	noSlugCharacter = regexp.MustCompile("[^a-z0-9-_]")
	severalDashes   = regexp.MustCompile("-+")
)

// slugifiedName implements `slugify`. The text is the last argument; optional arguments before it are the maximum length and smart truncation.
// normalizedName leaves only ASCII, so nothing is transliterated. Wrong arguments panic, and templates recover from that.
func slugifiedName(arguments ...any) string {
	maximum, endsWithWord, name := 50, true, ""
	for i, argument := range arguments {
		switch i {
		case len(arguments) - 1:
			name = argument.(string)
		case 0:
			maximum = argument.(int)
		case 1:
			endsWithWord = argument.(bool)
		}
	}
	slug := normalizedName(name)
	if !endsWithWord && len(slug) >= maximum {
		slug = slug[:maximum]
	}
	slug = severalDashes.ReplaceAllString(noSlugCharacter.ReplaceAllString(slug, "-"), "-")
	slug = strings.Trim(slug, "-_")
	if maximum <= 0 || !endsWithWord || len(slug) <= maximum {
		return slug
	}
	if dash := strings.LastIndexByte(slug[:maximum+1], '-'); dash >= 0 {
		return slug[:dash]
	}
	return slug[:maximum]
}
