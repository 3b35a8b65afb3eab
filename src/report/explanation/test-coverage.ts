// Coverage and mutation score of policy tests, as plain JSON.
import type { CoveredPoint, PolicyCoverage, PolicyExpression } from '../../policy/explanation/policy-coverage.ts';
import type { PolicyMutant } from '../../policy/explanation/policy-mutants.ts';
import { formatFieldPath } from '../../source/node/field-path.ts';
import { ruleName } from '../wording/wording.ts';
import { type Lines, linesOf } from './explanation.ts';

/** Counts outcomes: a condition was true, a condition was false, or an expression was reached. */
export interface TestCoverage {
  readonly covered: number;
  readonly total: number;
  /** In the order in which they were read. */
  readonly policies: readonly PolicyTestCoverage[];
  readonly missing: readonly MissingOutcome[];
  /** Every part of every expression, for other coverage formats. */
  readonly parts: readonly CoveredPart[];
}

export interface PolicyTestCoverage {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
  readonly covered: number;
  readonly total: number;
}

export interface MissingOutcome {
  readonly policy: string;
  /** `validations[0]`; for a binding, its kind and name. */
  readonly rule: string;
  readonly place: Lines;
  /** Text of the part, on one line. */
  readonly text: string;
  readonly what: 'never reached' | 'never true' | 'never false' | 'never applies';
  /** Set for a whole validation that no test makes fail. */
  readonly isUnfailed?: true;
}

export interface CoveredPart {
  readonly path: string;
  readonly line: number;
  readonly policy: string;
  /** Which outcomes were seen: two for a condition, one otherwise. */
  readonly outcomes: readonly boolean[];
}

export function testCoverage(coverage: PolicyCoverage): TestCoverage {
  const counts = new Map<
    PolicyExpression['policy']['resource'],
    { covered: number; total: number; of: PolicyExpression['policy'] }
  >();
  const missing: MissingOutcome[] = [];
  const parts: CoveredPart[] = [];
  for (const point of coverage.points()) {
    const { policy } = point.expression;
    const outcomes = outcomesOf(point);
    const own = counts.get(policy.resource) ?? { covered: 0, total: 0, of: policy };
    own.covered += outcomes.filter(Boolean).length;
    own.total += outcomes.length;
    counts.set(policy.resource, own);
    const place = placeOfPoint(point);
    parts.push({ path: place.path, line: place.startLine, policy: policy.name, outcomes });
    const what = missingOutcome(point);
    if (what !== undefined)
      missing.push({
        policy: policy.name,
        rule: ruleOf(point.expression),
        place,
        text: textOf(point),
        what,
        ...(isUnfailed(point) && { isUnfailed: true }),
      });
  }
  const bindings = coverage.bindings();
  for (const { binding, applied } of bindings) {
    if (applied) continue;
    const place = linesOf(binding.locate(['metadata', 'name'], 'value'));
    const text = `${binding.gvk.kind} ${binding.name}`;
    missing.push({ policy: '', rule: text, place, text, what: 'never applies' });
  }
  const policies = [...counts.values()].map(({ of: { kind, name, resource }, covered, total }) => {
    return { kind, name, path: resource.manifest.file.path, covered, total };
  });
  const applied = bindings.filter((each) => each.applied).length;
  const sum = (key: 'covered' | 'total'): number => policies.reduce((all, policy) => all + policy[key], 0);
  return { covered: sum('covered') + applied, total: sum('total') + bindings.length, policies, missing, parts };
}

/** A whole validation expression that was never false. */
function isUnfailed({ expression: { ast, field }, nodeId, seenFalse }: CoveredPoint): boolean {
  const [, list, , last] = field;
  return !seenFalse && nodeId === ast.expr.id && list === 'validations' && last === 'expression';
}

function outcomesOf({ wants, isReached, seenTrue, seenFalse }: CoveredPoint): readonly boolean[] {
  return wants === 'either' ? [seenTrue, seenFalse] : [isReached];
}

function missingOutcome({ wants, isReached, seenTrue, seenFalse }: CoveredPoint): MissingOutcome['what'] | undefined {
  if (!isReached || (wants === 'either' && !seenTrue && !seenFalse)) return 'never reached';
  if (wants === 'reached' || (seenTrue && seenFalse)) return undefined;
  return seenTrue ? 'never false' : 'never true';
}

function placeOfPoint({ expression: { policy, field }, start, end }: CoveredPoint): Lines {
  return linesOf(policy.resource.locateText(field, start, end));
}

function textOf({ expression: { ast }, start, end }: CoveredPoint): string {
  return [...ast.text].slice(start, end).join('').replace(/\s+/g, ' ').trim();
}

function ruleOf({ field, variable }: PolicyExpression): string {
  return variable === undefined ? ruleName({ rule: { field: formatFieldPath(field) } }) : `variables.${variable}`;
}

/** A change of a policy that no test detects. */
export interface UnnoticedChange {
  readonly policy: string;
  readonly rule: string;
  readonly place: Lines;
  readonly change: string;
}

export interface MutationScore {
  /** Number of changes that a test detected. */
  readonly noticed: number;
  readonly tried: number;
  readonly unnoticed: readonly UnnoticedChange[];
}

export function unnoticedChange({ original, start, end, change }: PolicyMutant): UnnoticedChange {
  const { policy, field } = original;
  const place = linesOf(policy.resource.locateText(field, start, end));
  return { policy: policy.name, rule: ruleOf(original), place, change };
}
