// Maps report locations from the checked merge commit to the head commit, whose lines the pull request shows.
import type { EventContext } from '../../github/event.ts';
import { type MovedReport, movePlaces, placedPaths } from '../../report/location/move-places.ts';
import type { Report } from '../../report/report.ts';
import { GitRepository } from '../../workspace/git/git-repository.ts';
import type { LineMap } from '../../workspace/git/line-map.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { type FindOptions, type FoundChange, fetchOptions } from './find-change.ts';

/** Each file costs a Git process; findings in further files get no line link. */
const MAX_COMPARED_FILES = 200;

export type ShownReport = MovedReport & {
  /** Why the report keeps the lines of the merge commit. */
  readonly problem?: string;
};

/** Repository and head commit of the checkout, for runs without a change; undefined if the checkout is unreadable. */
export async function checkedOut({
  directory,
}: FindOptions): Promise<Pick<FoundChange, 'repository' | 'head'> | undefined> {
  try {
    const repository = await GitRepository.open(directory);
    const head = await repository?.resolveCommit('HEAD');
    return repository === undefined || head === undefined ? undefined : { repository, head };
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

export async function shownReport(
  report: Report,
  { repository, head }: Pick<FoundChange, 'repository' | 'head'>,
  context: EventContext,
  options: FindOptions,
): Promise<ShownReport> {
  const { headSha } = context;
  const paths = placedPaths(report);
  if (headSha === head || paths.size === 0) return { report, lost: new Set() };
  try {
    await repository.fetchCommit(headSha, fetchOptions(options, context));
    const changes = (await repository.changedFiles(headSha, head)).filter(({ path }) => paths.has(path));
    const maps = new Map<string, LineMap>();
    for (const { path, from, to } of changes) {
      if (from?.id === to?.id) continue;
      const isComparable = from !== undefined && to !== undefined && maps.size < MAX_COMPARED_FILES;
      maps.set(path, isComparable ? await repository.lineMap(headSha, head, path) : () => undefined);
    }
    return movePlaces(report, (path, line) => {
      const map = maps.get(path);
      return map === undefined ? line : map(line);
    });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const { suggestions: _, ...known } = report;
    return { report: known, lost: new Set(), problem: error.message };
  }
}
