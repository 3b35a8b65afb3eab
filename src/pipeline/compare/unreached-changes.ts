// What a change means for files that no controller applies: it touches them, it makes them so, or it adds the first controller's root.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { RepositoryContent } from '../state/read-repository.ts';
import { counted } from '../state/unreached.ts';
import type { ComparedStates } from './compared-states.ts';
import type { StateDiagnostics } from './state-diagnostics.ts';

export function unreachedChanges({ base, head, scope, input }: ComparedStates): StateDiagnostics {
  if (input.configuration.unreached === 'judge') return { base: [], head: [] };
  return { base: [], head: [...touched(head, scope.changed), ...disabled(base, head), ...firstRoots(base, head)] };
}

function touched({ unreached, paths }: RepositoryContent, changed: Iterable<string>): readonly Diagnostic[] {
  const count = [...changed].filter((path) => paths.has(path) && unreached.has(path)).length;
  if (count === 0) return [];
  const what = `${counted(count, 'changed file')} ${count === 1 ? 'is' : 'are'}`;
  return [
    noticeOf(
      `${what} not evaluated, because no controller's root in the repository leads to ${count === 1 ? 'it' : 'them'}`,
    ),
  ];
}

/**
 * Without `prune`, Flux and Argo CD leave the objects in the cluster. Flux also leaves those of a suspended Kustomization. Files that are
 * judged nevertheless are those that the change edits, and those below a root of base that another kustomization now surrounds.
 */
function disabled(base: RepositoryContent, head: RepositoryContent): readonly Diagnostic[] {
  if (base.reach === undefined || head.reach === undefined) return [];
  const applied = new Set([
    ...base.inputs.keys(),
    ...base.resources.map(({ resource }) => resource.manifest.file.path),
  ]);
  const gone = [...applied].filter(
    (path) => head.paths.has(path) && base.reach?.takes(path) === true && head.reach?.takes(path) === false,
  );
  const deleted = gone.filter((path) => head.unreached.has(path)).length;
  const judged = gone.length - deleted;
  const words = (count: number): string =>
    `after this change, no controller's root leads to ${counted(count, 'file')} that controllers apply now`;
  return [
    ...(deleted === 0
      ? []
      : [
          noticeOf(
            `${words(deleted)}: the objects count as deleted, which is what a controller does only if it prunes`,
          ),
        ]),
    ...(judged === 0
      ? []
      : [noticeOf(`${words(judged)}: they are evaluated in this comparison, but not in later ones`)]),
  ];
}

/** Files that base judges stay judged in this comparison, but not in later ones. */
function firstRoots(base: RepositoryContent, head: RepositoryContent): readonly Diagnostic[] {
  if (base.reach !== undefined || head.reach === undefined) return [];
  const paths = new Set(head.resources.map(({ resource }) => resource.manifest.file.path));
  const count = [...paths].filter((path) => head.reach?.takes(path) === false).length;
  if (count === 0) return [];
  return [
    {
      ...noticeOf(
        `this change adds the first controller's root; once it is merged, ${counted(count, 'file')} that it does not lead to ${count === 1 ? 'is' : 'are'} no longer evaluated`,
      ),
      severity: 'warning',
    },
  ];
}

function noticeOf(message: string): Diagnostic {
  return {
    code: 'unreached',
    severity: 'notice',
    message,
    related: [],
    help: 'if something else applies the files, set `unreached: judge` in `.preadmit.yaml`',
  };
}
