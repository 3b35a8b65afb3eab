// The checker's result for the planner: the tree with resolved names, and the type and reference of every node.
import type { Ast } from '../syntax/ast.ts';
import type { Value } from '../value/value.ts';
import type { Type } from './type.ts';

/** cel-go `ast.ReferenceInfo`: the meaning of an identifier or a call. */
export interface Reference {
  /** Qualified name of a variable, constant or type; empty for function calls. */
  readonly name: string;
  /** Overloads that fit the argument types, in declaration order; several if an argument is `dyn`. Empty for identifiers. */
  readonly overloadIds: readonly string[];
  /** Set for constants and type names. */
  readonly value?: Value;
}

/**
 * The parsed tree with the checker's results, as in cel-go. `a.b.c` that names a variable, constant or type is one
 * `ident` node (with id and location of the selection). Calls have the qualified function name, and namespaced
 * functions (`sets.contains(x, y)`) have no target. Struct literals have the qualified type name.
 */
export interface CheckedAst extends Ast {
  readonly outputType: Type;
  /** By node id. Contains no type parameters: unbound ones are `dyn`. */
  readonly types: ReadonlyMap<number, Type>;
  /** By node id. */
  readonly references: ReadonlyMap<number, Reference>;
}
