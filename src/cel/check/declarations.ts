// The part of an environment that the checker uses.
import type { Value } from '../value/value.ts';
import type { Signature } from './signature.ts';
import type { Type } from './type.ts';
import type { TypeProvider } from './type-provider.ts';

export interface DeclaredOverload extends Signature {
  readonly id: string;
}

export interface DeclaredFunction {
  readonly name: string;
  readonly overloads: readonly DeclaredOverload[];
}

export interface DeclaredIdentifier {
  readonly name: string;
  readonly type: Type;
  /** For constants and type names. */
  readonly value?: Value;
}

export interface Declarations {
  readonly types: TypeProvider;
  readonly homogeneousAggregateLiterals: boolean;
  readonly crossTypeNumericComparisons: boolean;
  readonly keywordFieldNames: boolean;
  readonly container: string;
  /** `name` is qualified and has no leading dot. */
  declaredFunction(name: string): DeclaredFunction | undefined;
  /** Looks for variables first, then types and constants. */
  declaredIdentifier(name: string): DeclaredIdentifier | undefined;
}
