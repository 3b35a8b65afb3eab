// Explains the result of a Kyverno CEL policy: the comparisons of its constraints, then every expression that ran.
import { ErrorValue, type Value } from '../../../cel/value/value.ts';
import { isSecretKind } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import {
  type ExplanationStep,
  type ObservedExpression,
  type PolicyExplanation,
  resultInOrder,
  type StepResult,
} from '../../explanation/explanation.ts';
import { explainMatch } from '../../matching/explain-match.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { KyvernoPanic, Undecided } from '../rule/rule-response.ts';
import type { NamedCelPolicy } from './cel-policy-outcome.ts';
import type { CelPolicySubject, CelResponse } from './cel-response.ts';
import { matchesConstraints } from './match-constraints.ts';
import type { CelProgram } from './program-compiler.ts';

export interface ExplainedCelPolicy {
  readonly policy: NamedCelPolicy;
  /** Constraints of the policy and of its variants for controllers. */
  readonly constraints: readonly (MatchResources | undefined)[];
  readonly isRefused: boolean;
  readonly cluster: Cluster;
  /** By `namespace/name`. */
  readonly exception: (key: string) => Resource | undefined;
  /** True if other policies may change the object first. */
  readonly isBeforeOthers?: boolean;
  /** Evaluates the policy. Throws `Undecided`, `KyvernoPanic`. */
  readonly ask: (subject: CelPolicySubject) => readonly CelResponse[];
}

/** An expression that ran. `observed` is absent if it could not finish. */
interface Ran {
  readonly program: CelProgram;
  observed?: ObservedExpression;
}

const CONSTRAINTS: FieldPath = ['spec', 'matchConstraints'];

export function explainCelPolicy(explained: ExplainedCelPolicy, subject: CelPolicySubject): PolicyExplanation {
  const { identity } = explained.policy;
  const ways = waySteps(explained, subject);
  const says = 'evaluated with the object before other MutatingPolicies change it';
  const remarks: readonly ExplanationStep[] = explained.isBeforeOthers ? [{ result: 'passes', says }] : [];
  const isOver = ways.some(({ result }) => result !== 'passes');
  const steps = isOver ? ways : [...ways, ...remarks, ...runSteps(explained, subject)];
  return { policy: identity, result: resultInOrder(steps), steps };
}

function waySteps(
  { policy: { identity, written }, constraints, isRefused, cluster }: ExplainedCelPolicy,
  { request, namespaceLabels, openNamespace }: CelPolicySubject,
): readonly ExplanationStep[] {
  const { resource } = identity;
  const step = (result: StepResult, says: string, field: FieldPath): ExplanationStep => {
    return { result, says, by: { resource, field } };
  };
  if (isRefused) return [step('stops', 'the policy does not compile in Kyverno, so it has no effect', ['spec'])];
  const evaluation = objectOrEmpty(written.spec.get('evaluation'));
  const mode = textField(evaluation, 'mode');
  if (!['', 'Kubernetes'].includes(mode)) {
    return [step('stops', `mode ${mode}: the policy does not apply to objects`, ['spec', 'evaluation', 'mode'])];
  }
  if (objectOrEmpty(evaluation.get('admission')).get('enabled') === false) {
    return [step('stops', 'the policy does not run at admission', ['spec', 'evaluation', 'admission'])];
  }
  if (written.namespace !== '' && written.namespace !== request.namespace) {
    const says = `the policy applies only to the namespace ${written.namespace}`;
    return [step('stops', says, ['metadata', 'namespace'])];
  }
  try {
    const chosen = constraints.findIndex(
      (each) => matchesConstraints(each, request, namespaceLabels, openNamespace) !== false,
    );
    const [own] = constraints;
    const shown = constraints[Math.max(chosen, 0)];
    if (shown === undefined || own === undefined) {
      return [step('stops', 'there are no matchConstraints, so nothing matches', ['spec'])];
    }
    const compared = explainMatch(shown, request, cluster, resource, CONSTRAINTS);
    if (chosen > 0) {
      const says = `the variant that Kyverno generates for controllers matches ${request.kind.kind}`;
      return [step('passes', says, CONSTRAINTS)];
    }
    const isStopped = compared.some(({ result }) => result !== 'passes');
    if (chosen === 0 || isStopped) return compared;
    return [...compared, step('stops', 'Kyverno does not match other versions of the kind', CONSTRAINTS)];
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return [step('unknown', `matchConstraints depend on ${error.message}`, CONSTRAINTS)];
  }
}

