// A fake of GitHub's REST API on 127.0.0.1: validates requests and answers against the OpenAPI description and further rules.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv, type ValidateFunction } from 'ajv';
import { checkRunProblems } from './check-run-rules.ts';
import { FakeGitData } from './fake-git-data.ts';
import { FakePullRequest } from './fake-pull-request.ts';
import openapi from './github-openapi.generated.json' with { type: 'json' };

export type OperationId = keyof typeof openapi.operations;

export interface RecordedRequest {
  readonly operation: OperationId;
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  /** Status of the answer; 0 for none. */
  readonly status: number;
}

/** A failure of one request; failures apply in order. */
export interface Failure {
  readonly operation: OperationId;
  /** An error answer; `reset`: the connection is closed; `slow`: the correct answer after seconds; `silent`: no answer. */
  readonly with:
    | { readonly status: number; readonly headers?: Record<string, string>; readonly message: string }
    | 'reset'
    | 'slow'
    | 'silent';
  /** True: GitHub did the work, and only the answer was lost. */
  readonly done?: boolean;
}

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  readonly external_id: string | null;
  readonly status: string;
  readonly conclusion: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly annotations: readonly Record<string, unknown>[];
}

export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly login: string;
  readonly body: string;
}

export interface Issue {
  readonly number: number;
  readonly login: string;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly labels: readonly string[];
}

export interface FakeGitHub {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Method and path of requests after `fallSilent`. */
  readonly unanswered: readonly string[];
  /** Violations of the description or of GitHub's other rules; empty for a correct client. */
  readonly problems: readonly string[];
  readonly checkRuns: readonly CheckRun[];
  /** Comments of all issues and pull requests; tests may add some. */
  readonly comments: Comment[];
  readonly issues: Issue[];
  /** The only pull request with reviews. */
  readonly pull: FakePullRequest;
  readonly git: FakeGitData;
  failNext(...failures: readonly Failure[]): void;
  /** From now on, no request is answered. */
  fallSilent(): void;
  close(): Promise<void>;
}

export interface FakeOptions {
  /** Tokens with write permission; other tokens are read-only, as in a fork's pull request. */
  readonly writeTokens: readonly string[];
  /** True: issues are disabled. */
  readonly withoutIssues?: boolean;
}

const SLOW_MILLISECONDS = 3_000;

/** The user behind the token of a workflow run. */
export const ACTIONS_LOGIN = 'github-actions[bot]';

