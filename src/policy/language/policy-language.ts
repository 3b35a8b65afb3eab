// Interface between the engine and the policy languages.
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
  readonly kinds: readonly string[];
  /** A word that every file with an accepted resource contains, besides the kind. Absent: there is none. */
  readonly word?: string;
  /** True for resources that this language loads as policies or bindings. */
  accepts(resource: Resource): boolean;
  /**
   * True if accepted resources are also ordinary objects. The server's own validation then applies to them, and this
   * language adds none.
   */
  readonly acceptsObjects?: true;
  /** Other resources that the accepted ones may depend on. */
  references(resources: readonly Resource[]): PolicyReferences;
  /** `resources`: the target's accepted resources, in repository order. Policies compile once, on first use. */
  load(resources: readonly Resource[], cluster: Cluster): LoadedPolicies;
}

/** Resources besides the requests' objects that verdicts may depend on: each of `objects` in each of `kinds`. */
export interface PolicyReferences {
  /** Without versions: all versions refer to the same object. */
  readonly kinds: readonly Pick<ObjectReference, 'group' | 'kind'>[];
  readonly objects: readonly Pick<ObjectReference, 'name' | 'selector'>[];
  /** True if RBAC objects may affect the result. */
  readonly asksAuthorizer: boolean;
  /** Further independent sets. The names of one set do not apply to the kinds of another. */
  readonly others?: readonly Pick<PolicyReferences, 'kinds' | 'objects'>[];
}

export interface ObjectReference {
  readonly group: string;
  readonly kind: string;
  /** Empty: selected by the selector. */
  readonly name: string;
  /** A LabelSelector as written. */
  readonly selector: JsonObject | undefined;
}

export interface LoadedPolicies {
  readonly policies: readonly LoadedPolicy[];
  /** Problems of the policies themselves, with the number of objects affected so far. Computed on first access. */
  readonly diagnostics: readonly Diagnostic[];
  /** Sentences about policies that are not evaluated at all, one per policy. */
  readonly unknowns?: readonly string[];
  /** Compiles the policies that may match this request. Otherwise the first evaluation compiles them. */
  prepare(request: AdmissionRequest): void;
  /** Calls `record` for every decision, including rules that pass. */
  evaluate(request: AdmissionRequest, record?: (decision: RecordedDecision) => void): AdmissionOutcome;
  /**
   * How each policy reaches its result for a request. Evaluates every expression again, so call it for single objects
   * only. Languages that only mutate receive the object before mutation; languages that also validate receive it as
   * `before`. Absent: the language reports decisions only.
   */
  explain?(request: AdmissionRequest, before: AdmissionRequest): readonly PolicyExplanation[];
  /** All expressions of the policies that compile, for coverage. Compiles them. */
  expressions?(): readonly PolicyExpression[];
  /** Present in languages that mutate objects before validation. */
  readonly mutation?: ObjectMutation;
}

export interface ObjectMutation {
  /** The language also validates the mutated objects, through `evaluate`. */
  readonly isFollowedByEvaluation?: true;
  /** False if no policy can match a request with this resource and operation. */
  concerns(request: AdmissionRequest): boolean;
  /** `request` holds the object before any policy changes it. Its name is empty if the server generates one. */
  mutate(request: AdmissionRequest, stage: MutationStage): MutationOutcome;
  /** As `mutate`, and explains what each policy did to the object as it found it. Absent: `explain` covers mutations. */
  observe?(request: AdmissionRequest, stage: MutationStage): ObservedMutation;
}

export interface ObservedMutation extends MutationOutcome {
  readonly explanations: readonly PolicyExplanation[];
}

export interface MutationOutcome {
  /** The original object if nothing changed or the request is rejected. */
  readonly object: JsonObject | null;
  /** In the order of application, without mutations that changed nothing. */
  readonly changes: readonly ObjectChangeByPolicy[];
  /** Problems of policies that show only in mutated objects. Each is reported once. */
  readonly remarks: readonly Diagnostic[];
  /** Failures, and the denial if they reject the request. */
  readonly outcome: AdmissionOutcome;
}

