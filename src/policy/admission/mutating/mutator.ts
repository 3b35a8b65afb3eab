// Applies one mutation of a compiled MutatingAdmissionPolicy to an object (apiserver `mutating/patch/{smd,json_patch}.go`).

import type { Expr } from '../../../cel/syntax/ast.ts';
import { visitPostOrder } from '../../../cel/syntax/children.ts';
import type { Read } from '../../../cel/value/trace.ts';
import { ErrorValue, type ListValue, StructValue, UnknownValue, type Value } from '../../../cel/value/value.ts';
import type { AuthorizationSource } from '../../../kubernetes/cel/authorization-source.ts';
import type { JsonPatchValue } from '../../../kubernetes/cel/mutation-types.ts';
import { configurationOf, type IsHost, typeNameMismatch } from '../../../kubernetes/patch/applied-configuration.ts';
import type { HostContainers } from '../../../kubernetes/patch/host-containers.ts';
import { applyJsonPatch, type JsonPatchOperation } from '../../../kubernetes/patch/json-patch.ts';
import { mergeConfiguration } from '../../../kubernetes/patch/merge-configuration.ts';
import type { PatchedObject, PatchTarget } from '../../../kubernetes/patch/patch-target.ts';
import type { PatchObject, PatchValue } from '../../../kubernetes/patch/patch-value.ts';
import { patchedJson } from '../../../kubernetes/patch/patched-json.ts';
import type { MatchedRequest } from '../../../kubernetes/request/admission-request.ts';
import type { RunBudget, Spender } from '../../../kubernetes/request/run-budget.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { authorizerValues } from '../../expression/authorizer-values.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import { OUT_OF_BUDGET, RUNTIME_COST_BUDGET } from '../../expression/condition-evaluator.ts';
import { explainReads } from '../../expression/explain-reads.ts';
import { evaluateMatchConditions, type MatchConditionsOutcome } from '../../expression/match-conditions.ts';
import type { NamespaceObject } from '../../expression/namespace-object.ts';
import { type OpenView, openView } from '../../expression/open-view.ts';
import { type EvaluationSubject, type Phase, RequestActivation } from '../../expression/request-activation.ts';
import { isStopped } from '../../expression/unfinished.ts';
import { readsNamespace } from '../generic/assumed-namespaces.ts';
import { FieldReads } from '../generic/field-reads.ts';
import { type CompiledMutations, expressionsOf } from './compiled-policy.ts';
import type { MutatingPolicy } from './mutating-policy.ts';
import { patchedFields } from './patched-fields.ts';

export type MutationResult =
  /** `patched` returns the object before the server's defaulting. `added`: how many more values `object` has than before the mutation. */
  | { readonly object: JsonObject; readonly patched: (added: number) => JsonObject }
  /** failurePolicy applies. `isStopped`: the cost limit was exceeded, so no field decided. */
  | { readonly error: string; readonly phase: MutationPhase; readonly isStopped?: boolean }
  /** The server reports it as its own error: ends the request regardless of failurePolicy. */
  | { readonly fault: string }
  /** kube-apiserver panics and answers with an internal error. */
  | { readonly panic: string };

export type MutationPhase = 'compile' | 'evaluate' | 'patch' | 'convert';

/** Input of a policy. `matched` holds the current object in the matched version. */
export interface MutationSubject {
  readonly matched: MatchedRequest;
  readonly params: JsonObject | null;
  readonly namespace: NamespaceObject | null;
  readonly authorization: () => AuthorizationSource;
  readonly hosts: HostContainers;
  /** Receives the cost of each evaluation. */
  readonly spend: (cost: number) => void;
}

export class Mutator {
  readonly policy: MutatingPolicy;
  readonly compiled: CompiledMutations;
  readonly spender: Spender;
  readonly #work: RunBudget;
  readonly readsNamespace: boolean;
  /** Fields of the object that expressions and patches may read. */
  readonly lookedAt: readonly { readonly path: readonly string[]; readonly isTest: boolean }[];

  readonly #reads: FieldReads;

