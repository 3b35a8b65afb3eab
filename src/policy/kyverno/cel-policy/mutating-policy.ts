// MutatingPolicy and NamespacedMutatingPolicy: compiled once, applied to each object (Kyverno `pkg/cel/policies/mpol`).
import { listOf } from '../../../cel/check/type.ts';
import { JSON_PATCH_TYPE, OBJECT_TYPE } from '../../../kubernetes/cel/mutation-types.ts';
import type { GroupVersionKind } from '../../../kubernetes/group-version.ts';
import type { MergeType } from '../../../kubernetes/patch/merge-type.ts';
import type { JsonObject } from '../../../source/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json-field.ts';
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
import type { CelRefusal } from './cel-refusal.ts';
import { type CelPolicySubject, type CelResponse, responseData } from './cel-response.ts';
import type { KyvernoEnvironments } from './kyverno-environment.ts';
import { matchesConstraints, readMatchConstraints } from './match-constraints.ts';
import { evaluateCelConditions, PolicyActivation } from './policy-activation.ts';
import { type CelProgram, CompileFailure, ProgramCompiler } from './program-compiler.ts';
import { annotationProblem } from './validating-policy.ts';

interface Variant {
  readonly form: AutogenForm | undefined;
  readonly constraints: MatchResources | undefined;
  readonly variables: ReadonlyMap<string, CelProgram>;
  readonly matchConditions: readonly CelProgram[];
  readonly exceptions: readonly CelException[];
  readonly auditAnnotations: ReadonlyMap<string, CelProgram>;
  readonly mutations: readonly CelProgram[];
}

/** How objects of a kind are merged; undefined where there is no schema of it. */
export type MergeTypeOf = (kind: GroupVersionKind) => MergeType | undefined;

export interface CelMutation {
  readonly responses: readonly CelResponse[];
  /** The object after all mutations; the same one where none changed it. */
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
    };
  };
  try {
    const variants = [compileVariant(written.spec, undefined)];
    for (const { form, spec } of mutatingVariants(written.spec)) variants.push(compileVariant(spec, form));
    return new MutatingPolicy(written, variants, environments);
  } catch (failure) {
    if (!(failure instanceof CompileFailure)) throw failure;
    return { errors: failure.errors, preamble: undefined };
  }
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

  /** The policy and those made of it for controllers, each on what the one before made. Throws `Undecided`, `KyvernoPanic`. */
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
    const { request, sources, namespaceLabels } = subject;
    const matches = matchesConstraints(variant.constraints, request, namespaceLabels, subject.isNamespaceAssumed);
    if (matches === false) return undefined;
    if (matches !== true) {
      return {
        response: {
          rule: 'match',
          type: 'Validation',
          status: 'error',
          message: `failed to execute matching: ${matches.error}`,
        },
      };
    }
    if (variant.form === 'extract') {
      return { response: skipped('extraction mode: mutation for custom workload CRDs is not yet supported') };
    }
    const data = responseData(subject);
    const activation = new PolicyActivation(data, sources);
    const exceptions = applyExceptions(variant.exceptions, activation, false);
    if ('error' in exceptions) return { response: failed(exceptions.error) };
    if ('exempting' in exceptions) return { response: exemptedResponse(exceptions.exempting, 'Mutation') };
    activation.bindExceptions(exceptions.allowed);
    activation.bindVariables(variant.variables);
    const applies = evaluateCelConditions(variant.matchConditions, activation);
    if (typeof applies === 'object') return { response: failed(applies.error) };
    if (!applies) return { response: skipped('skip') };
    const target = { mergeType: mergeTypeOf(request.kind), mayReplace: this.#mayReplace };
    let object = request.object ?? new Map();
    for (const { program, path } of variant.mutations) {
      const mutated = applyMutation(activation.run(program).value, object, target, [...data.values(), object]);
      if ('error' in mutated) return { response: { ...failed(mutated.error), path } };
      object = mutated.object;
      activation.set('object', object);
    }
    const problem = annotationProblem(variant.auditAnnotations, activation, '"');
    if (problem !== undefined) return { response: failed(problem) };
    return { response: { rule: '', type: 'Mutation', status: 'pass', message: 'success' }, object };
  }
}

function skipped(message: string): CelResponse {
  return { rule: '', type: 'Mutation', status: 'skip', message };
}

function failed(error: string): CelResponse {
  return { rule: 'evaluation', type: 'Mutation', status: 'error', message: `failed to evaluate policy: ${error}` };
}
