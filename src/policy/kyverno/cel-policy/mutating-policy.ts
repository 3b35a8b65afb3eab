// MutatingPolicy and NamespacedMutatingPolicy: compiled once, then applied to each object (Kyverno `pkg/cel/policies/mpol`).
import { ANY, DYN, listOf, mapOf, STRING } from '../../../cel/check/type.ts';
import { ErrorValue } from '../../../cel/value/value.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import { JSON_PATCH_TYPE, OBJECT_TYPE } from '../../../kubernetes/cel/mutation-types.ts';
import type { MergeType } from '../../../kubernetes/patch/merge-type.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { isJsonArray, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { applyMutation } from './apply-mutation.ts';
import { type AutogenForm, mutatingVariants } from './cel-autogen.ts';
import {
  applyExceptions,
  type CelException,
  compileExceptions,
  exceptionsNaming,
  exemptedResponse,
} from './cel-exceptions.ts';
import { readCelPolicy, type WrittenCelPolicy } from './cel-policy.ts';
import { type CelRefusal, compiledOrRefused } from './cel-refusal.ts';
import { type CelPolicySubject, type CelResponse, responseData } from './cel-response.ts';
import type { KyvernoEnvironments } from './kyverno-environment.ts';
import { matchesConstraints, readMatchConstraints } from './match-constraints.ts';
import { evaluateCelConditions, PolicyActivation, type PolicyData } from './policy-activation.ts';
import { type CelProgram, ProgramCompiler } from './program-compiler.ts';
import { annotationProblem } from './validating-policy.ts';

interface Variant {
  readonly form: AutogenForm | undefined;
  readonly constraints: MatchResources | undefined;
  readonly variables: ReadonlyMap<string, CelProgram>;
  readonly matchConditions: readonly CelProgram[];
  readonly exceptions: readonly CelException[];
  readonly auditAnnotations: ReadonlyMap<string, CelProgram>;
  readonly mutations: readonly CelProgram[];
  readonly targets: Targets | undefined;
}

/** For policies that patch existing objects (`evaluation.mutateExisting`). */
interface Targets {
  /** Matches any operation. */
  readonly constraints: MatchResources | undefined;
  readonly matchConditions: readonly CelProgram[];
  /** Returns the objects, instead of constraints. */
  readonly expression: CelProgram | undefined;
}

/** An object other than the request's, with its resource. */
export interface ExistingObject {
  readonly object: JsonObject;
  readonly kind: GroupVersionKind;
  readonly resource: AdmissionRequest['resource'];
}

/** The merge type for a kind. Undefined if it has no schema. */
export type MergeTypeOf = (kind: GroupVersionKind) => MergeType | undefined;

export interface CelMutation {
  readonly responses: readonly CelResponse[];
  /** The object after all mutations. The same reference if nothing changed. */
  readonly object: JsonObject | null;
}

export function compileMutatingPolicy(
  document: JsonObject,
  exceptions: readonly JsonObject[],
  environments: KyvernoEnvironments,
): MutatingPolicy | CelRefusal {
  const written = readCelPolicy(document);
  const named = exceptionsNaming(exceptions, written.kind, written.name);
  const compileVariant = (spec: JsonObject, form: AutogenForm | undefined): Variant => {
    const declarations = { namespace: written.namespace, hasPatchTypes: true, hasGenerator: false };
    const compiler = new ProgramCompiler(environments, declarations);
    compiler.compileVariables(spec);
    return {
      form,
      constraints: readMatchConstraints(spec.get('matchConstraints')),
      variables: compiler.variables,
      matchConditions: compiler.matchConditions(objectItems(spec.get('matchConditions'))),
      exceptions: compileExceptions(named, compiler),
      auditAnnotations: compiler.auditAnnotations(spec),
      mutations: compileMutations(spec, compiler),
      targets: compileTargets(spec, compiler),
    };
  };
  return compiledOrRefused(undefined, () => {
    const variants = [compileVariant(written.spec, undefined)];
    for (const { form, spec } of mutatingVariants(written.spec)) variants.push(compileVariant(spec, form));
    return new MutatingPolicy(written, variants, environments);
  });
}

