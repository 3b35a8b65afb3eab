// Which two commits a workflow run is about, found in the checkout however shallow it is; or why there is nothing to compare.
import type { EventContext, StepEnvironment } from '../../github/event.ts';
import { trimRight } from '../../go/strings/trim.ts';
import type { ObjectId } from '../../workspace/git/git-output.ts';
import { type FetchOptions, GitRepository } from '../../workspace/git/git-repository.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';

export interface FoundChange {
  readonly repository: GitRepository;
  readonly base: ObjectId;
  readonly head: ObjectId;
}

export type ChangeSearch =
  | { readonly change: FoundChange; readonly missing?: undefined }
  /** `missing`: why the change that the event is about cannot be compared; undefined for events that are about none. */
  | { readonly change?: undefined; readonly missing: MissingChange | undefined };

export interface MissingChange {
  readonly reason: string;
  /** What to do about it; absent where the event itself has nothing to be compared with, such as a push to a new branch. */
  readonly help?: string;
}

const HELP =
  'give the step a token that may read the repository, or check out with `fetch-depth: 0`; `only: all` checks the whole repository by the policies of the change';

export interface FindOptions {
  /** Anywhere in the checkout. */
  readonly directory: string;
  readonly environment: StepEnvironment;
  readonly token: string | undefined;
}

const COMPARED_EVENTS: readonly string[] = ['pull_request', 'merge_group', 'push'];

export async function findChange(context: EventContext, options: FindOptions): Promise<ChangeSearch> {
  if (!COMPARED_EVENTS.includes(context.eventName)) return { missing: undefined };
  if (context.baseSha === undefined && context.eventName !== 'pull_request') {
    return { missing: { reason: 'the event names no commit to compare with, as for a new branch' } };
  }
  try {
    const repository = await GitRepository.open(options.directory);
    if (repository === undefined) return { missing: unreadable('the working directory is not in a Git checkout') };
    const head = await repository.resolveCommit('HEAD');
    if (head === undefined) return { missing: unreadable('the checkout has no commit') };
    const base = await findBase(repository, head, context, options);
    return typeof base === 'string' ? { change: { repository, base, head } } : { missing: base };
  } catch (error) {
    if (error instanceof WorkspaceError) return { missing: unreadable(error.message) };
    throw error;
  }
}

function unreadable(reason: string): MissingChange {
  return { reason, help: HELP };
}

async function findBase(
  repository: GitRepository,
  head: ObjectId,
  context: EventContext,
  options: FindOptions,
): Promise<ObjectId | MissingChange> {
  const isPullRequest = context.eventName === 'pull_request';
  const merged = isPullRequest ? await baseOfMergeCommit(repository, head, context, options) : undefined;
  const commit = merged ?? context.baseSha;
  if (commit === undefined) return unreadable('the event names no commit to compare with');
  if (!isPullRequest || merged !== undefined) {
    await repository.fetchCommit(commit, fetchOptions(options, context));
    return commit;
  }
  // The tip of the base branch may hold more than the pull request started from; that is not undone by it.
  const common = await repository.fetchMergeBase(commit, head, fetchOptions(options, context));
  return common ?? unreadable('the checkout and the base of the pull request have no ancestor in common');
}

export function fetchOptions({ token, environment }: FindOptions, { repository }: EventContext): FetchOptions {
  const server = environment['GITHUB_SERVER_URL'];
  if (server === undefined) return token === undefined ? {} : { token };
  const alternative = `${trimRight(server, '/')}/${repository.owner}/${repository.name}.git`;
  return { server, ...(token !== undefined && { token, alternative }) };
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
