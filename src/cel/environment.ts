// An environment: libraries, variables and types for expressions. Parses and checks expressions.
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
  /** Queried in order before those of the libraries; the first that knows a name wins. */
  readonly types?: readonly TypeProvider[];
  /** Run in order on every expression that type-checks. */
  readonly validators?: readonly AstValidator[];
  /**
   * Requires one type for the elements of list and map literals; otherwise mixed literals are `dyn` (cel-go
   * `HomogeneousAggregateLiterals`).
   */
  readonly homogeneousAggregateLiterals?: boolean;
  /** Permits e.g. `1 < 1.5` (cel-go `CrossTypeNumericComparisons`). */
  readonly crossTypeNumericComparisons?: boolean;
  /** Permits `a.?b`, `a[?b]`, `[?a]`, `{?a: b}` (set by cel-go's `OptionalTypes`). */
  readonly optionalSyntax?: boolean;
  /** Permits field names in backquotes (cel-go `EnableIdentifierEscapeSyntax`); enabled in Kubernetes from 1.37. */
  readonly escapedIdentifiers?: boolean;
  /** A field named like a CEL keyword may be written without escaping although it is declared as `__keyword__`. */
  readonly keywordFieldNames?: boolean;
  /** Names are resolved in this package and its parents first (cel-go `Container`); Kubernetes uses none. */
  readonly container?: string;
  readonly limits?: ParserLimits;
}

export interface Extension {
  readonly libraries?: readonly Library[];
  readonly variables?: readonly Variable[];
  /** Queried before those of the extended environment. */
  readonly types?: readonly TypeProvider[];
  readonly validators?: readonly AstValidator[];
}

export interface Compiled {
  /** Undefined if there are issues. */
  readonly ast: CheckedAst | undefined;
  /** In the order of detection; `displayIssues` sorts them. */
  readonly issues: readonly Issue[];
}

/**
 * Immutable; extending is cheap. A static cost estimate (cel-go `checker.Cost`) needs only the `CheckedAst` and the
 * functions of this object.
 */
export class Environment implements Declarations {
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

  /** A later declaration hides an earlier one of the same name; overloads of a function accumulate. */
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

  /** Parses, type-checks and runs the validators. Each stage runs only if the previous one found no issues. */
  compile(text: string): Compiled {
    const parsed = this.parse(text);
    if (parsed.ast === undefined) return { ast: undefined, issues: parsed.issues };
    const { ast, issues } = check(parsed.ast, this);
    if (issues.length > 0) return { ast: undefined, issues };
    const invalid = runValidators(ast, this.#options.validators ?? []);
    return invalid.length > 0 ? { ast: undefined, issues: invalid } : { ast, issues: [] };
  }

  /** The declaration with the overloads of all libraries, in order; undefined for an unknown function. */
  findFunction(name: string): FunctionDeclaration | undefined {
    return this.#functions.declaration(name);
  }

  /** Names of functions and macros, without operators. */
  callNames(): readonly string[] {
    return [...this.#functions.names(), ...this.#macros.keys()].filter((name) => /^[A-Za-z][\w.]*$/.test(name));
  }

  /** Names of functions, with operators. */
  functionNames(): readonly string[] {
    return [...this.#functions.names()];
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
    // Only some struct providers have values for type names; for the others, creating the program fails.
    return struct === undefined ? found && { name, ...found } : { ...found, name, type: typeTypeOf(struct) };
  }
}
