// What the workflow run is about: read from the environment and the event's payload, and judged safe or not.
import { createHash } from 'node:crypto';

export interface EventContext {
  readonly eventName: string;
  readonly repository: Repository;
  /** The commit people look at: the pull request's head, not the merge commit the runner checked out. */
  readonly headSha: string;
  /** What to compare with; absent where the event has no such commit (schedule, workflow_dispatch, a new branch). */
  readonly baseSha?: string;
  /** Name of the branch that a pull request is to be merged into. */
  readonly baseName?: string;
  /** True when the token is read-only as a rule, because the head belongs to another repository or to Dependabot. */
  readonly isFork: boolean;
  readonly pullRequest?: number;
  /** True when the run is about the newest state of the default branch. */
  readonly isDefaultBranch: boolean;
  /** Tells a run's attempts apart from each other and from every other run. */
  readonly runKey: string;
  readonly runUrl: string;
  /** Tells the jobs of a repository's workflows apart, those of one matrix too, and is the same in every run; absent if nothing does. */
  readonly jobKey?: string;
}

export interface Repository {
  readonly owner: string;
  readonly name: string;
}

export type StepEnvironment = Readonly<Record<string, string | undefined>>;

export type EventReading =
  | { readonly context: EventContext; readonly refusal?: undefined }
  | { readonly context?: undefined; readonly refusal: string };

export interface EventOptions {
  /** Set when the workflow asked for it by the input of that name. */
  readonly allowPullRequestTarget: boolean;
  /** The values that the job has of its matrix, as JSON. */
  readonly matrix?: string;
}

/** Pure; every SHA in the result is 40 or 64 hexadecimal digits. The payload is taken for unknown data. */
export function readEvent(environment: StepEnvironment, payload: unknown, options: EventOptions): EventReading {
  const eventName = environment['GITHUB_EVENT_NAME'] ?? '';
  if (eventName === '') return { refusal: 'not a workflow run: GITHUB_EVENT_NAME is not set' };
  if (eventName === 'pull_request_target' && !options.allowPullRequestTarget) return { refusal: TARGET_REFUSAL };
  const repository = repositoryOf(environment['GITHUB_REPOSITORY']);
  if (repository === undefined) return { refusal: 'GITHUB_REPOSITORY is not `owner/name`' };
  const commits = commitsOf(eventName, payload, environment);
  const headSha = sha(commits.head) ?? sha(environment['GITHUB_SHA']);
  if (headSha === undefined) return { refusal: `no commit to report on: the event \`${eventName}\` names none` };
  const baseSha = sha(commits.base);
  const number = field(payload, 'pull_request', 'number');
  const baseName = field(payload, 'pull_request', 'base', 'ref');
  return {
    context: {
      eventName,
      repository,
      headSha,
      ...(baseSha !== undefined && { baseSha }),
      ...(typeof baseName === 'string' && { baseName }),
      isFork: isFork(payload, environment),
      ...(typeof number === 'number' && Number.isSafeInteger(number) && { pullRequest: number }),
      isDefaultBranch: isDefaultBranch(eventName, payload, environment),
      runKey: `${environment['GITHUB_RUN_ID'] ?? '0'}-${environment['GITHUB_RUN_ATTEMPT'] ?? '1'}`,
      runUrl: runUrl(environment, repository),
      ...jobKey(environment, options.matrix),
    },
  };
}

const TARGET_REFUSAL =
  '`pull_request_target` runs with a write token and secrets on content the pull request controls; use `pull_request`, ' +
  'or set the input `allow-pull-request-target: true` if the checkout is the base branch only';

interface Commits {
  readonly head: unknown;
  readonly base: unknown;
}

function commitsOf(eventName: string, payload: unknown, environment: StepEnvironment): Commits {
  switch (eventName) {
    case 'pull_request':
    case 'pull_request_target':
      return {
        head: field(payload, 'pull_request', 'head', 'sha'),
        base: field(payload, 'pull_request', 'base', 'sha'),
      };
    case 'merge_group':
      return { head: field(payload, 'merge_group', 'head_sha'), base: field(payload, 'merge_group', 'base_sha') };
    case 'push':
      return { head: environment['GITHUB_SHA'], base: field(payload, 'before') };
    default:
      return { head: environment['GITHUB_SHA'], base: undefined };
  }
}

function isDefaultBranch(eventName: string, payload: unknown, environment: StepEnvironment): boolean {
  if (eventName === 'schedule') return true;
  const name = field(payload, 'repository', 'default_branch');
  const isBranch = eventName === 'push' || eventName === 'workflow_dispatch';
  return isBranch && typeof name === 'string' && environment['GITHUB_REF'] === `refs/heads/${name}`;
}

function isFork(payload: unknown, environment: StepEnvironment): boolean {
  if (environment['GITHUB_ACTOR'] === 'dependabot[bot]') return true;
  if (field(payload, 'pull_request') === undefined) return false;
  const head = field(payload, 'pull_request', 'head', 'repo', 'full_name');
  // The head's repository is null once a fork was deleted.
  return typeof head !== 'string' || head !== field(payload, 'pull_request', 'base', 'repo', 'full_name');
}

function repositoryOf(text: string | undefined): Repository | undefined {
  const [, owner, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(text ?? '') ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}

/** A digest, as a matrix may be long. */
function jobKey(environment: StepEnvironment, matrix: string | undefined): Pick<EventContext, 'jobKey'> {
  const parts = [environment['GITHUB_WORKFLOW'] ?? '', environment['GITHUB_JOB'] ?? '', matrix ?? ''];
  if (parts.every((part) => part === '')) return {};
  return { jobKey: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16) };
}

function runUrl(environment: StepEnvironment, { owner, name }: Repository): string {
  const server = environment['GITHUB_SERVER_URL'] ?? 'https://github.com';
  const run = environment['GITHUB_RUN_ID'];
  return run === undefined ? `${server}/${owner}/${name}` : `${server}/${owner}/${name}/actions/runs/${run}`;
}

/** All zeros stand for "no commit" in push events. */
function sha(value: unknown): string | undefined {
  const valid = typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) && !/^0+$/.test(value);
  return valid ? value : undefined;
}

function field(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