function runSteps(explained: ExplainedCelPolicy, subject: CelPolicySubject): readonly ExplanationStep[] {
  const { policy, ask } = explained;
  const { resource } = policy.identity;
  const ran: Ran[] = [];
  const watch = (program: CelProgram, run: () => ObservedExpression): Value => {
    const one: Ran = { program };
    ran.push(one);
    one.observed = run();
    return one.observed.trace.value;
  };
  const own = (result: StepResult, says: string, field: FieldPath): ExplanationStep => {
    return { result, says, by: { resource, field } };
  };
  const isSecret = isSecretKind(subject.request.kind);
  try {
    const responses = ask({ ...subject, sources: { ...subject.sources, watch } });
    const steps = ran.map((one) => ranStep(one, explained, responses, isSecret));
    return [...steps, ...otherResponses(responses, ran, own)];
  } catch (error) {
    if (!(error instanceof Undecided || error instanceof KyvernoPanic)) throw error;
    const isCrash = error instanceof KyvernoPanic;
    const says = isCrash ? `Kyverno crashes: ${error.message}` : `depends on ${error.message}`;
    const unfinished = ran.find(({ observed }) => observed === undefined);
    const steps = ran.filter((one) => one !== unfinished).map((one) => ranStep(one, explained, [], isSecret));
    const field = unfinished?.program.path ?? ['spec'];
    const named = unfinished === undefined ? '' : `${nameOf(unfinished.program, policy.identity.resource)}: `;
    return [...steps, own(isCrash ? 'error' : 'unknown', `${named}${says}`, field)];
  }
}

/** Lists whose expressions select objects; all others report violations. */
const CHOOSING: readonly unknown[] = ['matchConditions', 'conditions', 'targetMatchConditions'];

function ranStep(
  { program, observed }: Ran,
  { policy, exception }: ExplainedCelPolicy,
  responses: readonly CelResponse[],
  isSecret: boolean,
): ExplanationStep {
  const value = observed?.trace.value;
  const [, list] = program.path;
  const source = program.exception === undefined ? policy.identity.resource : exception(program.exception);
  const shown = {
    ...(source && { by: { resource: source, field: program.path } }),
    ...(observed && !isSecret && { observed }),
  };
  const named = nameOf(program, source ?? policy.identity.resource);
  if (program.exception !== undefined) {
    const says = `PolicyException ${program.exception}: ${named} is ${value === true ? 'true' : 'not true'}`;
    return { result: 'passes', says, ...shown };
  }
  if (list === 'validations' && value !== true) {
    const response = responses.find(({ path }) => path === program.path);
    const message = response?.message ?? (value instanceof ErrorValue ? value.message : '');
    const result = response?.status === 'fail' ? 'fails' : 'error';
    return { result, says: message === '' ? named : `${named}: ${message}`, ...shown };
  }
  if (value instanceof ErrorValue) return { result: 'error', says: `${named}: ${value.message}`, ...shown };
  if (value === false && CHOOSING.includes(list)) return { result: 'stops', says: `${named} is false`, ...shown };
  return { result: 'passes', says: named, ...shown };
}

/** `source`: the policy or exception that contains it. */
function nameOf({ path }: CelProgram, { value }: Resource): string {
  const [, list = '', index = 0] = path;
  if (!CHOOSING.includes(list)) return typeof index === 'number' ? `${list}[${index}]` : `${list}.${index}`;
  const entries = objectItems(objectOrEmpty(value.get('spec')).get(String(list)));
  const name = textField(entries[Number(index)] ?? new Map(), 'name');
  const kind = String(list).replace(/s$/, '');
  return name === '' ? `${kind} ${index}` : `${kind} ${name}`;
}

/** Responses that belong to no traced expression. */
function otherResponses(
  responses: readonly CelResponse[],
  ran: readonly Ran[],
  step: (result: StepResult, says: string, field: FieldPath) => ExplanationStep,
): readonly ExplanationStep[] {
  return responses.flatMap((response): readonly ExplanationStep[] => {
    const { status, message, path, exceptions = [] } = response;
    if (ran.some(({ program }) => program.path === path)) return [];
    if (exceptions.length > 0) return [step('stops', message, ['metadata', 'name'])];
    if (status === 'pass' || status === 'skip') return [];
    const hasFailed = ran.some(({ program, observed }) => {
      return program.exception === undefined && observed?.trace.value instanceof ErrorValue;
    });
    if (status === 'error' && hasFailed) return [];
    return [step(status === 'fail' ? 'fails' : 'error', message, path ?? ['spec'])];
  });
}
