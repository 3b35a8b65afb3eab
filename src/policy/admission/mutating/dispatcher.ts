// Applies all mutating policies to one request, in up to two passes (apiserver `generic/policy_dispatcher.go`, `mutating/dispatcher.go`).
import type { Read } from '../../../cel/value/trace.ts';
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { append } from '../../../go/slices/append.ts';
import { formatApiVersion, type GroupVersionKind, kindKey, sameKind } from '../../../kubernetes/api/group-version.ts';
import { isSameJson } from '../../../kubernetes/custom-resource/object/json-equality.ts';
import { HostContainers } from '../../../kubernetes/patch/host-containers.ts';
import type { MutationStage } from '../../../kubernetes/patch/mutation-stage.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { isEmptySelector } from '../../../kubernetes/selector/label-selector.ts';
import { changedPaths, MAX_CHANGED_PATHS } from '../../../source/json/changed-paths.ts';
import { countValues } from '../../../source/json/count-values.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { RUNTIME_COST_BUDGET } from '../../expression/condition-evaluator.ts';
import type { Denial, MutationOutcome, ObjectChangeByPolicy } from '../../language/policy-language.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import type { DispatchContext } from '../generic/admission-steps.ts';
import { DispatchedRequest } from '../generic/dispatched-request.ts';
import { isExempt } from '../generic/exempt-resources.ts';
import { withEveryAnswer } from '../generic/possible-answers.ts';
import { convertRequest } from '../generic/versioned-request.ts';
import { expressionPath } from './compiled-policy.ts';
import type { Entanglements } from './entangled-policies.ts';
import { chooseInvocations, type Invocation, type MutatingHook, type PolicyOrder } from './invocations.ts';
import { MutatingOutcomeBuilder } from './mutating-outcome.ts';
import type { MutatingBinding, MutatingPolicy } from './mutating-policy.ts';
import type { MutationEnd, MutationRecorder } from './mutation-attempt.ts';
import type { MutationResult, MutationSubject, Mutator } from './mutator.ts';
import { Reinvocation } from './reinvocation.ts';
import { type FailureSource, serverFault } from './rejection.ts';
import { orderRemark, repetitionRemark } from './unsettled-mutation.ts';

export interface MutatingContext extends DispatchContext<MutatingPolicy, MutatingBinding, Mutator> {
  readonly entanglements: Entanglements;
  /** Remarks already reported: by policy, or by the names of policies that depend on their order. */
  readonly warned: Set<MutatingPolicy | string>;
}

/** The server defines no order of policies. `order` is by name or reversed. */
export function mutate(
  request: AdmissionRequest,
  stage: MutationStage,
  context: MutatingContext,
  order: PolicyOrder = 'by-name',
): MutationOutcome {
  return new MutationRun(request, stage, context, order).outcome();
}

/** As `mutate`, in name order. `record` receives every attempt, in the order of the run. */
export function mutateObserved(
  request: AdmissionRequest,
  stage: MutationStage,
  context: MutatingContext,
  record: MutationRecorder,
): MutationOutcome {
  return new MutationRun(request, stage, context, 'by-name', record).outcome();
}

/** True for requests that the plugin ignores. */
export function isMutationExempt(request: AdmissionRequest): boolean {
  return request.operation === 'DELETE' || isExempt(request.resource);
}

/** The objects of a request in one version. Policies that match another version change their own copy. */
interface VersionedObjects {
  readonly kind: GroupVersionKind;
  object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  isDirty: boolean;
  /** Number of values in `object`. Counted on the first change. */
  values: number | undefined;
}

/**
 * Cost limit for all mutations of a request, including both passes and the order check. The server has this limit for
 * each mutation, and the request's deadline for all of them.
 */
const REQUEST_COST_BUDGET = RUNTIME_COST_BUDGET;
/** Cost per value of converting a large object, in cost units. */
const VALUE_COST = 12;
/** Objects up to this number of values are free. */
const FREE_VALUES = 1_500;

/** Thrown when the cost limit is reached. */
class Exhausted extends Error {
  readonly policy: MutatingPolicy;
  constructor(policy: MutatingPolicy) {
    super();
    this.policy = policy;
  }
}

