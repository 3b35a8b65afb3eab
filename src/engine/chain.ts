// The admission chain of one change: the stages in the API server's order.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { AdmissionRequest } from '../kubernetes/request/admission-request.ts';
import type { Evaluation } from '../policy/evaluation/evaluation.ts';
import type { AdmissionOutcome, LoadedPolicies, MutationOutcome } from '../policy/language/policy-language.ts';
import type { PolicyWrites } from '../policy/mutation/policy-writes.ts';
import type { ConvertedObject, MutatedObject } from './object/admission-object.ts';
import type { ObjectChange } from './object/object-request.ts';
import type { Unevaluated } from './target/target.ts';

/** An object that policies mutated, or a request that mutating policies rejected. */
export interface MutatedPassage extends MutatedObject {
  readonly outcomes: ReadonlyMap<LoadedPolicies, MutationOutcome>;
  readonly isRejected: boolean;
  /** The mutations as edits of the manifest; computed on the first call. */
  writes(): PolicyWrites | undefined;
  /** The object before mutation. */
  readonly before: ConvertedObject;
}

/** State of a change on its way through the chain. Every stage adds to it; `ending` says why the chain stopped early. */
export interface Passage {
  readonly change: ObjectChange;
  readonly converted: ConvertedObject | undefined;
  /** Result of mutating policies; undefined if none can change the object. */
  readonly mutated: MutatedPassage | undefined;
  /** True if the server refuses the decoded object in validation. */
  readonly isRefused: boolean;
  /** What admission plugins answer after the policies. */
  readonly lateRefusals: readonly Diagnostic[];
  readonly request: AdmissionRequest | undefined;
  readonly outcomes: readonly AdmissionOutcome[] | undefined;
  /** Denials of the unmutated object that mutation prevented. */
  readonly mutatedAway: readonly Evaluation[] | undefined;
  /** What the server reports about the object itself, apart from policies. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why the chain stops before validating policies; undefined until a stage stops it. */
  readonly ending: Pick<Unevaluated, 'reason' | 'detail'> | undefined;
}

/** The stages, implemented by `TargetEvaluator`, which holds the cluster and the policies. */
export interface ChainStages {
  /** Finds the API resource that serves the kind. */
  findResource(passage: Passage): Passage;
  /** From the manifest to the object in memory: typed decoding, defaults, in-tree mutating admission. */
  decode(passage: Passage): Passage;
  /** Runs the mutating policies; later stages use the mutated object. */
  mutate(passage: Passage): Passage;
  /** The server's own validation, between mutating and validating admission. */
  validateObject(passage: Passage): Passage;
  /** Stops refused objects and objects with placeholders. */
  refuse(passage: Passage): Passage;
  /** Builds the admission request that policies see, including the stored object. */
  request(passage: Passage): Passage;
  /** Evaluates the policies of all languages, in the server's order. */
  askPolicies(passage: Passage): Passage;
}

/** Follows kube-apiserver's `create.go`, `update.go` and `delete.go` with the default admission plugins. */
const CHAIN: readonly (keyof ChainStages)[] = [
  'findResource',
  'decode',
  'mutate',
  'validateObject',
  'refuse',
  'request',
  'askPolicies',
];

/** Runs the stages in order and stops after the one that sets `ending`. */
export function passThrough(change: ObjectChange, stages: ChainStages): Passage {
  // Set every field at the start, so that all passages share one object shape in the JavaScript engine.
  let passage: Passage = {
    change,
    converted: undefined,
    mutated: undefined,
    isRefused: false,
    lateRefusals: [],
    request: undefined,
    outcomes: undefined,
    mutatedAway: undefined,
    diagnostics: [],
    ending: undefined,
  };
  for (const stage of CHAIN) {
    passage = stages[stage](passage);
    if (passage.ending !== undefined) break;
  }
  return passage;
}