interface Route {
  readonly operation: OperationId;
  readonly method: string;
  readonly pattern: RegExp;
  readonly request: ValidateFunction | undefined;
  readonly responses: ReadonlyMap<number, ValidateFunction>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function startFakeGitHub(options: FakeOptions): Promise<FakeGitHub> {
  const routes = buildRoutes();
  const requests: RecordedRequest[] = [];
  const unanswered: string[] = [];
  const problems: string[] = [];
  const checkRuns: CheckRun[] = [];
  const failures: Failure[] = [];
  const comments: Comment[] = [];
  const issues: Issue[] = [];
  const pull = new FakePullRequest(7, ACTIONS_LOGIN);
  const git = new FakeGitData();
  let isSilent = false;

  const server: Server = createServer((message, response) => {
    void readBody(message).then((text) => handle(message, response, text));
  });

  function handle(message: IncomingMessage, response: ServerResponse, text: string): void {
    const url = new URL(message.url ?? '/', 'http://fake');
    if (isSilent) {
      unanswered.push(`${message.method} ${url.pathname}`);
      return;
    }
    if (url.pathname === '/graphql') {
      send(response, { status: 200, body: { data: { viewer: { login: ACTIONS_LOGIN } } } });
      return;
    }
    const route = routes.find(({ method, pattern }) => method === message.method && pattern.test(url.pathname));
    if (route === undefined) {
      problems.push(`no such operation: ${message.method} ${url.pathname}`);
      send(response, { status: 404, body: { message: 'Not Found' } });
      return;
    }
    const body = parseBody(text);
    const failure = failures[0]?.operation === route.operation ? failures.shift() : undefined;
    const fault = failure?.with;
    const done = fault === undefined || fault === 'slow' || failure?.done === true;
    const answer = done ? answerTo(route, body, url, message) : undefined;
    const isAnswered = fault === undefined || fault === 'slow';
    const status = isAnswered ? answer?.status : typeof fault === 'string' ? 0 : fault.status;
    requests.push({ operation: route.operation, body, headers: message.headers, status: status ?? 0 });
    if (fault === 'reset') message.socket.destroy();
    else if (typeof fault === 'object') {
      send(response, { status: fault.status, body: { message: fault.message } }, fault.headers);
    } else if (answer !== undefined && fault !== 'silent') {
      const validate = route.responses.get(answer.status);
      if (validate?.(answer.body) === false) problems.push(`our answer to ${route.operation}: ${describe(validate)}`);
      setTimeout(() => send(response, answer), fault === 'slow' ? SLOW_MILLISECONDS : 0);
    }
  }

  function answerTo(route: Route, body: Record<string, unknown>, url: URL, message: IncomingMessage): Answer {
    const parameters = route.pattern.exec(url.pathname)?.groups ?? {};
    const token = /^(?:token|bearer) (.+)$/i.exec(message.headers.authorization ?? '')?.[1];
    if (token === undefined) return { status: 401, body: { message: 'Requires authentication' } };
    const writes = route.method !== 'GET';
    if (writes && !options.writeTokens.includes(token)) {
      return { status: 403, body: { message: 'Resource not accessible by integration' } };
    }
    const found = checkRuns.find(({ id }) => String(id) === parameters['check_run_id']);
    const wrong = [
      ...(route.request !== undefined && !route.request(body) ? [describe(route.request)] : []),
      ...(route.operation.startsWith('checks/') && writes ? checkRunProblems(body, found) : []),
    ];
    if (wrong.length > 0) {
      problems.push(...wrong.map((problem) => `${route.operation}: ${problem}`));
      return { status: 422, body: { message: 'Invalid request', errors: wrong } };
    }
    if (route.operation.startsWith('pulls/')) {
      if (String(body['body'] ?? '').length > MAX_BODY) return { status: 422, body: { message: 'body is too long' } };
      const answer = pull.answer(route.operation, body, parameters, (items) => page(items, url));
      if (answer.status === 422) problems.push(`${route.operation}: ${JSON.stringify(answer.body)}`);
      return answer;
    }
    if (route.operation.startsWith('git/')) return git.answer(route.operation, body, parameters);
    if (route.operation.startsWith('issues/')) return issuesAnswer(route.operation, body, url, parameters);
    switch (route.operation) {
      case 'checks/create': {
        const created = applied({ ...NEW_CHECK_RUN, id: checkRuns.length + 1 }, body);
        checkRuns.push(created);
        return { status: 201, body: checkRunBody(created, url) };
      }
      case 'checks/update': {
        if (found === undefined) return { status: 404, body: { message: 'Not Found' } };
        const updated = applied(found, body);
        checkRuns[checkRuns.indexOf(found)] = updated;
        return { status: 200, body: checkRunBody(updated, url) };
      }
      case 'checks/get':
        if (found === undefined) return { status: 404, body: { message: 'Not Found' } };
        return { status: 200, body: checkRunBody(found, url) };
      case 'checks/list-for-ref': {
        const name = url.searchParams.get('check_name');
        const matching = checkRuns.filter(
          (run) => run.head_sha === parameters['ref'] && (name === null || run.name === name),
        );
        const list = matching.map((run) => checkRunBody(run, url));
        return { status: 200, body: { total_count: list.length, check_runs: list } };
      }
      default:
        problems.push(`not implemented here: ${route.operation}`);
        return { status: 501, body: { message: 'Not Implemented' } };
    }
  }

  function issuesAnswer(
    operation: OperationId,
    body: Record<string, unknown>,
    url: URL,
    parameters: Readonly<Record<string, string>>,
  ): Answer {
    const number = Number(parameters['issue_number']);
    const comment = comments.find(({ id }) => String(id) === parameters['comment_id']);
    const issue = issues.find((each) => each.number === number);
    const text = String(body['body'] ?? '');
    if (text.length > MAX_BODY) return { status: 422, body: { message: 'body is too long' } };
    if (options.withoutIssues === true && /^issues\/(?:create|update|list-for-repo)$/.test(operation)) {
      return { status: 410, body: { message: 'Issues are disabled for this repo' } };
    }
    switch (operation) {
      case 'issues/create-comment': {
        const created = {
          id: Math.max(0, ...comments.map(({ id }) => id)) + 1,
          issue: number,
          login: ACTIONS_LOGIN,
          body: text,
        };
        comments.push(created);
        return { status: 201, body: commentAnswer(created) };
      }
      case 'issues/update-comment': {
        if (comment === undefined) return { status: 404, body: { message: 'Not Found' } };
        const updated = { ...comment, body: text };
        comments[comments.indexOf(comment)] = updated;
        return { status: 200, body: commentAnswer(updated) };
      }
      case 'issues/delete-comment':
        if (comment === undefined) return { status: 404, body: { message: 'Not Found' } };
        comments.splice(comments.indexOf(comment), 1);
        return { status: 204, body: undefined };
      case 'issues/list-comments':
        return {
          status: 200,
          body: page(
            comments.filter((each) => each.issue === number),
            url,
          ).map(commentAnswer),
        };
      case 'issues/create': {
        const created: Issue = {
          number: issues.length + 1,
          login: ACTIONS_LOGIN,
          title: String(body['title']),
          body: text,
          state: 'open',
          labels: (body['labels'] ?? []) as string[],
        };
        issues.push(created);
        return { status: 201, body: issueAnswer(created) };
      }
      case 'issues/update': {
        if (issue === undefined) return { status: 404, body: { message: 'Not Found' } };
        const changed = { title: String(body['title'] ?? issue.title), state: String(body['state'] ?? issue.state) };
        const updated = { ...issue, body: body['body'] === undefined ? issue.body : text, ...changed };
        issues[issues.indexOf(issue)] = updated;
        return { status: 200, body: issueAnswer(updated) };
      }
      case 'issues/list-for-repo': {
        const label = url.searchParams.get('labels');
        const state = url.searchParams.get('state') ?? 'open';
        const matching = issues.filter(
          (each) => (label === null || each.labels.includes(label)) && (state === 'all' || each.state === state),
        );
        return { status: 200, body: page(matching, url).map(issueAnswer) };
      }
      default:
        problems.push(`not implemented here: ${operation}`);
        return { status: 501, body: { message: 'Not Implemented' } };
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    unanswered,
    problems,
    checkRuns,
    comments,
    issues,
    pull,
    git,
    failNext: (...next) => {
      failures.push(...next);
    },
    fallSilent: () => {
      isSilent = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function buildRoutes(): readonly Route[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'github', components: openapi.components });
  const compile = (schema: object): ValidateFunction => ajv.compile(JSON.parse(absolute(schema)) as object);
  return Object.entries(openapi.operations).map(([operation, { method, path, request, responses }]) => ({
    operation: operation as OperationId,
    method,
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    request: request === null ? undefined : compile(request),
    responses: new Map(
      Object.entries(responses as Record<string, object | null>).flatMap(([status, schema]) =>
        schema === null ? [] : [[Number(status), compile(schema)]],
      ),
    ),
  }));
}

function absolute(schema: object): string {
  return JSON.stringify(schema).replaceAll('"#/components/', '"github#/components/');
}

function describe(validate: ValidateFunction): string {
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
}

const NEW_CHECK_RUN: CheckRun = {
  id: 0,
  name: '',
  head_sha: '',
  external_id: null,
  status: 'queued',
  conclusion: null,
  title: null,
  summary: null,
  annotations: [],
};

/** Appends annotations, and replaces all other fields. */
function applied(run: CheckRun, body: Record<string, unknown>): CheckRun {
  const output = (body['output'] ?? {}) as {
    title?: string;
    summary?: string;
    annotations?: Record<string, unknown>[];
  };
  return {
    id: run.id,
    name: (body['name'] as string | undefined) ?? run.name,
    head_sha: (body['head_sha'] as string | undefined) ?? run.head_sha,
    external_id: (body['external_id'] as string | undefined) ?? run.external_id,
    status: body['conclusion'] === undefined ? ((body['status'] as string | undefined) ?? run.status) : 'completed',
    conclusion: (body['conclusion'] as string | undefined) ?? run.conclusion,
    title: output.title ?? run.title,
    summary: output.summary ?? run.summary,
    annotations: [...run.annotations, ...(output.annotations ?? [])],
  };
}

function checkRunBody(run: CheckRun, url: URL): unknown {
  const self = `http://fake/repos/o/r/check-runs/${run.id}`;
  return {
    id: run.id,
    node_id: `CR_${run.id}`,
    head_sha: run.head_sha,
    external_id: run.external_id ?? '',
    url: self,
    html_url: `http://fake${url.pathname.replace(/\/check-runs.*$|\/commits\/.*$/, '').replace('/repos', '')}/runs/${run.id}`,
    details_url: null,
    status: run.status,
    conclusion: run.conclusion,
    started_at: '2026-01-02T03:04:05Z',
    completed_at: run.status === 'completed' ? '2026-01-02T03:04:06Z' : null,
    output: {
      title: run.title,
      summary: run.summary,
      text: null,
      annotations_count: run.annotations.length,
      annotations_url: `${self}/annotations`,
    },
    name: run.name,
    // The suite of the commit's first workflow run, independent of the run that created the check-run.
    check_suite: { id: 1 },
    app: null,
    pull_requests: [],
  };
}

/** Limit for comments, issues and reviews: "body is too long (maximum is 65536 characters)". */
const MAX_BODY = 65_536;

function page<Item>(items: readonly Item[], url: URL): readonly Item[] {
  const size = Number(url.searchParams.get('per_page') ?? '30');
  const start = (Number(url.searchParams.get('page') ?? '1') - 1) * size;
  return items.slice(start, start + size);
}

function userAnswer(login: string): unknown {
  const url = `http://fake/users/${encodeURIComponent(login)}`;
  const names = [
    'followers',
    'following',
    'gists',
    'starred',
    'subscriptions',
    'organizations',
    'repos',
    'events',
    'received_events',
  ];
  return {
    login,
    id: 1,
    node_id: 'U_1',
    avatar_url: url,
    gravatar_id: '',
    url,
    html_url: url,
    ...Object.fromEntries(names.map((name) => [`${name}_url`, url])),
    type: login.endsWith('[bot]') ? 'Bot' : 'User',
    site_admin: false,
  };
}

const TIMES = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' };

function commentAnswer({ id, issue, login, body }: Comment): unknown {
  const url = `http://fake/repos/o/r/issues/comments/${id}`;
  const where = { url, html_url: url, issue_url: `http://fake/repos/o/r/issues/${issue}` };
  return { id, node_id: `IC_${id}`, ...where, body, user: userAnswer(login), ...TIMES, author_association: 'NONE' };
}

function issueAnswer({ number, login, title, body, state, labels }: Issue): unknown {
  const url = `http://fake/repos/o/r/issues/${number}`;
  return {
    id: number,
    node_id: `I_${number}`,
    url,
    repository_url: 'http://fake/repos/o/r',
    labels_url: `${url}/labels`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: url,
    number,
    state,
    title,
    body,
    user: userAnswer(login),
    labels: labels.map((name) => ({ name })),
    assignee: null,
    assignees: [],
    milestone: null,
    locked: false,
    comments: 0,
    closed_at: state === 'closed' ? TIMES.updated_at : null,
    ...TIMES,
    author_association: 'NONE',
  };
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string): Record<string, unknown> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function send(response: ServerResponse, answer: Answer, headers: Record<string, string> = {}): void {
  response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}
