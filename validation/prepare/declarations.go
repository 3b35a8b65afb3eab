package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func field(text []byte, name string) string {
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return ""
	}
	value, _ := fields[name].(string)
	return value
}

// extract keeps the named functions, types (with their methods), variables and constants of a file.
func extract(file string, names []string) error {
	kept := map[string]bool{}
	found := map[string]bool{}
	for _, name := range names {
		kept[name] = true
	}
	err := rewrite(file, func(declared ast.Decl) ast.Decl {
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			name := declared.Name.Name
			if declared.Recv != nil {
				name = receiver(declared)
			}
			found[name] = true
			if kept[name] {
				return declared
			}
		case *ast.GenDecl:
			var specs []ast.Spec
			for _, spec := range declared.Specs {
				if name := specName(spec); kept[name] {
					found[name] = true
					specs = append(specs, spec)
				}
			}
			if len(specs) > 0 {
				declared.Specs = specs
				return declared
			}
		}
		return nil
	})
	for _, name := range names {
		if err == nil && !found[name] {
			err = fmt.Errorf("%s declares no %s", file, name)
		}
	}
	return err
}

func specName(spec ast.Spec) string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Name.Name
	case *ast.ValueSpec:
		return spec.Names[0].Name
	}
	return ""
}

func receiver(declared *ast.FuncDecl) string {
	of := declared.Recv.List[0].Type
	if star, isPointer := of.(*ast.StarExpr); isPointer {
		of = star.X
	}
	name, _ := of.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

var protobufMethods = map[string]bool{
	"Marshal": true, "MarshalTo": true, "MarshalToSizedBuffer": true, "MarshalToNestedBuffer": true, "Unmarshal": true, "Size": true,
}

// dropProtobuf removes the code of a wire format that the engine never reads or writes: a sixth of the module's size. `String` stays, because
// messages print values.
func dropProtobuf(module string) error {
	return filepath.WalkDir(module, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "generated.pb.go" {
			return err
		}
		return rewrite(file, func(declared ast.Decl) ast.Decl {
			if function, isFunction := declared.(*ast.FuncDecl); isFunction {
				name := function.Name.Name
				isMethod := function.Recv != nil && protobufMethods[name]
				if isMethod || function.Recv == nil && name != "valueToStringGenerated" {
					return nil
				}
				return declared
			}
			if isErrors(declared) {
				return nil
			}
			return declared
		})
	})
}

// isErrors recognizes the block of errors that only reading uses.
func isErrors(declared ast.Decl) bool {
	block, isBlock := declared.(*ast.GenDecl)
	return isBlock && block.Tok == token.VAR && strings.HasPrefix(specName(block.Specs[0]), "ErrInvalidLength")
}

// rewrite replaces each declaration of a file with what `of` returns, nil for nothing, and drops the imports that are then unused.
func rewrite(file string, of func(ast.Decl) ast.Decl) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return err
	}
	var rest []ast.Decl
	for _, declared := range parsed.Decls {
		if block, isBlock := declared.(*ast.GenDecl); isBlock && block.Tok == token.IMPORT {
			continue
		}
		if declared = of(declared); declared != nil {
			rest = append(rest, declared)
		}
	}
	used := map[string]bool{}
	for _, declared := range rest {
		ast.Inspect(declared, func(node ast.Node) bool {
			if selector, isSelector := node.(*ast.SelectorExpr); isSelector {
				if name, isName := selector.X.(*ast.Ident); isName {
					used[name.Name] = true
				}
			}
			return true
		})
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\n", parsed.Name.Name)
	for _, imported := range parsed.Imports {
		if name := importName(imported); name == "_" || used[name] {
			fmt.Fprintf(&out, "import %s %s\n", name, imported.Path.Value)
		}
	}
	for _, declared := range rest {
		out.WriteString("\n")
		if err := format.Node(&out, set, declared); err != nil {
			return err
		}
		out.WriteString("\n")
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

var versionFolder = regexp.MustCompile(`^v\d+$`)

func importName(imported *ast.ImportSpec) string {
	if imported.Name != nil {
		return imported.Name.Name
	}
	value, _ := strconv.Unquote(imported.Path.Value)
	name := path.Base(value)
	if versionFolder.MatchString(name) && strings.Contains(value, ".") && !strings.HasPrefix(value, "k8s.io/") {
		name = path.Base(path.Dir(value))
	}
	return name
}