function compileTargets(spec: JsonObject, compiler: ProgramCompiler): Targets | undefined {
  if (objectOrEmpty(objectOrEmpty(spec.get('evaluation')).get('mutateExisting')).get('enabled') !== true)
    return undefined;
  const written = objectOrEmpty(spec.get('targetMatchConstraints'));
  const text = textField(written, 'expression');
  const hasRules = objectItems(written.get('resourceRules')).length > 0;
  return {
    constraints: readMatchConstraints(ofAnyOperation(hasRules ? written : objectOrEmpty(spec.get('matchConstraints')))),
    matchConditions: compiler.matchConditions(objectItems(spec.get('targetMatchConditions')), 'targetMatchConditions'),
    expression:
      text === ''
        ? undefined
        : compiler.compile(
            text,
            [mapOf(STRING, ANY), mapOf(STRING, DYN)],
            ['spec', 'targetMatchConstraints', 'expression'],
            'output type must be a map',
          ),
  };
}

function ofAnyOperation(constraints: JsonObject): JsonObject {
  const rules = objectItems(constraints.get('resourceRules')).map((rule) => new Map(rule).set('operations', ['*']));
  return new Map(constraints).set('resourceRules', rules);
}

function compileMutations(spec: JsonObject, compiler: ProgramCompiler): readonly CelProgram[] {
  return objectItems(spec.get('mutations')).flatMap((mutation, index) => {
    const isPatch = textField(mutation, 'patchType') === 'JSONPatch';
    const field = isPatch ? 'jsonPatch' : 'applyConfiguration';
    const holder = mutation.get(field);
    if (holder === undefined) return [];
    const type = isPatch ? listOf(JSON_PATCH_TYPE) : OBJECT_TYPE;
    const path = ['spec', 'mutations', index, field, 'expression'];
    return [compiler.compile(textField(objectOrEmpty(holder), 'expression'), [type], path)];
  });
}

export class MutatingPolicy {
  readonly written: WrittenCelPolicy;
  readonly #variants: readonly Variant[];
  readonly #environments: KyvernoEnvironments;
  readonly #mayReplace: boolean;

  constructor(written: WrittenCelPolicy, variants: readonly Variant[], environments: KyvernoEnvironments) {
    this.written = written;
    this.#variants = variants;
    this.#environments = environments;
    this.#mayReplace = objectOrEmpty(written.spec.get('evaluation')).get('useServerSideApply') === true;
  }

  get hasTargets(): boolean {
    return this.#variants.some(({ targets }) => targets !== undefined);
  }

  /** Applies the policy and its variants for controllers, each to the previous result. Throws `Undecided`, `KyvernoPanic`. */
  mutate(subject: CelPolicySubject, mergeTypeOf: MergeTypeOf): CelMutation {
    this.#environments.sources = subject.sources;
    const responses: CelResponse[] = [];
    let { object } = subject.request;
    for (const variant of this.#variants) {
      const request = { ...subject.request, object };
      const mutated = this.#mutate(variant, { ...subject, request }, mergeTypeOf);
      if (mutated === undefined) continue;
      responses.push(mutated.response);
      object = mutated.object ?? object;
    }
    return { responses, object };
  }