export interface ObjectChangeByPolicy {
  readonly policy: PolicyIdentity;
  /** Absent in languages without bindings. */
  readonly binding: BindingIdentity | undefined;
  readonly param: Resource | undefined;
  /** Field of the policy that defines the mutation. */
  readonly rule: FieldPath;
  /** 2 for a reinvocation. */
  readonly pass: 1 | 2;
  /** Changed fields, as paths into the object at that time. */
  readonly paths: readonly FieldPath[];
  /** The object before the mutation, after it, and after the server's defaulting. */
  readonly objects: { readonly before: JsonObject; readonly patched: JsonObject; readonly after: JsonObject };
  /** True if the mutation read a Secret other than its param. */
  readonly readsSecret?: boolean;
}

/** The result of one rule for one request, pass or not. */
export interface RecordedDecision {
  readonly policy: PolicyIdentity;
  readonly binding: BindingIdentity | undefined;
  readonly param: Resource | undefined;
  /** Field of the policy that decided. Empty when the language does not report it. */
  readonly rule: FieldPath;
  /** Index among the decisions of one policy, binding and param: the validation's index, unless one error replaced all of them. */
  readonly index: number;
  readonly action: 'admit' | 'deny';
  readonly evaluation: 'admit' | 'deny' | 'error' | 'unknown';
  /** Empty for errors, for passes, and when the policy sets none. */
  readonly reason: string;
  readonly message: string;
  /** As in `Evaluation`; absent: nothing. */
  readonly missing?: readonly string[];
}

export interface LoadedPolicy {
  readonly identity: PolicyIdentity;
  readonly bindings: number;
  /** True if a violation is only warned about or audited, for every object. Absent: it may be denied. */
  readonly neverDenies?: boolean;
  /** True if the server rejects the policy, which then never applies. Computed on first call. */
  readonly isRefused?: () => boolean;
  /** For the overview of all policies. Expensive: compiles several times. */
  readonly facts?: () => PolicyFacts;
}

/** All results of one language's policies for one request, with the server's answer. */
export interface AdmissionOutcome {
  /** True if the server never evaluates this language's policies for this request. */
  readonly exempt: boolean;
  /** Policies that match through at least one binding. */
  readonly matched: readonly PolicyIdentity[];
  /** All results that did not pass, except the omitted ones. */
  readonly evaluations: readonly Evaluation[];
  /** When there are very many denials: those that are only counted. */
  readonly omitted: readonly OmittedEvaluations[];
  readonly passed: number;
  readonly denial: Denial | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** What the repository does not define, one sentence each. */
  readonly unknowns: readonly string[];
  /** Why policies were not evaluated, or only under an assumption. Absent: nothing depends on an unknown. */
  readonly open?: readonly OpenQuestion[];
  /** Failures that an exception in the repository suppresses. */
  readonly exceptions?: readonly ExceptionUse[];
}

/** A policy whose effect on a request is unknown. */
export interface OpenQuestion {
  /** One of the outcome's `unknowns`. */
  readonly sentence: string;
  /** Name of the policy, if the repository has one. */
  readonly policy?: string;
  /** What the policy might do. */
  readonly actions: readonly ValidationAction[];
}

export interface ExceptionUse {
  readonly evaluation: Evaluation;
  readonly exception: Resource;
  /** Last day of validity, e.g. `2027-03-31`. Undefined: no end. */
  readonly until: string | undefined;
}

/** Evaluations of one policy on one request that share these properties. */
export interface OmittedEvaluations extends Pick<Evaluation, 'policy' | 'result' | 'validationActions'> {
  readonly count: number;
}

/** The Status in the server's answer. The server returns one of several denials; the order across policies is unspecified. */
export interface Denial {
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  /** `Status.details`: the denied object and the inner message. */
  readonly details: { readonly name: string; readonly group: string; readonly kind: string; readonly cause: string };
}