/** Thrown when the server answers at once, regardless of failurePolicy. */
class Fault extends Error {
  readonly denial: Denial;
  readonly source: FailureSource;
  constructor(denial: Denial, source: FailureSource) {
    super();
    this.denial = denial;
    this.source = source;
  }
}

class MutationRun {
  readonly #request: AdmissionRequest;
  readonly #stage: MutationStage;
  readonly #context: MutatingContext;
  readonly #order: PolicyOrder;
  #builder: MutatingOutcomeBuilder;
  readonly #reinvocation = new Reinvocation();
  #changes: ObjectChangeByPolicy[] = [];
  #invocations: readonly Invocation[] = [];
  #wantsSecondPass = false;
  #remainingBudget = REQUEST_COST_BUDGET;
  readonly #hosts = new HostContainers();
  #record: MutationRecorder | undefined;

  constructor(
    request: AdmissionRequest,
    stage: MutationStage,
    context: MutatingContext,
    order: PolicyOrder,
    record?: MutationRecorder,
  ) {
    this.#record = record;
    this.#request = request;
    this.#stage = stage;
    this.#context = context;
    this.#order = order;
    this.#builder = new MutatingOutcomeBuilder(request);
  }

  outcome(): MutationOutcome {
    const { object } = this.#request;
    if (isMutationExempt(this.#request))
      return { object, changes: [], remarks: [], outcome: this.#builder.build(true) };
    const mutated = this.#passes();
    this.#record = undefined; // The third pass below is a simulation.
    const outcome = this.#builder.build(false);
    if (this.#builder.isExhausted) return { object, changes: [], remarks: [], outcome };
    const changes = this.#changes;
    if (outcome.denial !== undefined) return { object, changes: [], remarks: this.#refusalRemarks(changes), outcome };
    return { object: mutated, changes, remarks: mutated === null ? [] : this.#remarks(mutated, changes), outcome };
  }

  /** Each remark is reported once, for the first object that shows it. */
  #remarks(mutated: JsonObject, changes: readonly ObjectChangeByPolicy[]): readonly Diagnostic[] {
    if (this.#order !== 'by-name' || changes.length === 0) return [];
    const remarks: Diagnostic[] = [];
    append(remarks, this.#orderRemarks(this.#entangled(changes), mutated));
    if (changes.some(({ pass }) => pass === 2)) append(remarks, this.#repetitions(mutated));
    return remarks;
  }

  /** A request that is rejected in name order may be accepted in another order. */
  #refusalRemarks(changes: readonly ObjectChangeByPolicy[]): readonly Diagnostic[] {
    if (this.#order !== 'by-name' || this.#invocations.length < 2) return [];
    // After an abort, include the policies that have not run yet.
    const isCutShort = this.#builder.isFaulted;
    const policies = isCutShort ? this.#invocations.map(({ hook }) => hook.policy) : this.#entangled(changes);
    return this.#orderRemarks([...new Set(policies)], undefined);
  }

  #entangled(changes: readonly ObjectChangeByPolicy[]): readonly MutatingPolicy[] {
    const firstPass = changes.filter(({ pass }) => pass === 1);
    return this.#context.entanglements.of({ invocations: this.#invocations, changes: firstPass });
  }

  /** `mutated` is undefined if the request is rejected. */
  #orderRemarks(policies: readonly MutatingPolicy[], mutated: JsonObject | undefined): readonly Diagnostic[] {
    const { warned } = this.#context;
    const key = policies.map(({ name }) => name).join();
    if (policies.length === 0 || warned.has(key)) return [];
    const { object, outcome } = mutate(this.#request, this.#stage, this.#context, 'reverse');
    // The result in reverse order is unknown.
    if (outcome.evaluations.some(({ isUnfinished }) => isUnfinished === true)) return [];
    const other = outcome.denial === undefined ? (object ?? undefined) : undefined;
    const remark = orderRemark(this.#request, policies, mutated, other);
    if (remark === undefined) return [];
    warned.add(key);
    return [remark];
  }

  /** Simulates a third pass, which the server never runs, to find mutations that never settle. */
  #repetitions(mutated: JsonObject): readonly Diagnostic[] {
    const { warned } = this.#context;
    this.#builder = new MutatingOutcomeBuilder(this.#request);
    this.#changes = [];
    const again = this.#caught(() => this.#pass(this.#stage.admitAgain(mutated), 2));
    const policies = new Set(this.#changes.map(({ policy }) => policy as MutatingPolicy));
    if (again === null) return [];
    return [...policies].flatMap((policy) => {
      if (warned.has(policy)) return [];
      warned.add(policy);
      return [repetitionRemark(this.#request, policy, mutated, again)];
    });
  }

  #passes(): JsonObject | null {
    return this.#caught(() => {
      const first = this.#pass(this.#request.object, 1);
      if (!this.#wantsSecondPass || first === null || this.#builder.isRejected) return first;
      return this.#pass(this.#stage.admitAgain(first), 2);
    });
  }

  #caught(passes: () => JsonObject | null): JsonObject | null {
    try {
      return passes();
    } catch (problem) {
      if (problem instanceof Exhausted) this.#builder.exhausted(problem.policy);
      else if (problem instanceof Fault) this.#builder.fault(problem.denial, problem.source);
      else throw problem;
      return null;
    }
  }

  #pass(object: JsonObject | null, pass: 1 | 2): JsonObject | null {
    const request = { ...this.#request, object };
    const { namespaces, paths, cluster } = this.#context;
    const dispatched = new DispatchedRequest(request, namespaces, paths, cluster);
    const hooks = this.#hooksFor(dispatched.request, pass);
    const invocations = chooseInvocations(hooks, dispatched, { cluster, order: this.#order, builder: this.#builder });
    if (pass === 1) this.#invocations = invocations;
    const versions = new Map<string, VersionedObjects>();
    let last: VersionedObjects | undefined;
    for (const invocation of invocations) {
      const versioned = this.#versioned(invocation, request, versions);
      if (versioned === undefined) continue;
      if (this.#invoke(invocation, dispatched, versioned, pass)) last = versioned;
    }
    if (last === undefined || last.object === null || !last.isDirty) return object;
    this.#reinvocation.changed();
    this.#wantsSecondPass = true;
    return this.#inRequestVersion(last);
  }

  /** In the second pass, leaves out policies that can no longer have an effect. Most policies do not request reinvocation. */
  #hooksFor(request: AdmissionRequest, pass: 1 | 2): readonly MutatingHook[] {
    const hooks = this.#context.index.hooksFor(request);
    if (pass === 1 || this.#builder.hasFailed) return hooks;
    return hooks.filter(({ policy, bindings, refusal }) => {
      if (policy.reinvocationPolicy === 'IfNeeded' || policy.matchConditions.length > 0 || refusal.isRefused())
        return true;
      return (
        selectsByObject(policy.matchConstraints) || bindings.some((binding) => selectsByObject(binding.matchResources))
      );
    });
  }

  #versioned(
    { hook, matched }: Invocation,
    request: AdmissionRequest,
    versions: Map<string, VersionedObjects>,
  ): VersionedObjects | undefined {
    const key = kindKey(matched.matchedKind);
    const known = versions.get(key);
    if (known !== undefined) return known;
    const converted = convertRequest({ request, ...matched }, this.#context.cluster);
    if ('unknown' in converted) {
      this.#builder.unknown(`the effect of ${hook.policy.name} depends on ${converted.unknown}`);
      return undefined;
    }
    const { object, oldObject } = converted.request;
    const versioned = { kind: matched.matchedKind, object, oldObject, isDirty: false, values: undefined };
    versions.set(key, versioned);
    return versioned;
  }

  /** True if the mutations ran, even if they failed. */
  #invoke(invocation: Invocation, dispatched: DispatchedRequest, versioned: VersionedObjects, pass: 1 | 2): boolean {
    const { hook } = invocation;
    const { policy } = hook;
    const mutator = hook.runner();
    this.#context.cluster.work.begin(mutator.spender);
    if (mutator.hasConditions && !this.#matches(invocation, mutator, dispatched, versioned, pass)) return false;
    const mayRunAgain = policy.reinvocationPolicy === 'IfNeeded';
    if (pass === 2 && !(mayRunAgain && this.#reinvocation.runsAgain(keyOf(invocation)))) return false;
    if (dispatched.namespace?.isAssumed === true && mutator.readsNamespace) {
      this.#builder.assumedContent(policy, dispatched.request.namespace, this.#context.cluster);
    }
    const before = versioned.object;
    const known = this.#changes.length;
    for (let index = 0; index < policy.mutations.length; index++)
      this.#mutate(invocation, dispatched, versioned, index, pass);
    // Several changes may cancel each other out.
    const made = this.#changes.length - known;
    if (made === 1 || (made > 1 && !isSameJson(before, versioned.object))) {
      this.#reinvocation.changed();
      this.#wantsSecondPass = true;
    }
    if (mayRunAgain) this.#reinvocation.invoked(keyOf(invocation));
    return policy.mutations.length > 0;
  }

  #matches(
    invocation: Invocation,
    mutator: Mutator,
    dispatched: DispatchedRequest,
    versioned: VersionedObjects,
    pass: 1 | 2,
  ): boolean {
    const { hook, binding, param } = invocation;
    const { policy } = hook;
    const subject = this.#subject(invocation, dispatched, versioned);
    const open = this.#ask(
      policy,
      dispatched,
      this.#settle(policy, (authorization) => mutator.openCondition({ ...subject, authorization })),
    );
    this.#record?.({ of: invocation, matched: subject.matched, list: 'matchConditions', pass, open });
    const match = this.#settle(policy, (authorization) => mutator.match({ ...subject, authorization }));
    if (!('error' in match)) return match.matches;
    const { error: message, index } = match;
    this.#builder.failure({
      policy,
      binding,
      param: param?.resource,
      message,
      reason: 'Invalid',
      rule: ['spec', 'matchConditions', index, 'expression'],
      expression: policy.matchConditions[index]?.expression,
      explain: () => this.#explain(mutator, 'matchConditions', index, subject),
    });
    return false;
  }

  #mutate(
    invocation: Invocation,
    dispatched: DispatchedRequest,
    versioned: VersionedObjects,
    index: number,
    pass: 1 | 2,
  ): void {
    const { hook, binding, param } = invocation;
    const { policy } = hook;
    const before = versioned.object;
    if (before === null) return;
    const target = this.#stage.patchTarget(versioned.kind);
    const mutator = hook.runner();
    const subject = this.#subject(invocation, dispatched, versioned);
    const open = this.#ask(
      policy,
      dispatched,
      this.#settle(policy, (authorization) => mutator.openMutation(index, { ...subject, authorization })),
    );
    const rule = expressionPath(policy, index);
    const source: FailureSource = {
      policy,
      binding,
      param: param?.resource,
      rule,
      expression: policy.mutations[index]?.expression,
      explain: () => this.#explain(mutator, 'mutations', index, subject),
    };
    const end = (how: MutationEnd): void =>
      this.#record?.({ of: invocation, matched: subject.matched, list: 'mutations', index, pass, open, end: how });
    const fault = (denial: Denial): Fault => {
      end({ error: denial.message, isIgnorable: false });
      return new Fault(denial, source);
    };
    if (target?.mergeType === undefined) throw fault(this.#noSchema(versioned.kind));
    const result = this.#settle(
      policy,
      (authorization): MutationResult => mutator.mutate(index, { ...subject, authorization }, target),
    );
    if ('fault' in result) throw fault(serverFault(this.#request, 500, `Internal error occurred: ${result.fault}`));
    if ('panic' in result) throw fault(serverFault(this.#request, 500, PANIC));
    const { kind: requestKind } = this.#request;
    const fail = (message: string, isStopped = false): void => {
      end({ error: message, isIgnorable: true });
      this.#builder.failure({ ...source, message, reason: 'Invalid', ...(isStopped && { explain: () => [] }) });
    };
    if ('error' in result) {
      if (target.isAssumed && result.phase === 'patch') {
        end({ unknownKind: versioned.kind });
        this.#builder.unknownKind(policy, versioned.kind);
      } else fail(result.error, result.isStopped);
      return;
    }
    if (target.isTyped && !sameKind(versioned.kind, requestKind)) {
      fail(unknownConversion(versioned.kind, requestKind));
      return;
    }
    if (target.isAssumed) this.#builder.unknownKind(policy, versioned.kind);
    const paths = changedPaths(before, result.object);
    end(target.isAssumed ? { unknownKind: versioned.kind } : { before, after: result.object, paths });
    const added = addedValues(before, result.object, paths);
    const values = (versioned.values ?? countValues(before)) + added;
    versioned.object = result.object;
    versioned.isDirty = true;
    versioned.values = values;
    this.#context.cluster.work.spend(VALUE_COST * values);
    subject.spend(VALUE_COST * Math.max(0, values - FREE_VALUES));
    this.#builder.succeeded();
    if (paths.length === 0) return;
    const objects = { before, patched: result.patched(added), after: result.object };
    this.#changes.push({ policy, binding, param: param?.resource, rule, pass, paths, objects });
  }

  /** Records that the policy's effect depends on an open field. Returns a name for the field's value. */
  #ask(policy: MutatingPolicy, { request }: DispatchedRequest, open: FieldPath | undefined): string | undefined {
    if (open === undefined) return undefined;
    const question = request.invented?.reasonOf?.(open)?.depends ?? formatFieldPath(open);
    this.#builder.openQuestion(policy, question);
    return question;
  }

  #subject(
    { hook, matched, param }: Invocation,
    { request, namespace }: DispatchedRequest,
    { object, oldObject }: VersionedObjects,
  ): MutationSubjectFacts {
    return {
      matched: { request: { ...request, object, oldObject }, ...matched },
      params: param?.object ?? null,
      namespace,
      hosts: this.#hosts,
      spend: (cost) => {
        this.#remainingBudget -= cost;
        if (this.#remainingBudget < 0) throw new Exhausted(hook.policy);
      },
    };
  }

  /** Assumes "no" for open authorizer checks, and reports the check if the answer makes a difference. */
  #settle<Result>(policy: MutatingPolicy, ask: (authorization: MutationSubject['authorization']) => Result): Result {
    const { results, missing } = withEveryAnswer(this.#context.authorizer, ask);
    const [first] = results as readonly [Result, ...Result[]];
    if (results.length > 1) for (const question of missing) this.#builder.openQuestion(policy, question);
    return first;
  }

  #explain(
    mutator: Mutator,
    list: 'matchConditions' | 'mutations',
    index: number,
    subject: MutationSubjectFacts,
  ): readonly Read[] {
    const { results } = withEveryAnswer(this.#context.authorizer, (authorization) =>
      mutator.explain(list, index, { ...subject, authorization }),
    );
    return results[0] ?? [];
  }

  #inRequestVersion({ kind, object }: VersionedObjects): JsonObject | null {
    const written = this.#request.objectKind ?? this.#request.kind;
    if (object === null || sameKind(kind, written)) return object;
    const converted = this.#context.cluster.convert(object, kind, written);
    if (converted !== undefined) return converted;
    this.#builder.unknown(
      `how the server converts ${kind.kind} from ${formatApiVersion(kind.group, kind.version)} to ${formatApiVersion(written.group, written.version)}`,
    );
    return this.#request.object;
  }

  #noSchema({ group, version, kind }: GroupVersionKind): Denial {
    const text = `${formatApiVersion(group, version)}, Kind=${kind}`;
    const message = `Resource kind ${group === '' ? `/${text}` : text} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
    return serverFault(this.#request, 503, message);
  }
}

function keyOf({ hook: { policy }, binding, param }: Invocation): string {
  return JSON.stringify([policy.name, binding.name, param?.resource.namespace, param?.resource.name]);
}

/** True if a change of the object can change the match. Both selectors read a Namespace's own labels. */
function selectsByObject(criteria: MatchResources | undefined): boolean {
  if (criteria === undefined) return false;
  return [criteria.objectSelector, criteria.namespaceSelector].some(
    (selector) => 'error' in selector || !isEmptySelector(selector),
  );
}

type MutationSubjectFacts = Omit<MutationSubject, 'authorization'>;

const PANIC = 'This request caused apiserver to panic. Look in the logs for details.';

/** The server cannot convert a built-in kind directly from one version to another. */
function unknownConversion(from: GroupVersionKind, to: GroupVersionKind): string {
  return `converting (${from.version}.${from.kind}) to (${to.version}.${to.kind}): unknown conversion`;
}

/** Increase in the number of values. Compares only `paths`, since mutations leave most fields unchanged. */
function addedValues(before: JsonObject, after: JsonObject, paths: readonly FieldPath[]): number {
  if (paths.length >= MAX_CHANGED_PATHS) return countValues(after) - countValues(before);
  let added = 0;
  for (const path of paths) added += countValues(valueAt(after, path)) - countValues(valueAt(before, path));
  return added;
}
