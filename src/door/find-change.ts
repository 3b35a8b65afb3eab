// Which two commits a workflow run is about, found in the checkout however shallow it is; or why there is nothing to compare.
import type { EventContext, StepEnvironment } from '../github/event.ts';
import type { ObjectId } from '../workspace/git/git-output.ts';
import { type FetchOptions, GitRepository } from '../workspace/git/git-repository.ts';
import { WorkspaceError } from '../workspace/workspace-error.ts';

export interface FoundChange {
  readonly repository: GitRepository;
  readonly base: ObjectId;
  readonly head: ObjectId;
}

export type ChangeSearch =
  | { readonly change: FoundChange; readonly reason?: undefined }
  /** `reason` is undefined for events that are about no change. */
  | { readonly change?: undefined; readonly reason: string | undefined };

export interface FindOptions {
  /** Anywhere in the checkout. */
  readonly directory: string;
  readonly environment: StepEnvironment;
  readonly token: string | undefined;
}

const COMPARED_EVENTS: readonly string[] = ['pull_request', 'merge_group', 'push'];

export async function findChange(context: EventContext, options: FindOptions): Promise<ChangeSearch> {
  if (!COMPARED_EVENTS.includes(context.eventName)) return { reason: undefined };
  try {
    const repository = await GitRepository.open(options.directory);
    if (repository === undefined) return { reason: 'the working directory is not in a Git checkout' };
    const head = await repository.resolveCommit('HEAD');
    if (head === undefined) return { reason: 'the checkout has no commit' };
    const base = await findBase(repository, head, context, options);
    return 'reason' in base ? base : { change: { repository, base: base.commit, head } };
  } catch (error) {
    if (error instanceof WorkspaceError) return { reason: error.message };
    throw error;
  }
}

type BaseSearch = { readonly commit: ObjectId } | { readonly reason: string };

async function findBase(
  repository: GitRepository,
  head: ObjectId,
  context: EventContext,
  options: FindOptions,
): Promise<BaseSearch> {
  const isPullRequest = context.eventName === 'pull_request';
  const merged = isPullRequest ? await baseOfMergeCommit(repository, head, context, options) : undefined;
  const commit = merged ?? context.baseSha;
  if (commit === undefined) return { reason: 'the event names no commit to compare with, as for a new branch' };
  await repository.fetchCommit(commit, fetchOptions(options));
  if (!isPullRequest || merged !== undefined) return { commit };
  // The tip of the base branch may hold more than the pull request started from; that is not undone by it.
  const common = await repository.mergeBase(commit, head);
  if (common !== undefined) return { commit: common };
  return {
    reason:
      'the checkout is not the merge commit of the pull request and shows no common ancestor with its base; check out without `ref`, or with `fetch-depth: 0`',
  };
}

export function fetchOptions({ token, environment }: FindOptions): FetchOptions {
  const server = environment['GITHUB_SERVER_URL'];
  return { ...(token !== undefined && { token }), ...(server !== undefined && { server }) };
}

/** First parent of the commit GitHub made to merge the pull request: with it, the difference is what merging would change. */
async function baseOfMergeCommit(
  repository: GitRepository,
  head: ObjectId,
  { headSha }: EventContext,
  { environment }: FindOptions,
): Promise<ObjectId | undefined> {
  const [base, merged, ...more] = await repository.mergeParents(head);
  if (base === undefined || merged === undefined || more.length > 0 || head === headSha) return undefined;
  return merged === headSha || environment['GITHUB_SHA'] === head ? base : undefined;
}
