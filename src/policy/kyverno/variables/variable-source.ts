// What variables are resolved with: the context of a request, or the stand-in with which policies are validated.
import type { JsonValue } from '../../../source/json/json.ts';
import type { VariableError } from './variable-error.ts';
import type { WrittenVariable } from './written-variables.ts';

export interface VariableSource {
  /** The value of a JMESPath query. */
  query(text: string): JsonValue | VariableError;
  /** Variables of a text that comes again and again; absent where nobody keeps them. */
  variablesIn?(text: string): readonly WrittenVariable[];
  /** `CREATE`, `UPDATE`, `DELETE`, `CONNECT`; empty if not known. */
  readonly operation: string;
}
