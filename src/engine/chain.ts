// What happens to one change on its way through the API server: the stages in the server's order, one line each.
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { AdmissionRequest } from '../kubernetes/request/admission-request.ts';
import type { Evaluation } from '../policy/evaluation/evaluation.ts';
import type { AdmissionOutcome, LoadedPolicies, MutationOutcome } from '../policy/language/policy-language.ts';
import type { PolicyWrites } from '../policy/mutation/policy-writes.ts';
import type { ConvertedObject, MutatedObject } from './admission-object.ts';
import type { ObjectChange } from './object-request.ts';
import type { Unevaluated } from './target.ts';

/** An object that policies changed, or a request that they refused. */
export interface MutatedPassage extends MutatedObject {
  readonly outcomes: ReadonlyMap<LoadedPolicies, MutationOutcome>;
  readonly isRejected: boolean;
  /** What policies make of the manifest; worked out when it is first asked for. */
  writes(): PolicyWrites | undefined;
  /** The object as it was before. */
  readonly before: ConvertedObject;
}

/** What a change has become so far. Every stage adds to it; one that ends the way says why. */
export interface Passage {
  readonly change: ObjectChange;
  readonly converted: ConvertedObject | undefined;
  /** What became of the object on its way through mutating policies; undefined where none can change it. */
  readonly mutated: MutatedPassage | undefined;
  /** True if the server would refuse the decoded object. */
  readonly isRefused: boolean;
  readonly request: AdmissionRequest | undefined;
  readonly outcomes: readonly AdmissionOutcome[] | undefined;
  /** What policies would have denied of the object as it was before others changed it. */
  readonly mutatedAway: readonly Evaluation[] | undefined;
  /** What the server would say of the object itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why no policy is asked; undefined as long as the change is on its way. */
  readonly ending: Pick<Unevaluated, 'reason' | 'detail'> | undefined;
}

/** The work of the stages, done by whoever knows the cluster and the policies (`TargetEvaluator`). */
export interface ChainStages {
  /** The resource that the kind is served as. */
  findResource(passage: Passage): Passage;
  /** From the manifest to the object in memory: typed decoding, defaults, in-tree mutating admission. */
  decode(passage: Passage): Passage;
  /** What mutating policies make of the object; further stages have that one. */
  mutate(passage: Passage): Passage;
  /** What the server holds against the object between mutating and validating admission. */
  validateObject(passage: Passage): Passage;
  /** Objects that are refused or hold placeholders go no further. */
  refuse(passage: Passage): Passage;
  /** The request as policies see it, with what is stored beside it. */
  request(passage: Passage): Passage;
  /** All policy languages, in the order in which the server asks them. */
  askPolicies(passage: Passage): Passage;
}

/** kube-apiserver's `create.go`, `update.go` and `delete.go` with the default admission plugins. */
const CHAIN: readonly (keyof ChainStages)[] = [
  'findResource',
  'decode',
  'mutate',
  'validateObject',
  'refuse',
  'request',
  'askPolicies',
];

/** Takes a change through the stages up to the one that ends its way. */
export function passThrough(change: ObjectChange, stages: ChainStages): Passage {
  // All fields from the start, so that passages of all stages have one shape.
  let passage: Passage = {
    change,
    converted: undefined,
    mutated: undefined,
    isRefused: false,
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
