// External data for Kyverno's CEL functions: a cluster, registries, other services, the clock.
import type { Timestamp } from '../../../cel/value/scalar.ts';
import type { ErrorValue, Value } from '../../../cel/value/value.ts';
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import type { ObservedExpression } from '../../explanation/explanation.ts';
import type { CelProgram } from './program-compiler.ts';

/** Each function throws `Undecided` if its result is unknown. */
export interface CelSources {
  /** Budget for every expression. Absent: no limit. */
  readonly work?: RunBudget;
  /** Undefined if the object does not exist. `resource` is a plural. */
  readonly resource: (
    apiVersion: string,
    resource: string,
    namespace: string,
    name: string,
  ) => JsonObject | undefined | ErrorValue;
  readonly resources: (
    apiVersion: string,
    resource: string,
    namespace: string,
    labels: ReadonlyMap<string, string> | undefined,
  ) => readonly JsonObject[] | ErrorValue;
  readonly resourceOfKind: (apiVersion: string, kind: string) => string | ErrorValue;
  readonly imageData: (image: string) => JsonObject | ErrorValue;
  /** `projection` is empty for the whole entry. */
  readonly globalReference: (name: string, projection: string) => JsonValue | ErrorValue;
  readonly http: (method: 'GET' | 'POST', url: string) => JsonValue | ErrorValue;
  readonly now: () => Timestamp;
  /** For values that Kyverno generates: random text, compressed bytes. */
  readonly unforeseeable: (what: string) => never;
  /** Called for every condition, validation and mutation that runs. Absent: no explanation is needed. */
  readonly watch?: ExpressionWatch;
  /** Verification of the current policy's images, if it verifies any. */
  readonly verification?: ImageVerification;
}

/** Evaluates the expression and returns its value. `run` evaluates it with tracing. */
export type ExpressionWatch = (program: CelProgram, run: () => ObservedExpression) => Value;

export interface ImageVerification {
  readonly attestations: ReadonlySet<string>;
  readonly matches: (image: string) => boolean | ErrorValue;
  /** Throws: only a registry knows the image's signatures. */
  readonly ask: (image: string) => never;
}
