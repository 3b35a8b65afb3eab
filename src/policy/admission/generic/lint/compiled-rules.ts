// The compiled form of a policy that lint rules need, for both kinds of policies.
import type { AdmissionEnvironments } from '../../../../kubernetes/cel/admission-environment.ts';
import type { ExpressionMode } from '../../../../kubernetes/cel/environment.ts';
import type { CompiledVariables } from '../../../expression/variables.ts';
import type { PlacedExpression } from '../admission-policy.ts';

export interface CompiledRules {
  readonly variables: CompiledVariables;
  /** All expressions, compiled as on creation. */
  readonly expressions: readonly PlacedExpression[];
  /** The same expressions, compiled for another server. */
  compileFor(mode: ExpressionMode, environments: AdmissionEnvironments): readonly PlacedExpression[];
}
