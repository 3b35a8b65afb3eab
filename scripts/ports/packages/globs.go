package main

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	wildcard "github.com/IGLOU-EU/go-wildcard"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/fluxcd/pkg/envsubst"
	"github.com/fluxcd/pkg/sourceignore"
	"github.com/gobwas/glob"
	"github.com/valyala/fasttemplate"
	"preadmit.ports/protocol"
)

// globs answers patterns and substitutions of Flux, Argo CD and Kyverno.
var globs = protocol.Port{
	"argo.glob": func(call protocol.Call) any {
		compiled, err := glob.Compile(call.Text(0))
		if err != nil {
			return map[string]any{"value": "invalid"}
		}
		return map[string]any{"value": compiled.Match(call.Text(1))}
	},
	"argo.path": matched(path.Match),
	// As `Glob`, which first validates the whole pattern.
	"argo.doublestar": matched(func(pattern, name string) (bool, error) {
		if !doublestar.ValidatePattern(pattern) {
			return false, doublestar.ErrBadPattern
		}
		return doublestar.Match(pattern, name)
	}),
	"argo.template": template,
	"flux.envsubst": func(call protocol.Call) any {
		var variables map[string]string
		call.Read(1, &variables)
		text, err := envsubst.Eval(call.Text(0), func(name string) (string, bool) { return variables[name], true })
		return protocol.Answered(text, err)
	},
	"flux.source-ignore": sourceIgnore,
	"kyverno.wildcard": func(call protocol.Call) any {
		return map[string]any{"value": wildcard.Match(call.Text(0), call.Text(1))}
	},
}

func matched(match func(pattern, name string) (bool, error)) func(protocol.Call) any {
	return func(call protocol.Call) any {
		found, err := match(call.Text(0), call.Text(1))
		if err != nil {
			return map[string]any{"value": "invalid"}
		}
		return map[string]any{"value": found}
	}
}

var isTemplated = regexp.MustCompile(".*{{.*}}.*")

// template is `Render.Replace` of `applicationset/utils/utils.go` without Go templates.
func template(call protocol.Call) any {
	text := call.Text(0)
	var parameters map[string]any
	call.Read(1, &parameters)
	if !isTemplated.MatchString(text) {
		return map[string]any{"value": text}
	}
	compiled, err := fasttemplate.NewTemplate(text, "{{", "}}")
	if err != nil {
		return protocol.Failed(fmt.Errorf("invalid template: %w", err))
	}
	return map[string]any{"value": compiled.ExecuteFuncString(func(w io.Writer, tag string) (int, error) {
		value, ok := parameters[strings.TrimSpace(tag)].(string)
		if len(strings.TrimSpace(tag)) == 0 || !ok {
			return fmt.Fprintf(w, "{{%s}}", tag)
		}
		return w.Write([]byte(value))
	})}
}

// sourceIgnore is `SourceIgnoreFilter` of source-controller. Arguments: the text of a `.sourceignore` by folder, `spec.ignore` or null, the path.
func sourceIgnore(call protocol.Call) any {
	var files []struct{ Folder, Text string }
	call.Read(0, &files)
	var own *string
	call.Read(1, &own)
	names := func(folder string) []string {
		if folder == "" {
			return nil
		}
		return strings.Split(folder, "/")
	}
	patterns := sourceignore.ReadPatterns(strings.NewReader(""), nil)
	for _, file := range files {
		patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(file.Text), names(file.Folder))...)
	}
	if own != nil {
		patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(*own), nil)...)
	}
	matcher := sourceignore.NewDefaultMatcher(patterns, nil)
	if len(patterns) > 0 {
		matcher = sourceignore.NewMatcher(append(sourceignore.VCSPatterns(nil), patterns...))
	}
	return map[string]any{"value": matcher.Match(strings.Split(call.Text(2), "/"), false)}
}
