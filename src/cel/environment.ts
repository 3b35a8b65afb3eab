// An environment: the libraries, variables and types that expressions can refer to. Parses and checks expressions against them.
import type { AstValidator } from './check/ast-validator.ts';
import type { CheckedAst } from './check/checked-ast.ts';
import type { Type } from './check/type.ts';
import type { TypeProvider } from './check/type-provider.ts';
import type { Issue } from './issue.ts';
import type { FunctionDeclaration, Library } from './library.ts';
import type { Ast } from './syntax/ast.ts';

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
  /** Field names in backquotes (cel-go `EnableIdentifierEscapeSyntax`); never on in Kubernetes. */
  readonly escapedIdentifiers?: boolean;
  /** A field named like a CEL keyword may be written plainly though it is declared as `__keyword__`. */
  readonly keywordFieldNames?: boolean;
}

export interface Extension {
  readonly libraries?: readonly Library[];
  readonly variables?: readonly Variable[];
  /** Asked before those of the environment that is extended. */
  readonly types?: readonly TypeProvider[];
  readonly validators?: readonly AstValidator[];
}

export interface Parsed {
  /** Undefined when there are issues. */
  readonly ast: Ast | undefined;
  readonly issues: readonly Issue[];
}

export interface Compiled {
  /** Undefined when there are issues. */
  readonly ast: CheckedAst | undefined;
  /** In the order they were found; `displayIssues` sorts them. */
  readonly issues: readonly Issue[];
}

/** Immutable; extending is cheap. */
export declare class Environment {
  constructor(options: EnvironmentOptions);
  /** Later declarations hide earlier ones of the same name; overloads of a function add up. */
  extend(extension: Extension): Environment;
  parse(text: string): Parsed;
  /** Parses, type-checks and runs the validators; each stage only if the one before found nothing wrong. */
  compile(text: string): Compiled;
  /** The declaration with the overloads of all libraries, in order; undefined if there is no such function. */
  findFunction(name: string): FunctionDeclaration | undefined;
  findVariable(name: string): Type | undefined;
  /** All type providers as one. */
  readonly types: TypeProvider;
}
