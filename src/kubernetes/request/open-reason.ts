// Why the repository does not contain the value of a field, in words.
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';

export interface OpenReason {
  /** Completes "depends on …". */
  readonly depends: string;
  /** The value that the file names for the case that no other exists. */
  readonly byDefault: string | undefined;
}

/** Completes "depends on …". `fails`: the rule fails with the default, or with the values that stand in for open fields. */
export function openReasonText(path: FieldPath, reason: OpenReason | undefined, fails: boolean): string {
  if (reason === undefined) return `${formatFieldPath(path)}, which only the server knows`;
  const { depends, byDefault } = reason;
  return fails && byDefault !== undefined ? `${depends} (fails with the default ${byDefault})` : depends;
}
