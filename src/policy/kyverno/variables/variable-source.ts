// Resolves variables: the context of a request, or a stub for policy validation.
import type { JsonValue } from '../../../source/json/json.ts';
import type { VariableError } from './variable-error.ts';
import type { WrittenVariable } from './written-variables.ts';

export interface VariableSource {
  query(text: string): JsonValue | VariableError;
  /** Cached variables of a text. Absent: no cache. */
  variablesIn?(text: string): readonly WrittenVariable[];
  /** `CREATE`, `UPDATE`, `DELETE`, `CONNECT`. Empty if unknown. */
  readonly operation: string;
}
