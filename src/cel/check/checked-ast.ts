// What the checker hands to the planner: the tree with names resolved, a type for every node and what each name means.
import type { Ast } from '../syntax/ast.ts';
import type { Value } from '../value/value.ts';
import type { Type } from './type.ts';

/** cel-go `ast.ReferenceInfo`: what an identifier or a call was found to mean. */
export interface Reference {
  /** Qualified name of a variable, constant or type; empty for function calls. */
  readonly name: string;
  /** Overloads that fit the argument types, in declaration order; more than one when an argument is `dyn`. Empty for identifiers. */
  readonly overloadIds: readonly string[];
  /** Set for constants and type names. */
  readonly value?: Value;
}

/**
 * The tree is the parsed one with the checker's findings written in, as cel-go does: `a.b.c` that names a variable, constant or
 * type is one `ident` node (id and place of the selection); calls bear the qualified function name, and namespaced functions
 * (`sets.contains(x, y)`) have no target; struct literals bear the qualified type name.
 */
export interface CheckedAst extends Ast {
  readonly outputType: Type;
  /** By node id. No type parameter is left: those that nothing bound are `dyn`. */
  readonly types: ReadonlyMap<number, Type>;
  /** By node id. */
  readonly references: ReadonlyMap<number, Reference>;
}
