// A compiled policy as remarks about it need it, whatever its language.
import type { AdmissionEnvironments } from '../../../../kubernetes/cel/admission-environment.ts';
import type { ExpressionMode } from '../../../../kubernetes/cel/environment.ts';
import type { CompiledVariables } from '../../../expression/variables.ts';
import type { PlacedExpression } from '../admission-policy.ts';

export interface CompiledRules {
  readonly variables: CompiledVariables;
  /** Every expression, as it compiles on creation. */
  readonly expressions: readonly PlacedExpression[];
  /** The same expressions as another server compiles them. */
  compileFor(mode: ExpressionMode, environments: AdmissionEnvironments): readonly PlacedExpression[];
}
