// Evaluates requests of tests against a server that contains only the test's policies and objects.

import { typedConverter } from '../../engine/conversion/typed-converter.ts';
import type { ObjectChange } from '../../engine/object/object-request.ts';
import { UNOBSERVED } from '../../engine/stages.ts';
import { TargetEvaluator } from '../../engine/target/target-evaluator.ts';
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { ActualFailure, ActualOutcome } from '../../report/explanation/policy-test.ts';
import { ValueMask } from '../../report/explanation/value-mask.ts';
import { ruleName } from '../../report/wording/wording.ts';
import { resolveConfiguration } from '../../settings/configuration.ts';
import type { WrittenRow } from '../../settings/policy-test-shape.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { formatFieldPath } from '../../source/node/field-path.ts';
import { Derivation, type SourceFile } from '../../source/text/source-file.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import { serverOf } from '../clusters/targets.ts';
import { languagesOf } from '../state/languages.ts';

export interface TestedServer {
  readonly policies: readonly Resource[];
  /** With the request's object and policies, these are the complete cluster. */
  readonly resources: readonly Resource[];
  readonly kubernetesVersion: string;
  readonly user?: NonNullable<WrittenRow['user']>;
  /** The server's own validation of built-in kinds. Absent: only their metadata is validated. */
  readonly serverValidation?: ServerValidation;
}

export function testEvaluator({
  policies,
  resources,
  kubernetesVersion,
  user,
  serverValidation,
}: TestedServer): TargetEvaluator {
  const { targets } = resolveConfiguration({ kubernetesVersion, ...(user && { user }) });
  const configured = targets[0] as (typeof targets)[number];
  const facts = [...policies, ...resources];
  const target = {
    ...serverOf(configured),
    ...(serverValidation && { serverValidation }),
    manifests: [],
    policies: facts,
    facts,
    isComplete: true,
  };
  return new TargetEvaluator(target, languagesOf(configured), typedConverter(target), UNOBSERVED);
}

/** The objects of a file with apiVersion, kind and name. All other documents are ignored. */
export function resourcesIn(file: SourceFile): readonly Resource[] {
  const found = readManifests(file).manifests.flatMap(resourcesOf);
  return found.flatMap((result) => ('resource' in result ? [result.resource] : []));
}

export const RESOURCES = new Derivation(resourcesIn);

/** Hides the values of Secrets in explanations of the change. */
export function maskOf(change: ObjectChange, lookedUp: ReadonlySet<string>): ValueMask {
  return new ValueMask([change.resource.value, change.operation === 'UPDATE' ? change.old.value : null], lookedUp);
}

export function outcomeOf(evaluator: TargetEvaluator, change: ObjectChange): Omit<ActualOutcome, 'applies'> {
  const { evaluated, unevaluated, diagnostics } = evaluator.evaluate(change);
  const lists = {
    denied: [] as ActualFailure[],
    warned: [] as ActualFailure[],
    audited: [] as ActualFailure[],
    undecided: [] as ActualFailure[],
  };
  const refusals = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  // The evaluator may run policies for a rejected object, to report more. A server does not.
  if (evaluated === undefined && unevaluated.reason === 'exempt-kind' && refusals.length === 0) {
    return { ...lists, refused: undefined, object: change.operation === 'DELETE' ? null : change.resource.value };
  }
  if (evaluated === undefined || refusals.length > 0) {
    return { ...lists, refused: refusals.join('; ') || unevaluated?.detail || 'it is not evaluated', object: null };
  }
  for (const evaluation of evaluated.outcomes.flatMap(({ evaluations }) => evaluations)) {
    const list = listOf(evaluation);
    if (list !== undefined) lists[list].push(failureOf(evaluation));
  }
  return {
    ...lists,
    refused: undefined,
    object: evaluated.request.object,
  };
}

/** Undefined for an error that failurePolicy Ignore ignores. */
function listOf({
  result,
  action,
  validationActions,
}: Evaluation): 'denied' | 'warned' | 'audited' | 'undecided' | undefined {
  if (result === 'unknown') return 'undecided';
  if (action === 'admit') return undefined;
  if (validationActions.includes('Deny')) return 'denied';
  return validationActions.includes('Warn') ? 'warned' : 'audited';
}

function failureOf({ policy, rule, message }: Evaluation): ActualFailure {
  return { policy: policy.name, rule: ruleName({ rule: { field: formatFieldPath(rule) } }), message };
}
