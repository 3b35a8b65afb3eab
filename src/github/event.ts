// Reads the context of a workflow run from the environment and the event payload, and rejects unsafe events.
import { createHash } from 'node:crypto';

export interface EventContext {
  readonly eventName: string;
  readonly repository: Repository;
  /** The pull request's head commit, not the merge commit that the runner checked out. */
  readonly headSha: string;
  /** The commit to compare with; absent if the event has none (schedule, workflow_dispatch, a new branch). */
  readonly baseSha?: string;
  /** Target branch of a pull request. */
  readonly baseName?: string;
  /** True if the head belongs to another repository or to Dependabot, so that the token is usually read-only. */
  readonly isFork: boolean;
  readonly pullRequest?: number;
  /** True if the run is about the newest commit of the default branch. */
  readonly isDefaultBranch: boolean;
  /** Unique for each attempt of each run. */
  readonly runKey: string;
  readonly runUrl: string;
  /** Identifies a job, including its matrix values, across runs; absent if the environment does not identify the job. */
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
  /** Value of the input `allow-pull-request-target`. */
  readonly allowPullRequestTarget: boolean;
  /** The job's matrix values as JSON. */
  readonly matrix?: string;
}

/** Pure. Every SHA in the result has 40 or 64 hexadecimal digits. The payload is untrusted. */
export function readEvent(environment: StepEnvironment, payload: unknown, options: EventOptions): EventReading {
  const eventName = environment['GITHUB_EVENT_NAME'] ?? '';
  if (eventName === '') return { refusal: 'not a workflow run: GITHUB_EVENT_NAME is not set' };
  if (eventName === 'pull_request_target' && !options.allowPullRequestTarget) return { refusal: TARGET_REFUSAL };
  const repository = repositoryOf(environment['GITHUB_REPOSITORY']);
  if (repository === undefined) return { refusal: 'GITHUB_REPOSITORY is not `owner/name`' };
  const commits = commitsOf(eventName, payload, environment);
  const headSha = sha(commits.head) ?? sha(environment['GITHUB_SHA']);
  if (headSha === undefined) return { refusal: `no commit to report on: the event \`${eventName}\` has none` };
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
  // The head's repository is null if the fork was deleted.
  return typeof head !== 'string' || head !== field(payload, 'pull_request', 'base', 'repo', 'full_name');
}

function repositoryOf(text: string | undefined): Repository | undefined {
  const [, owner, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(text ?? '') ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}

/** A digest, because a matrix may be long. */
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

/** In push events, all zeros mean "no commit". */
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
