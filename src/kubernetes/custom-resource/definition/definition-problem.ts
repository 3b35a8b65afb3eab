// Something the server refuses a definition for.
import type { FieldPath } from '../../../source/field-path.ts';

export interface DefinitionProblem {
  /** From the definition's root. */
  readonly path: FieldPath;
  readonly message: string;
}
