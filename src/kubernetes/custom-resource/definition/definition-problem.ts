// An error for which the server refuses a definition.
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { RuleSlip } from '../rule/compiled-rule.ts';

export interface DefinitionProblem {
  /** From the definition's root. */
  readonly path: FieldPath;
  readonly message: string;
  /** Set for a rule that does not compile. */
  readonly slip?: RuleSlip;
}
