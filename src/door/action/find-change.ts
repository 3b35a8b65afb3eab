// Finds the two commits of a workflow run, also in a shallow checkout, or the reason why none can be compared.
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
  /** `missing`: why the event's change cannot be compared; undefined for events without a change. */
  | { readonly change?: undefined; readonly missing: MissingChange | undefined };

export interface MissingChange {
  readonly reason: string;
  /** How to fix it; absent if the event has no base, for example a push to a new branch. */
  readonly help?: string;
}

const HELP =
  'give the step a token that can read the repository, or check out with `fetch-depth: 0`; `only: all` checks the whole repository with the policies of the change';

export interface FindOptions {
  /** Any directory inside the checkout. */
  readonly directory: string;
  readonly environment: StepEnvironment;
  readonly token: string | undefined;
}

const COMPARED_EVENTS: readonly string[] = ['pull_request', 'merge_group', 'push'];

export async function findChange(context: EventContext, options: FindOptions): Promise<ChangeSearch> {
  if (!COMPARED_EVENTS.includes(context.eventName)) return { missing: undefined };
  if (context.baseSha === undefined && context.eventName !== 'pull_request') {
    return { missing: { reason: 'the event has no base commit, for example because the branch is new' } };
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
  if (commit === undefined) return unreadable('the event has no base commit');
  if (!isPullRequest || merged !== undefined) {
    await repository.fetchCommit(commit, fetchOptions(options, context));
    return commit;
  }
  // The base branch may have moved on since the pull request began. Comparing with its tip would show those commits as reverted.
  const common = await repository.fetchMergeBase(commit, head, fetchOptions(options, context));
  return common ?? unreadable('the checkout and the base of the pull request have no common ancestor');
}

export function fetchOptions({ token, environment }: FindOptions, { repository }: EventContext): FetchOptions {
  const server = environment['GITHUB_SERVER_URL'];
  if (server === undefined) return token === undefined ? {} : { token };
  const alternative = `${trimRight(server, '/')}/${repository.owner}/${repository.name}.git`;
  return { server, ...(token !== undefined && { token, alternative }) };
}

/** First parent of GitHub's merge commit for the pull request: the difference to it is the effect of merging. */
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