  constructor(policy: MutatingPolicy, compiled: CompiledMutations, work: RunBudget) {
    this.#work = work;
    this.spender = work.spender(`${policy.kind} ${policy.name}`, policy.resource);
    this.policy = policy;
    this.compiled = compiled;
    const expressions = expressionsOf(policy, compiled);
    this.readsNamespace = readsNamespace(expressions);
    const patched = compiled.mutations.flatMap(patchedFields).map((path) => ({ path, isTest: false }));
    this.#reads = new FieldReads(expressions);
    this.lookedAt = [...this.#reads.reads, ...patched];
  }

  get hasConditions(): boolean {
    return this.compiled.matchConditions.length > 0;
  }

  /** The open field that decides whether the conditions match; undefined if they do not depend on one. */
  openCondition(subject: MutationSubject): FieldPath | undefined {
    const open = this.#openFields(subject);
    if (open.length === 0) return undefined;
    const view = openView(subject.matched.request, open);
    const activation = this.activation(subject, 'matchConditions', view);
    const { matchConditions } = this.compiled;
    const outcome = evaluateMatchConditions(matchConditions, activation, this.policy.failurePolicy, subject.spend);
    const unknown = 'unknown' in outcome ? outcome.unknown : undefined;
    return unknown === undefined ? undefined : open.find((path) => formatFieldPath(path) === unknown);
  }

  /** The open field that decides what a mutation changes. A value that is only copied stays open in its new place. */
  openMutation(index: number, subject: MutationSubject): FieldPath | undefined {
    const { program, ast } = this.compiled.mutations[index] ?? {};
    const open = this.#openFields(subject);
    if (open.length === 0 || program === undefined || ast === undefined || !hasChoice(ast.expr)) return undefined;
    const activation = this.activation(subject, 'validations', openView(subject.matched.request, open));
    const { value, cost } = program.evaluate(activation);
    subject.spend(activation.takeVariablesCost() + cost);
    return value instanceof UnknownValue ? open.find((path) => formatFieldPath(path) === value.name) : undefined;
  }

  #openFields({ matched }: MutationSubject): readonly FieldPath[] {
    const { unseen = [] } = matched.request.invented ?? {};
    return unseen.filter((path) => path[0] !== 'status' && this.#reads.mayRead(path));
  }

  /** Matches if there are no conditions. */
  match(subject: MutationSubject): MatchConditionsOutcome {
    if (!this.hasConditions) return { matches: true };
    const activation = this.activation(subject, 'matchConditions');
    return evaluateMatchConditions(this.compiled.matchConditions, activation, this.policy.failurePolicy, subject.spend);
  }

  /** Runs one mutation, with its own budget. */
  mutate(index: number, subject: MutationSubject, target: PatchTarget): MutationResult {
    const { object } = subject.matched.request;
    const compiled = this.compiled.mutations[index] as CompiledExpression;
    if (object === null) return { error: 'there is no object to mutate', phase: 'evaluate' };
    if (compiled.program === undefined) return { error: compiled.error ?? '', phase: 'compile' };
    const activation = this.activation(subject, 'validations');
    const { value, cost } = compiled.program.evaluate(activation);
    activation.spend(cost);
    activation.observe(value);
    const total = activation.takeVariablesCost() + cost;
    // Preadmit's own limit stopped it: treat it as exceeding the cost limit.
    subject.spend(activation.takeUnfinished() ? Number.POSITIVE_INFINITY : total);
    if (total > RUNTIME_COST_BUDGET) return { error: OUT_OF_BUDGET, phase: 'evaluate', isStopped: true };
    if (value instanceof ErrorValue) {
      const error = `expression '${compiled.expression}' resulted in error: ${value.message}`;
      return { error, phase: 'evaluate', isStopped: isStopped(value) };
    }
    const isHost = subject.hosts.among(() => activation.hostValues());
    return value instanceof StructValue
      ? applyConfiguration(value, object, target, isHost)
      : applyPatch(value, object, target, isHost);
  }

  explain(list: 'matchConditions' | 'mutations', index: number, subject: MutationSubject): readonly Read[] {
    const compiled = this.compiled[list][index];
    if (compiled === undefined) return [];
    const phase = list === 'mutations' ? 'validations' : list;
    return explainReads(compiled, this.#evaluationSubject(subject), phase, this.compiled.variables);
  }

  activation(subject: MutationSubject, phase: Phase, open?: OpenView): RequestActivation {
    return new RequestActivation({ ...this.#evaluationSubject(subject), open }, phase, this.compiled.variables, false);
  }

  #evaluationSubject({ matched, params, namespace, authorization }: MutationSubject): EvaluationSubject {
    const work = this.#work;
    return { matched, params, namespace, authorizerFor: () => authorizerValues(matched, authorization()), work };
  }
}

/** These functions pass values on. Others may decide what is patched. */
const PASSING: ReadonlySet<string> = new Set(['_[_]', '_+_', 'dyn', 'string', 'jsonpatch.escapeKey']);

function hasChoice(root: Expr): boolean {
  let isFound = false;
  visitPostOrder(root, (expr) => {
    isFound ||= expr.kind === 'comprehension' || (expr.kind === 'select' && expr.testOnly);
    isFound ||= expr.kind === 'call' && !PASSING.has(expr.function);
  });
  return isFound;
}

function applyConfiguration(
  value: StructValue,
  object: JsonObject,
  target: PatchTarget,
  isHost: IsHost,
): MutationResult {
  const plain = target.mergePlain?.(value, object);
  if (plain !== undefined) {
    const { object: after, brought } = plain;
    // If no values were added beyond the patch's own, defaulting changed nothing.
    return {
      object: after,
      patched: (added) => (added === brought ? after : mergedOr(after, value, object, target, isHost)),
    };
  }
  const mismatch = typeNameMismatch(value);
  if (mismatch !== undefined) return { error: mismatch, phase: 'patch' };
  const applied = mergedWith(value, object, target, isHost);
  if ('error' in applied) return { error: applied.error, phase: 'patch' };
  const { merged, configuration } = applied;
  return converted(target.fromMerged(merged, object, configuration), merged);
}

interface AppliedConfiguration {
  readonly merged: JsonObject;
  readonly configuration: PatchObject;
}

function mergedWith(
  value: StructValue,
  object: JsonObject,
  target: PatchTarget,
  isHost: IsHost,
): AppliedConfiguration | { readonly error: string } {
  const written = configurationOf(value, isHost);
  if ('error' in written) return { error: String(written.error) };
  const configuration = new Map<string, PatchValue>(written.fields)
    .set('apiVersion', object.get('apiVersion') ?? '')
    .set('kind', object.get('kind') ?? '');
  const merged = mergeConfiguration(configuration, object, {
    mergeType: target.mergeType,
    fits: target.isTyped,
    mayReplace: false,
  });
  if ('error' in merged) return { error: `error applying patch: ${merged.error}` };
  return { merged: merged.object, configuration };
}

function mergedOr(
  otherwise: JsonObject,
  value: StructValue,
  object: JsonObject,
  target: PatchTarget,
  isHost: IsHost,
): JsonObject {
  const applied = mergedWith(value, object, target, isHost);
  return 'error' in applied ? otherwise : applied.merged;
}

function applyPatch(value: Value, object: JsonObject, target: PatchTarget, isHost: IsHost): MutationResult {
  const operations: JsonPatchOperation[] = [];
  for (const item of value as ListValue) {
    const { op, path, from, value: written } = item as JsonPatchValue;
    if (written instanceof StructValue) {
      const mismatch = typeNameMismatch(written);
      if (mismatch !== undefined) return { error: mismatch, phase: 'patch' };
    }
    const json = written === undefined ? undefined : patchedJson(written, isHost);
    if (json !== undefined && 'panic' in json) return json;
    if (json !== undefined && 'error' in json) {
      const what = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';
      return { error: `${what}: ${json.error}`, phase: 'patch' };
    }
    operations.push({ op, path, from, value: json?.json });
  }
  const result = applyJsonPatch(object, operations);
  if ('panic' in result) return result;
  if ('error' in result) return { error: `JSON Patch: ${result.error}`, phase: 'patch' };
  if ('testFailed' in result) return converted(target.fromUnpatched(object), object);
  if (!isJsonObject(result.document)) return { fault: notAnObject(result.document) };
  const patched = target.fromPatched(result.document, object);
  return 'error' in patched ? { fault: patched.error } : { ...patched, patched: () => result.document as JsonObject };
}

function converted(result: PatchedObject, patched: JsonObject): MutationResult {
  return 'error' in result ? { error: result.error, phase: 'convert' } : { ...result, patched: () => patched };
}

function notAnObject(document: JsonValue): string {
  const kind = isJsonArray(document) ? 'array' : typeof document;
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}
