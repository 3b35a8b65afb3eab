// The seam between the engine and the policy languages it can speak.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import type { MutationStage } from '../../kubernetes/patch/mutation-stage.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { PolicyExplanation } from '../explanation/explanation.ts';
import type { PolicyExpression } from '../explanation/policy-coverage.ts';
import type { BindingIdentity, PolicyIdentity, ValidationAction } from './policy.ts';
import type { PolicyFacts } from './policy-facts.ts';

export interface PolicyLanguage {
  readonly name: string;
  /** Kinds of the policies and bindings of this language. */
  readonly kinds: readonly string[];
  /** In every text that has an accepted resource, besides its kind; absent where nothing else is in all of them. */
  readonly word?: string;
  /** True for resources this language reads as policies or bindings. */
  accepts(resource: Resource): boolean;
  /** The accepted resources are objects like any other: the server's own validation of them is not this language's. */
  readonly acceptsObjects?: true;
  /** What the accepted ones among a repository's resources may need to know of other resources. */
  references(resources: readonly Resource[]): PolicyReferences;
  /** `resources` are the accepted ones of a target, in repository order. Each policy is compiled once, when it is first needed. */
  load(resources: readonly Resource[], cluster: Cluster): LoadedPolicies;
}

/** Resources besides the objects of requests on which verdicts may rest: each of `objects` in each of `kinds`. */
export interface PolicyReferences {
  /** Of any version: an object of another version is the same object. */
  readonly kinds: readonly Pick<ObjectReference, 'group' | 'kind'>[];
  readonly objects: readonly Pick<ObjectReference, 'name' | 'selector'>[];
  /** True if RBAC objects may decide. */
  readonly asksAuthorizer: boolean;
  /** The same of other kinds: their objects are not meant by the names above, nor those by theirs. */
  readonly others?: readonly Pick<PolicyReferences, 'kinds' | 'objects'>[];
}

export interface ObjectReference {
  readonly group: string;
  readonly kind: string;
  /** Empty: chosen by the selector. */
  readonly name: string;
  /** A LabelSelector as it is written. */
  readonly selector: JsonObject | undefined;
}

export interface LoadedPolicies {
  readonly policies: readonly LoadedPolicy[];
  /** What is wrong with the policies themselves, and how many objects that concerned until now; found out when it is first asked for. */
  readonly diagnostics: readonly Diagnostic[];
  /** Policies that are left out on the whole, one sentence each. */
  readonly unknowns?: readonly string[];
  /** Compiles the policies that such requests can concern; otherwise the first evaluation does. */
  prepare(request: AdmissionRequest): void;
  /** `record` is told every decision as it is made, also of rules that hold. */
  evaluate(request: AdmissionRequest, record?: (decision: RecordedDecision) => void): AdmissionOutcome;
  /**
   * How each policy came to what it says of a request; for those who ask about one object, as every expression runs once more. Languages
   * that only change objects are given the object as it is before, which is in `before` for those that judge it, too. Absent: the
   * language can only tell what it decided.
   */
  explain?(request: AdmissionRequest, before: AdmissionRequest): readonly PolicyExplanation[];
  /** All expressions of the policies that compile, for those who ask which of them ran; compiles them. */
  expressions?(): readonly PolicyExpression[];
  /** Of languages that change objects before any language judges them. */
  readonly mutation?: ObjectMutation;
}

export interface ObjectMutation {
  /** The language judges what was made of objects, too: `evaluate` is asked beside. */
  readonly isFollowedByEvaluation?: true;
  /** False if no policy can concern a request for the resource and operation of this one. */
  concerns(request: AdmissionRequest): boolean;
  /** `request` holds the object as it is before policies change it; its name is empty if the server makes one up. */
  mutate(request: AdmissionRequest, stage: MutationStage): MutationOutcome;
}

export interface MutationOutcome {
  /** The request's own object if nothing was changed or the request is refused. */
  readonly object: JsonObject | null;
  /** In the order in which they were made; those that changed nothing are left out. */
  readonly changes: readonly ObjectChangeByPolicy[];
  /** What is wrong with policies that shows only in what they make of objects; each is told once. */
  readonly remarks: readonly Diagnostic[];
  /** What failed, and the answer if that refuses the request. */
  readonly outcome: AdmissionOutcome;
}

/** What one mutation did to one object. */
export interface ObjectChangeByPolicy {
  readonly policy: PolicyIdentity;
  /** Absent in languages without bindings. */
  readonly binding: BindingIdentity | undefined;
  readonly param: Resource | undefined;
  /** Field of the policy that says what to do. */
  readonly rule: FieldPath;
  /** Policies run once, and some of them again. */
  readonly pass: 1 | 2;
  /** Fields of the object, as it was then. */
  readonly paths: readonly FieldPath[];
  /** The object before, as the mutation left it, and as the server then held it, with its defaults. */
  readonly objects: { readonly before: JsonObject; readonly patched: JsonObject; readonly after: JsonObject };
  /** True if it looked at a Secret that is not its param. */
  readonly readsSecret?: boolean;
}

/** What one rule said about one request, whatever it said. */
export interface RecordedDecision {
  readonly policy: PolicyIdentity;
  readonly binding: BindingIdentity | undefined;
  readonly param: Resource | undefined;
  /** Field of the policy that decided; empty where the language does not say. */
  readonly rule: FieldPath;
  /** Place among the decisions of one policy, binding and param; that of the validation unless an error replaced them all. */
  readonly index: number;
  readonly action: 'admit' | 'deny';
  readonly evaluation: 'admit' | 'deny' | 'error' | 'unknown';
  /** Empty where the policy names none, for errors and for what is admitted. */
  readonly reason: string;
  readonly message: string;
}

export interface LoadedPolicy {
  readonly identity: PolicyIdentity;
  readonly bindings: number;
  /** True if the server refuses the policy: it decides nothing then. Found out when it is first asked for. */
  readonly isRefused?: () => boolean;
  /** For those who look over all policies; costs several compilations. */
  readonly facts?: () => PolicyFacts;
}

/** Everything the policies of one language said about one request, and what the server would answer. */
export interface AdmissionOutcome {
  /** The server never asks this language about such requests. */
  readonly exempt: boolean;
  /** Policies that matched with at least one binding. */
  readonly matched: readonly PolicyIdentity[];
  /** Everything that did not pass, but for what is omitted. */
  readonly evaluations: readonly Evaluation[];
  /** Of very many with action `deny`, those that are only counted. */
  readonly omitted: readonly OmittedEvaluations[];
  /** Number of rules that passed. */
  readonly passed: number;
  readonly denial: Denial | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** What could not be known from the repository, one sentence each. */
  readonly unknowns: readonly string[];
  /** With what policies might act on the request if that were known; absent: what they say does not rest on it. */
  readonly openActions?: readonly ValidationAction[];
  /** Rules that would have failed, and an object of the repository lets the request pass. */
  readonly exceptions?: readonly ExceptionUse[];
}

export interface ExceptionUse {
  /** What the rule says without the exception. */
  readonly evaluation: Evaluation;
  readonly exception: Resource;
  /** Last day on which it holds, as `2027-03-31`; undefined where it has none. */
  readonly until: string | undefined;
}

/** Evaluations of one policy on one request that have all this in common. */
export interface OmittedEvaluations extends Pick<Evaluation, 'policy' | 'result' | 'validationActions'> {
  readonly count: number;
}

/** The Status the server would send; of several denials it sends one, and which is unspecified across policies. */
export interface Denial {
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  /** `Status.details`: what was denied and the inner message. */
  readonly details: { readonly name: string; readonly group: string; readonly kind: string; readonly cause: string };
}