  #mutate(
    variant: Variant,
    subject: CelPolicySubject,
    mergeTypeOf: MergeTypeOf,
  ): { readonly response: CelResponse; readonly object?: JsonObject } | undefined {
    const { request, namespaceLabels } = subject;
    const matches = matchesConstraints(variant.constraints, request, namespaceLabels, subject.openNamespace);
    if (matches === false) return undefined;
    if (matches !== true) return { response: unmatched(matches.error) };
    if (variant.form === 'extract') {
      return { response: skipped('extraction mode: mutation for custom workload CRDs is not yet supported') };
    }
    const data = responseData(subject);
    return this.#apply(variant, variant.matchConditions, data, { ...subject, request }, mergeTypeOf);
  }

  /** The `candidates` that the policy patches because of this request. */
  mutateTargets(
    subject: CelPolicySubject,
    candidates: readonly ExistingObject[],
    mergeTypeOf: MergeTypeOf,
  ): readonly { readonly response: CelResponse; readonly object?: JsonObject }[] {
    this.#environments.sources = subject.sources;
    return this.#variants.flatMap((variant) => {
      const { targets } = variant;
      if (targets === undefined || candidates.length === 0) return [];
      const chosen = targets.expression && this.#chosenTargets(variant, targets.expression, subject);
      if (chosen !== undefined && 'error' in chosen) return [{ response: failed(chosen.error) }];
      return candidates.flatMap((target) => {
        const patched = this.#mutateTarget(variant, targets, target, chosen?.keys, subject, mergeTypeOf);
        return patched === undefined ? [] : [patched];
      });
    });
  }

  #mutateTarget(
    variant: Variant,
    { constraints, matchConditions }: Targets,
    { object, kind, resource }: ExistingObject,
    chosen: ReadonlySet<string> | undefined,
    subject: CelPolicySubject,
    mergeTypeOf: MergeTypeOf,
  ): { readonly response: CelResponse; readonly object?: JsonObject } | undefined {
    const metadata = objectOrEmpty(object.get('metadata'));
    const [name, namespace] = [textField(metadata, 'name'), textField(metadata, 'namespace')];
    const request = { ...subject.request, kind, resource, subResource: '', name, namespace, object, oldObject: null };
    if (chosen === undefined) {
      const labels = new Map([['kubernetes.io/metadata.name', namespace]]);
      const matches = matchesConstraints(constraints, request, labels);
      if (matches === false) return undefined;
      if (matches !== true) return { response: unmatched(matches.error) };
    } else if (!chosen.has(keyOf(object))) return undefined;
    const data = new Map(responseData({ ...subject, namespaceObject: null }));
    data.set('object', object).set('oldObject', new Map());
    return this.#apply(variant, matchConditions, data, { ...subject, request }, mergeTypeOf);
  }

  #chosenTargets(
    variant: Variant,
    { program }: CelProgram,
    subject: CelPolicySubject,
  ): { readonly keys: ReadonlySet<string> } | { readonly error: string } {
    const activation = new PolicyActivation(responseData(subject), subject.sources);
    activation.bindVariables(variant.variables);
    const { value } = program.evaluate(activation);
    if (value instanceof ErrorValue) return { error: value.message };
    const found = value instanceof Map ? (value as JsonObject) : new Map();
    const items = found.get('items');
    return { keys: new Set((isJsonArray(items) ? objectItems(items) : [found]).map(keyOf)) };
  }

  #apply(
    variant: Variant,
    matchConditions: readonly CelProgram[],
    data: PolicyData,
    { request, sources }: CelPolicySubject,
    mergeTypeOf: MergeTypeOf,
  ): { readonly response: CelResponse; readonly object?: JsonObject } {
    const activation = new PolicyActivation(data, sources);
    const exceptions = applyExceptions(variant.exceptions, activation, false);
    if ('error' in exceptions) return { response: failed(exceptions.error) };
    if ('exempting' in exceptions) return { response: exemptedResponse(exceptions.exempting, 'Mutation') };
    activation.bindExceptions(exceptions.allowed);
    activation.bindVariables(variant.variables);
    const applies = evaluateCelConditions(matchConditions, activation);
    if (typeof applies === 'object') return { response: failed(applies.error) };
    if (!applies) return { response: skipped('skip') };
    let object = request.object ?? new Map();
    // The object's own kind. For a subresource, it may differ from the request's.
    const own = { ...parseApiVersion(textField(object, 'apiVersion')), kind: textField(object, 'kind') };
    const target = { mergeType: mergeTypeOf({ ...request.kind, ...own }), mayReplace: this.#mayReplace };
    for (const program of variant.mutations) {
      const mutated = applyMutation(activation.ask(program), object, target, [...data.values(), object]);
      if ('error' in mutated) return { response: { ...failed(mutated.error), path: program.path } };
      object = mutated.object;
      activation.set('object', object);
    }
    const problem = annotationProblem(variant.auditAnnotations, activation, '"');
    if (problem !== undefined) return { response: failed(problem) };
    return { response: { rule: '', type: 'Mutation', status: 'pass', message: 'success' }, object };
  }
}

function keyOf(object: JsonObject): string {
  const metadata = objectOrEmpty(object.get('metadata'));
  return `${textField(metadata, 'namespace')}/${textField(metadata, 'name')}`;
}

function unmatched(error: string): CelResponse {
  return { rule: 'match', type: 'Validation', status: 'error', message: `failed to execute matching: ${error}` };
}

function skipped(message: string): CelResponse {
  return { rule: '', type: 'Mutation', status: 'skip', message };
}

function failed(error: string): CelResponse {
  return { rule: 'evaluation', type: 'Mutation', status: 'error', message: `failed to evaluate policy: ${error}` };
}
