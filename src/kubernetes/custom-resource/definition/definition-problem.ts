// Something the server refuses a definition for.
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { RuleSlip } from '../rule/compiled-rule.ts';

export interface DefinitionProblem {
  /** From the definition's root. */
  readonly path: FieldPath;
  readonly message: string;
  /** Of a rule that does not compile. */
  readonly slip?: RuleSlip;
}
