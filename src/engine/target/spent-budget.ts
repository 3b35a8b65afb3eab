// Diagnostics for a run or a rule that exceeds its work limit.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { BudgetSpent, type RunBudget } from '../../kubernetes/request/run-budget.ts';
import type { AdmissionOutcome } from '../../policy/language/policy-language.ts';

/** Maximum number of names in a message. */
const MAX_NAMED = 3;

/** Empty unless the run's budget is spent. */
export function spentBudget(work: RunBudget): readonly Diagnostic[] {
  if (!work.isSpent) return [];
  const largest = work.largest(MAX_NAMED);
  const first = largest[0]?.resource;
  const spenders = largest.map(({ name, spent }) => `${name} ${share(spent, work.spent)}`);
  return [
    {
      code: 'too-much-work',
      severity: 'error',
      message: `the run stopped at its limit of ${work.limit} steps of work; most work: ${spenders.join(', ')}`,
      ...(first && { primary: first.locate(['metadata', 'name'], 'value') }),
      related: [],
      help: 'simplify the rules that take most work, check fewer files per run (`--shard`), or raise `workLimit` in `.preadmit.yaml`',
    },
  ];
}

/** Reports an object whose validation or policy evaluation stopped at the work limit. */
export function unfinishedWork(
  resource: Resource,
  isUnfinished: boolean,
  outcomes: readonly AdmissionOutcome[],
): readonly Diagnostic[] {
  const undecided = outcomes.flatMap(({ evaluations }) => evaluations.filter((evaluation) => evaluation.isUnfinished));
  const names = [...new Set(undecided.map(({ policy }) => `${policy.kind} ${policy.name}`))];
  if (isUnfinished) names.unshift(`the definition of ${resource.gvk.kind}`);
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return [
    {
      code: 'too-much-work',
      severity: 'error',
      message: `undecided: evaluation exceeds the work limit in ${names.slice(0, MAX_NAMED).join(', ')}${more}`,
      primary: resource.locate(['kind'], 'value'),
      related: [],
      help: 'make the rule cheaper: it also takes the API server time',
    },
  ];
}

function share(spent: number, all: number): string {
  const percent = Math.round((100 * spent) / all);
  return percent === 0 ? '(less than 1 %)' : `(${percent} %)`;
}

/** Empty if the run's budget is spent; `spentBudget` reports that. */
export function withinBudget<Item>(compute: () => readonly Item[]): readonly Item[] {
  try {
    return compute();
  } catch (reason) {
    if (reason instanceof BudgetSpent) return [];
    throw reason;
  }
}
