// What Kyverno's CEL functions ask of the world: a cluster, registries, other services, the clock.
import type { Timestamp } from '../../../cel/value/scalar.ts';
import type { ErrorValue, Value } from '../../../cel/value/value.ts';
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import type { ObservedExpression } from '../../explanation/explanation.ts';
import type { CelProgram } from './program-compiler.ts';

/** Each throws `Undecided` for what is not known. */
export interface CelSources {
  /** Pays for every expression; absent where nobody counts. */
  readonly work?: RunBudget;
  /** Undefined if there is no such object. `resource` is a plural. */
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
  /** The plural of a kind. */
  readonly resourceOfKind: (apiVersion: string, kind: string) => string | ErrorValue;
  readonly imageData: (image: string) => JsonObject | ErrorValue;
  /** `projection` is empty where none is asked for. */
  readonly globalReference: (name: string, projection: string) => JsonValue | ErrorValue;
  readonly http: (method: 'GET' | 'POST', url: string) => JsonValue | ErrorValue;
  readonly now: () => Timestamp;
  /** What Kyverno makes up: random text, compressed bytes. */
  readonly unforeseeable: (what: string) => never;
  /** Told of every condition, validation and mutation that runs; absent where nobody asks how the answer comes about. */
  readonly watch?: ExpressionWatch;
  /** Of the policy that is asked, where it verifies images. */
  readonly verification?: ImageVerification;
}

/** Runs the expression and gives its value; `run` records everything. */
export type ExpressionWatch = (program: CelProgram, run: () => ObservedExpression) => Value;

export interface ImageVerification {
  /** Names of the policy's attestations. */
  readonly attestations: ReadonlySet<string>;
  /** Is the policy about the image? */
  readonly matches: (image: string) => boolean | ErrorValue;
  /** Only a registry knows how the image is signed. */
  readonly ask: (image: string) => never;
}
