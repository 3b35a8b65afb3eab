// DeletingPolicy and NamespacedDeletingPolicy: the objects that they would delete on schedule (Kyverno `pkg/cel/policies/dpol`).
import type { Value } from '../../../cel/value/value.ts';
import { labelsOf } from '../../../kubernetes/selector/label-selector.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems } from '../../../source/json/json-field.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { type CelException, compileExceptions, exceptionsNaming } from './cel-exceptions.ts';
import { readCelPolicy, type WrittenCelPolicy } from './cel-policy.ts';
import { type CelRefusal, compiledOrRefused } from './cel-refusal.ts';
import type { CelPolicySubject, CelResponse } from './cel-response.ts';
import type { KyvernoEnvironments } from './kyverno-environment.ts';
import { matchesConstraints, readMatchConstraints } from './match-constraints.ts';
import { evaluateCelConditions, PolicyActivation } from './policy-activation.ts';
import { type CelProgram, ProgramCompiler } from './program-compiler.ts';

interface Compiled {
  readonly constraints: MatchResources | undefined;
  readonly variables: ReadonlyMap<string, CelProgram>;
  readonly conditions: readonly CelProgram[];
  readonly exceptions: readonly CelException[];
}

export function compileDeletingPolicy(
  document: JsonObject,
  exceptions: readonly JsonObject[],
  environments: KyvernoEnvironments,
): DeletingPolicy | CelRefusal {
  const written = readCelPolicy(document);
  const { spec, namespace } = written;
  return compiledOrRefused('deleting policy compiler 1.18', () => {
    const compiler = new ProgramCompiler(environments, { namespace, hasPatchTypes: true, hasGenerator: false });
    compiler.compileVariables(spec);
    const constraints = readMatchConstraints(spec.get('matchConstraints'));
    return new DeletingPolicy(
      written,
      {
        // The controller matches objects, not requests, so operations are ignored.
        constraints: constraints && {
          ...constraints,
          resourceRules: constraints.resourceRules.map((rule) => ({ ...rule, operations: ['*'] })),
        },
        variables: compiler.variables,
        conditions: compiler.matchConditions(objectItems(spec.get('conditions')), 'conditions'),
        exceptions: compileExceptions(exceptionsNaming(exceptions, written.kind, written.name), compiler),
      },
      environments,
    );
  });
}

export class DeletingPolicy {
  readonly written: WrittenCelPolicy;
  readonly #compiled: Compiled;
  readonly #environments: KyvernoEnvironments;

  constructor(written: WrittenCelPolicy, compiled: Compiled, environments: KyvernoEnvironments) {
    this.written = written;
    this.#compiled = compiled;
    this.#environments = environments;
  }

  /** `pass` for an object that would be deleted. Empty if the policy does not match it. Throws `Undecided`. */
  evaluate(subject: CelPolicySubject): readonly CelResponse[] {
    this.#environments.sources = subject.sources;
    const { constraints, variables, conditions, exceptions } = this.#compiled;
    const { request, sources, namespaceLabels } = subject;
    const object: JsonObject = request.object ?? new Map();
    const isNamespace = request.kind.kind === 'Namespace' && request.kind.group === '';
    const labels = isNamespace ? labelsOf(object) : namespaceLabels;
    const matches = matchesConstraints(constraints, { ...request, operation: 'CREATE' }, labels);
    if (matches === false) return [];
    if (matches !== true) return [this.#response('error', matches.error)];
    const namespaceObject = isNamespace ? (subject.namespaceObject ?? object) : subject.namespaceObject;
    const data = new Map<string, Value>([
      ['object', object],
      ['namespaceObject', namespaceObject],
    ]);
    const activation = new PolicyActivation(data, sources);
    activation.bindVariables(variables);
    for (const { matchConditions } of exceptions) {
      const answer = evaluateCelConditions(matchConditions, activation);
      if (typeof answer === 'object') return [this.#response('error', answer.error)];
      if (answer) return [this.#response('fail', 'resource did not match')];
    }
    const answer = evaluateCelConditions(conditions, activation);
    if (typeof answer === 'object') return [this.#response('error', answer.error)];
    return [answer ? this.#response('pass', 'resource matched') : this.#response('fail', 'resource did not match')];
  }

  #response(status: CelResponse['status'], message: string): CelResponse {
    return { rule: this.written.name, type: 'Deletion', status, message };
  }
}
