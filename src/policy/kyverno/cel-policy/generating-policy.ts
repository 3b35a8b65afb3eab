// GeneratingPolicy and NamespacedGeneratingPolicy: the objects that they would generate for a request (Kyverno `pkg/cel/policies/gpol`).
import { BOOL } from '../../../cel/check/type.ts';
import { ErrorValue } from '../../../cel/value/value.ts';
import { append } from '../../../go/slices/append.ts';
import { invalid, required } from '../../../kubernetes/validation/field-error.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import {
  applyExceptions,
  type CelException,
  compileExceptions,
  exceptionsNaming,
  exemptedResponse,
} from './cel-exceptions.ts';
import { readCelPolicy, type WrittenCelPolicy } from './cel-policy.ts';
import { type CelRefusal, CompileFailure, compiledOrRefused } from './cel-refusal.ts';
import { type CelPolicySubject, type CelResponse, responseData } from './cel-response.ts';
import { compileTemplate, type GenerationTemplate, renderTemplate } from './generation-template.ts';
import type { KyvernoEnvironments } from './kyverno-environment.ts';
import { matchesConstraints, readMatchConstraints } from './match-constraints.ts';
import { evaluateCelConditions, PolicyActivation } from './policy-activation.ts';
import { type CelProgram, ProgramCompiler } from './program-compiler.ts';
import { annotationProblem } from './validating-policy.ts';

type GenerationEntry = { readonly expression: CelProgram } | { readonly template: GenerationTemplate };

interface Compiled {
  readonly constraints: MatchResources | undefined;
  readonly matchConditions: readonly CelProgram[];
  readonly variables: ReadonlyMap<string, CelProgram>;
  readonly generations: readonly GenerationEntry[];
  readonly auditAnnotations: ReadonlyMap<string, CelProgram>;
  readonly exceptions: readonly CelException[];
}

export interface GeneratedObject {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly object: JsonObject;
}

export interface CelGeneration {
  readonly responses: readonly CelResponse[];
  /** In the order of generation. */
  readonly generated: readonly GeneratedObject[];
}

export function compileGeneratingPolicy(
  document: JsonObject,
  exceptions: readonly JsonObject[],
  environments: KyvernoEnvironments,
): GeneratingPolicy | CelRefusal {
  const written = readCelPolicy(document);
  const { spec, namespace } = written;
  return compiledOrRefused('generating policy compiler 2.0', () => {
    const compiler = new ProgramCompiler(environments, { namespace, hasPatchTypes: false, hasGenerator: true });
    const matchConditions = compiler.matchConditions(objectItems(spec.get('matchConditions')));
    compiler.compileVariables(spec);
    const compiled: Compiled = {
      constraints: readMatchConstraints(spec.get('matchConstraints')),
      matchConditions,
      variables: compiler.variables,
      generations: compileGenerations(spec, compiler),
      auditAnnotations: compiler.auditAnnotations(spec),
      exceptions: compileExceptions(exceptionsNaming(exceptions, written.kind, written.name), compiler),
    };
    return new GeneratingPolicy(written, compiled, environments);
  });
}

function compileGenerations(spec: JsonObject, compiler: ProgramCompiler): readonly GenerationEntry[] {
  return objectItems(spec.get('generate')).map((generation, index) => {
    const path = ['spec', 'generate', index];
    const template = generation.get('template');
    const expression = textField(generation, 'expression');
    if (template !== undefined && expression !== '') {
      throw new CompileFailure([invalid(path, generation, 'only one of expression or template may be set')]);
    }
    if (template !== undefined) {
      return { template: compileTemplate(objectOrEmpty(template), [...path, 'template'], compiler) };
    }
    if (expression === '') throw new CompileFailure([required(path, 'one of expression or template must be set')]);
    return { expression: compiler.compile(expression, [BOOL], [...path, 'expression']) };
  });
}

export class GeneratingPolicy {
  readonly written: WrittenCelPolicy;
  readonly #compiled: Compiled;
  readonly #environments: KyvernoEnvironments;

  constructor(written: WrittenCelPolicy, compiled: Compiled, environments: KyvernoEnvironments) {
    this.written = written;
    this.#compiled = compiled;
    this.#environments = environments;
  }

  /** Empty if the policy does not match, including its conditions. Throws `Undecided`. */
  generate(subject: CelPolicySubject): CelGeneration {
    this.#environments.sources = subject.sources;
    const generated: GeneratedObject[] = [];
    const response = this.#response(subject, generated);
    return {
      responses: response === undefined ? [] : [response],
      generated: response?.status === 'pass' ? generated : [],
    };
  }

  #response(subject: CelPolicySubject, generated: GeneratedObject[]): CelResponse | undefined {
    const { constraints, matchConditions, variables, generations, auditAnnotations, exceptions } = this.#compiled;
    const matches = matchesConstraints(constraints, subject.request, subject.namespaceLabels, subject.openNamespace);
    if (matches === false) return undefined;
    if (matches !== true) return this.#failed(`failed to execute matching: ${matches.error}`);
    const collect = (namespace: string, objects: readonly JsonObject[]): void => {
      append(
        generated,
        objects.map((object) => ({ namespace, object })),
      );
    };
    const activation = new PolicyActivation(responseData(subject), subject.sources, false, collect);
    const exempted = applyExceptions(exceptions, activation, false);
    if ('error' in exempted) return this.#failed(`failed to evaluate policy: ${exempted.error}`);
    if ('exempting' in exempted) return exemptedResponse(exempted.exempting, 'Generation');
    activation.bindExceptions(exempted.allowed);
    const applies = evaluateCelConditions(matchConditions, activation);
    if (typeof applies === 'object') return this.#failed(`failed to evaluate policy: ${applies.error}`);
    if (!applies) return undefined;
    activation.bindVariables(variables);
    for (const generation of generations) {
      const problem = this.#generate(generation, activation, collect);
      if (problem !== undefined) return this.#failed(`failed to evaluate policy: ${problem}`);
    }
    const problem = annotationProblem(auditAnnotations, activation, '"');
    if (problem !== undefined) return this.#failed(`failed to evaluate policy: ${problem}`);
    return { rule: this.written.name, type: 'Generation', status: 'pass', message: 'policy evaluated successfully' };
  }

  #generate(
    generation: GenerationEntry,
    activation: PolicyActivation,
    collect: (namespace: string, objects: readonly JsonObject[]) => void,
  ): string | undefined {
    if ('expression' in generation) {
      const value = activation.ask(generation.expression);
      return value instanceof ErrorValue ? value.message : undefined;
    }
    const objects = renderTemplate(generation.template, activation);
    if ('error' in objects) return `failed to render generation template: ${objects.error}`;
    const own = this.written.namespace;
    for (const object of objects) {
      const namespace = textField(objectOrEmpty(object.get('metadata')), 'namespace') || own;
      if (own !== '' && namespace !== own) {
        const what = `a policy in namespace "${own}" cannot generate resources into namespace "${namespace}"`;
        return `cross-namespace generation denied: ${what}`;
      }
      collect(namespace, [object]);
    }
    return undefined;
  }

  #failed(message: string): CelResponse {
    return { rule: this.written.name, type: 'Generation', status: 'error', message };
  }
}
