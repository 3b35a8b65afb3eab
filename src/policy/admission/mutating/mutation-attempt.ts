// What a run of the mutating policies did, for explanations.
import type { GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import type { MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { Invocation } from './invocations.ts';

export type MutationRecorder = (attempt: MutationAttempt) => void;

interface Attempt {
  readonly of: Invocation;
  /** Holds the object at that time, in the version that the policy matches. */
  readonly matched: MatchedRequest;
  /** 2 for a reinvocation. */
  readonly pass: 1 | 2;
  /** The value that decides and that the repository does not contain. Undefined: the result is known. */
  readonly open: string | undefined;
}

export type MutationAttempt = ConditionsAttempt | PatchAttempt;

export interface ConditionsAttempt extends Attempt {
  readonly list: 'matchConditions';
}

export interface PatchAttempt extends Attempt {
  readonly list: 'mutations';
  /** Index in `spec.mutations`. */
  readonly index: number;
  readonly end: MutationEnd;
}

export type MutationEnd =
  /** `paths` is empty if the mutation changed nothing. */
  | { readonly before: JsonObject; readonly after: JsonObject; readonly paths: readonly FieldPath[] }
  /** The server's message. `isIgnorable`: failurePolicy applies. */
  | { readonly error: string; readonly isIgnorable: boolean }
  /** The repository has no schema for the kind, so the effect is unknown. */
  | { readonly unknownKind: GroupVersionKind };
