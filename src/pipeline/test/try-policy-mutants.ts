// Measures whether tests detect changes of a policy: runs each mutant with every test file of the policy.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { PolicyExpression } from '../../policy/explanation/policy-coverage.ts';
import { type PolicyMutant, policyMutants } from '../../policy/explanation/policy-mutants.ts';
import { type MutationScore, type UnnoticedChange, unnoticedChange } from '../../report/explanation/test-coverage.ts';
import { type MutantOutcome, type PolicyTestInput, testedPolicies, tryMutant } from './run-policy-tests.ts';

/** All tests must pass with the original policies. Mutants that the API server would reject are not counted. */
export function tryPolicyMutants(files: readonly PolicyTestInput[]): MutationScore {
  const expressions = new Map<string, PolicyExpression>();
  const suites = new Map<Resource, PolicyTestInput[]>();
  for (const input of files) {
    const tested = testedPolicies(input);
    if (tested === undefined) continue;
    for (const resource of tested.resources) suites.set(resource, [...(suites.get(resource) ?? []), input]);
    for (const expression of tested.expressions) expressions.set(keyOf(expression), expression);
  }
  const unnoticed: UnnoticedChange[] = [];
  let tried = 0;
  for (const mutant of [...expressions.values()].flatMap(policyMutants)) {
    const concerned = suites.get(mutant.original.policy.resource) ?? [];
    const outcomes = concerned.map((input) => outcomeOf(mutant, input));
    if (outcomes.includes('refused')) continue;
    tried += 1;
    if (!outcomes.includes('noticed')) unnoticed.push(unnoticedChange(mutant));
  }
  return { noticed: tried - unnoticed.length, tried, unnoticed };
}

/** Equal for expressions of one resource and field. */
function keyOf({ policy: { kind, name, resource }, field }: PolicyExpression): string {
  return JSON.stringify([resource.manifest.file.path, resource.rootPath, kind, name, field]);
}

function outcomeOf({ original, policy }: PolicyMutant, input: PolicyTestInput): MutantOutcome {
  const { coverage: _, ...plain } = input;
  const replaced = new Map([[original.policy.resource, policy]]);
  return tryMutant({ ...plain, replaced }, policy, original.field);
}
