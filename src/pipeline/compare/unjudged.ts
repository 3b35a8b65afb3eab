// What of each state could not be judged: hidden objects, skipped files, targets without objects or policies.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { MatchedObjects } from '../../engine/object/match-objects.ts';
import type { SkippedEntry } from '../../report/report.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import { emptyTarget, unjudgedCluster } from '../clusters/empty-targets.ts';
import type { RepositoryContent } from '../state/read-repository.ts';
import { isUnusedValuesFile } from '../state/unused-values.ts';
import type { ComparedRules } from './compared-rules.ts';
import type { ComparedStates } from './compared-states.ts';
import { type JudgedState, noLongerEvaluated } from './no-longer-evaluated.ts';
import type { StateDiagnostics } from './state-diagnostics.ts';
import type { TargetStates } from './target-states.ts';

/** Objects that the change hides from the policies. */
export function unjudgedObjects({ input, scope, ...states }: ComparedStates): StateDiagnostics {
  const judged = (state: 'base' | 'head'): JudgedState => ({
    state: input[state],
    content: states[state],
    fixtures: scope.classifiers?.[state].fixtures ?? new Set(),
    touched: new Set(input.touched),
  });
  const isSame = input.base.files === input.head.files;
  if (isSame) return { base: [], head: [] };
  const unused = unusedValues(states.head, [...scope.changed, ...(input.touched ?? [])]);
  return { base: [], head: [...noLongerEvaluated(judged('base'), judged('head')), ...unused] };
}

function unusedValues({ roots }: RepositoryContent, changed: readonly string[]): readonly Diagnostic[] {
  const paths = new Set(changed.filter((path) => isUnusedValuesFile(path, roots)));
  return Array.from(paths, (path): Diagnostic => {
    return {
      code: 'not-rendered',
      severity: 'warning',
      message: 'nothing in the repository renders the chart with these values, so their effect is unknown',
      primary: { file: new SourceFile(path, ''), range: { start: 0, end: 0 } },
      related: [],
      help: 'name the file in the object that applies the chart, or delete it',
    };
  });
}

/** Without files that the change does not concern, and those that base could not read either. */
export function skippedEntries({ input, scope, isAll, base, head, given }: ComparedStates): readonly SkippedEntry[] {
  if (isAll) return [...head.skipped, ...given.head.skipped];
  const keyOf = ({ path, reason }: { readonly path: string; readonly reason: string }): string => `${reason}\0${path}`;
  const notReadBefore = new Set([...input.base.notRead, ...base.skipped].map(keyOf));
  const inHead = new Set(input.head.files.map(({ file }) => file.path));
  return head.skipped.filter(
    (entry) => scope.examined.has(entry.path) || (!inHead.has(entry.path) && !notReadBefore.has(keyOf(entry))),
  );
}

/** A target without objects or policies is an error only if both states were read completely. */
export function unjudgedTarget(
  { isAll, base }: ComparedStates,
  target: TargetStates,
  { verdict, also }: ComparedRules,
  objects: MatchedObjects,
): StateDiagnostics {
  const { planned, languages } = target;
  const emptyIn = (state: 'base' | 'head') => (isAll ? emptyTarget(planned.configured, target[state], languages) : []);
  const hasPolicies = verdict.policies.length > 0 || (also !== undefined && also.policies.length > 0);
  const isUnjudged = target.isNew && !hasPolicies;
  const unjudged = isUnjudged ? unjudgedCluster(target.head.name, objects.created, base.resources, languages) : [];
  return { base: emptyIn('base'), head: [...emptyIn('head'), ...unjudged] };
}
