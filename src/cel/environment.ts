// An environment: the libraries, variables and types that expressions can refer to. Parses and checks expressions against them.
import type { AstValidator } from './check/ast-validator.ts';
import type { CheckedAst } from './check/checked-ast.ts';
import { check } from './check/checker.ts';
import type { Declarations, DeclaredFunction, DeclaredIdentifier } from './check/declarations.ts';
import { FunctionTable } from './check/function-table.ts';
import { type Type, typeTypeOf } from './check/type.ts';
import type { TypeProvider } from './check/type-provider.ts';
import { TypeProviders } from './check/type-providers.ts';
import { runValidators } from './check/validators.ts';
import { WELL_KNOWN_TYPES } from './check/well-known-types.ts';
import type { FunctionDeclaration, Library } from './declaration/library.ts';
import type { Issue } from './issue/issue.ts';
import { DEFAULT_LIMITS, type ParserLimits } from './syntax/limits.ts';
import { type MacroTable, macroTable } from './syntax/macro-table.ts';
import { type Parsed, parse } from './syntax/parser.ts';

export interface Variable {
  readonly name: string;
  readonly type: Type;
}

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  readonly variables?: readonly Variable[];
  /** Asked in order; the first that knows a name wins. Those of the libraries are asked last. */
  readonly types?: readonly TypeProvider[];
  /** Run in order on every expression that type-checks. */
  readonly validators?: readonly AstValidator[];
  /** Elements of list and map literals must be of one type, else `dyn` is deduced (cel-go `HomogeneousAggregateLiterals`). */
  readonly homogeneousAggregateLiterals?: boolean;
  /** `1 < 1.5` (cel-go `CrossTypeNumericComparisons`). */
  readonly crossTypeNumericComparisons?: boolean;
  /** `a.?b`, `a[?b]`, `[?a]`, `{?a: b}` (set by cel-go's `OptionalTypes`). */
  readonly optionalSyntax?: boolean;
  /** Field names in backquotes (cel-go `EnableIdentifierEscapeSyntax`); on in Kubernetes from 1.37. */
  readonly escapedIdentifiers?: boolean;
  /** A field named like a CEL keyword may be written plainly though it is declared as `__keyword__`. */
  readonly keywordFieldNames?: boolean;
  /** Names are looked for in this package and those around it first (cel-go `Container`); Kubernetes has none. */
  readonly container?: string;
  readonly limits?: ParserLimits;
}

export interface Extension {
  readonly libraries?: readonly Library[];
  readonly variables?: readonly Variable[];
  /** Asked before those of the environment that is extended. */
  readonly types?: readonly TypeProvider[];
  readonly validators?: readonly AstValidator[];
}

export interface Compiled {
  /** Undefined when there are issues. */
  readonly ast: CheckedAst | undefined;
  /** In the order they were found; `displayIssues` sorts them. */
  readonly issues: readonly Issue[];
}

/**
 * Immutable; extending is cheap. A static estimate of an expression's cost (cel-go `checker.Cost`) would be one more question
 * to ask of it, answered from the `CheckedAst` and the functions found here.
 */
export class Environment implements Declarations {
  /** All type providers as one. */
  readonly types: TypeProvider;
  readonly homogeneousAggregateLiterals: boolean;
  readonly crossTypeNumericComparisons: boolean;
  readonly keywordFieldNames: boolean;
  readonly container: string;
  readonly #options: EnvironmentOptions;
  readonly #functions: FunctionTable;
  readonly #macros: MacroTable;
  readonly #variables: ReadonlyMap<string, Type>;

  constructor(options: EnvironmentOptions, base?: Environment) {
    const { libraries, types = [], variables = [] } = options;
    this.#options = options;
    this.homogeneousAggregateLiterals = options.homogeneousAggregateLiterals ?? false;
    this.crossTypeNumericComparisons = options.crossTypeNumericComparisons ?? false;
    this.keywordFieldNames = options.keywordFieldNames ?? false;
    this.container = options.container ?? '';
    const libraryTypes = libraries.flatMap((library) => library.types ?? []);
    this.types = new TypeProviders([...types, ...libraryTypes, WELL_KNOWN_TYPES]);
    this.#variables = new Map(variables.map((variable) => [variable.name, variable.type]));
    const sameLibraries = base !== undefined && base.#options.libraries === libraries;
    this.#functions = sameLibraries ? base.#functions : new FunctionTable(libraries, this.types);
    this.#macros = sameLibraries ? base.#macros : macroTable(libraries.flatMap((library) => library.macros ?? []));
  }

  /** Later declarations hide earlier ones of the same name; overloads of a function add up. */
  extend(extension: Extension): Environment {
    const { libraries, types = [], variables = [], validators = [] } = this.#options;
    const options: EnvironmentOptions = {
      ...this.#options,
      libraries: extension.libraries ? [...libraries, ...extension.libraries] : libraries,
      types: extension.types ? [...extension.types, ...types] : types,
      variables: extension.variables ? [...variables, ...extension.variables] : variables,
      validators: extension.validators ? [...validators, ...extension.validators] : validators,
    };
    return new Environment(options, this);
  }

  parse(text: string): Parsed {
    const { optionalSyntax = false, escapedIdentifiers = false, limits = DEFAULT_LIMITS } = this.#options;
    return parse(text, { macros: this.#macros, optionalSyntax, escapedIdentifiers, limits });
  }

  /** Parses, type-checks and runs the validators; each stage only if the one before found nothing wrong. */
  compile(text: string): Compiled {
    const parsed = this.parse(text);
    if (parsed.ast === undefined) return { ast: undefined, issues: parsed.issues };
    const { ast, issues } = check(parsed.ast, this);
    if (issues.length > 0) return { ast: undefined, issues };
    const invalid = runValidators(ast, this.#options.validators ?? []);
    return invalid.length > 0 ? { ast: undefined, issues: invalid } : { ast, issues: [] };
  }

  /** The declaration with the overloads of all libraries, in order; undefined if there is no such function. */
  findFunction(name: string): FunctionDeclaration | undefined {
    return this.#functions.declaration(name);
  }

  /** Of functions that are called by their names, and of macros; operators are left out. */
  callNames(): readonly string[] {
    return [...this.#functions.names(), ...this.#macros.keys()].filter((name) => /^[A-Za-z][\w.]*$/.test(name));
  }

  variableNames(): readonly string[] {
    return [...this.#variables.keys()];
  }

  findVariable(name: string): Type | undefined {
    return this.#variables.get(name);
  }

  declaredFunction(name: string): DeclaredFunction | undefined {
    return this.#functions.find(name);
  }

  declaredIdentifier(name: string): DeclaredIdentifier | undefined {
    const variable = this.#variables.get(name);
    if (variable !== undefined) return { name, type: variable };
    const struct = this.types.findStruct(name);
    const found = this.types.findIdentifier?.(name);
    // Only some providers of structs have values for their names; the others fail when the program is made.
    return struct === undefined ? found && { name, ...found } : { ...found, name, type: typeTypeOf(struct) };
  }
}
