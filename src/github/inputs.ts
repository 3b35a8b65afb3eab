// Reads and validates the action's inputs from the runner's INPUT_* variables.
import { nearestName } from '../diagnostic/nearest-name.ts';
import { reporters } from '../report/format/reporters.ts';
import type { FailOn, OnUndecided, PoliciesFrom } from '../report/report.ts';
import type { StepEnvironment } from './event.ts';

/** Inputs with the name of a command-line option have the meaning of that option. */
export interface ActionInputs {
  readonly paths: readonly string[];
  readonly policies: readonly string[];
  readonly policySources: readonly string[];
  /** One line per host; secret. */
  readonly policySourceTokens?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly config?: string;
  readonly baseline?: string;
  /** Empty: as configured. */
  readonly fetch: readonly (typeof FETCH)[number][];
  /** Relative to the workspace. */
  readonly fetchCache?: string;
  /** One line per host; secret. */
  readonly fetchTokens?: string;
  readonly fetchSchemas: boolean;
  readonly schemaCache?: string;
  /** Relative to the workspace. */
  readonly cache?: string;
  readonly workers?: string;
  readonly shard?: string;
  /** Folders and files with the reports of all shards; empty: check the repository. */
  readonly merge: readonly string[];
  readonly failOn?: FailOn;
  readonly onUndecided?: OnUndecided;
  readonly unreached?: (typeof UNREACHED)[number];
  /** Several: those of an audit. Elsewhere the first one counts. Empty: as configured. */
  readonly kubernetesVersions: readonly string[];
  /** Only used by an audit. */
  readonly candidatePolicySources: readonly string[];
  readonly showSkipped: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  /** Relative to the workspace; absent: the workspace itself. */
  readonly workingDirectory?: string;
  readonly formats: readonly ReportFile[];
  readonly token?: string;
  readonly checkRun: 'auto' | 'always' | 'never';
  readonly checkName: string;
  /** The job's matrix values as JSON; absent: no matrix. */
  readonly matrix?: string;
  readonly annotations: 'auto' | 'check' | 'log' | 'none';
  readonly maxAnnotations: number;
  readonly summary: boolean;
  readonly comment: 'never' | 'on-failure' | 'always';
  readonly auditIssue: boolean | 'per-owner';
  /** Whether issues of owners mention them. */
  readonly auditMentions: boolean;
  /** `branch:<name>` or `file:<path>`; absent: as configured. */
  readonly history?: string;
  /** Folder for the page of an audit, relative to the workspace. */
  readonly site?: string;
  /** Address of the published page, which the audit issue links. */
  readonly siteUrl?: string;
  readonly suggest: boolean;
  readonly explainMutations: boolean;
  readonly allowPullRequestTarget: boolean;
  readonly policiesFrom?: PoliciesFrom;
  readonly only?: 'new' | 'all';
}

/** A report to write in addition to the JSON report. */
export interface ReportFile {
  readonly format: string;
  readonly path: string;
}

export interface InputProblem {
  readonly message: string;
  readonly help?: string;
}

export interface InputReading {
  readonly inputs: ActionInputs;
  readonly problems: readonly InputProblem[];
}

/** Every input, as named in action.yml. */
export const INPUT_NAMES = [
  'paths',
  'policies',
  'policy-sources',
  'policy-source-tokens',
  'candidate-policy-sources',
  'include',
  'exclude',
  'config',
  'fail-on',
  'on-undecided',
  'unreached',
  'baseline',
  'kubernetes-version',
  'fetch',
  'fetch-cache',
  'fetch-tokens',
  'fetch-schemas',
  'schema-cache',
  'cache',
  'workers',
  'shard',
  'merge',
  'format',
  'show-skipped',
  'quiet',
  'debug',
  'working-directory',
  'token',
  'check-run',
  'check-name',
  'matrix',
  'annotations',
  'max-annotations',
  'summary',
  'comment',
  'audit-issue',
  'audit-mentions',
  'history',
  'site',
  'site-url',
  'suggest',
  'explain-mutations',
  'allow-pull-request-target',
  'policies-from',
  'only',
] as const;

type InputName = (typeof INPUT_NAMES)[number];

const FAIL_ON = ['deny', 'warn', 'audit', 'error', 'never'] as const satisfies readonly FailOn[];
const ON_UNDECIDED = ['fail', 'warn'] as const satisfies readonly OnUndecided[];
const UNREACHED = ['skip', 'judge'] as const;
const FETCH = ['charts', 'bases', 'git'] as const;
const DEFAULT_MAX_ANNOTATIONS = 500;
const MAX_CHECK_NAME = 100;

/** Pure. The caller must mask the token first: see `maskSecret`. */
export function readInputs(environment: StepEnvironment): InputReading {
  const problems: InputProblem[] = unknownInputs(environment);
  const text = (name: InputName): string | undefined => {
    const value = environment[variable(name)]?.trim();
    return value === '' ? undefined : value;
  };
  const list = (name: InputName): readonly string[] =>
    (text(name) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const choice = <Value extends string>(name: InputName, values: readonly Value[]): Value | undefined => {
    const given = text(name);
    const value = values.find((candidate) => candidate === given);
    if (given !== undefined && value === undefined) problems.push(notOneOf(`the input \`${name}\``, given, values));
    return value;
  };
  const flag = (name: InputName): boolean | undefined => {
    const given = choice(name, ['true', 'false']);
    return given === undefined ? undefined : given === 'true';
  };
  const number = (name: InputName): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    if (/^\d{1,6}$/.test(given)) return Number(given);
    problems.push({ message: `\`${given}\` is not a valid value of the input \`${name}\`: expected a number` });
    return undefined;
  };
  const formats = list('format').flatMap((line) => reportFile(line, problems));
  const auditIssue = choice('audit-issue', ['true', 'false', 'per-owner']);
  const history = text('history');
  const site = text('site');
  const siteUrl = text('site-url');
  if (siteUrl !== undefined && !/^https?:\/\/[^\s<>()]+$/.test(siteUrl)) {
    problems.push({ message: `\`${siteUrl}\` is not a valid value of the input \`site-url\`: expected an address` });
  }
  const config = text('config');
  const baseline = text('baseline');
  const fetch = list('fetch')
    .flatMap((line) => line.split(','))
    .flatMap((part) => {
      const given = part.trim();
      const kind = FETCH.find((each) => each === given);
      if (kind === undefined) problems.push(notOneOf('the input `fetch`', given, FETCH));
      return kind ?? [];
    });
  const fetchCache = text('fetch-cache');
  const fetchTokens = text('fetch-tokens');
  const schemaCache = text('schema-cache');
  const cache = text('cache');
  const workers = text('workers');
  const shard = text('shard');
  const failOn = choice('fail-on', FAIL_ON);
  const onUndecided = choice('on-undecided', ON_UNDECIDED);
  const unreached = choice('unreached', UNREACHED);
  const kubernetesVersion = text('kubernetes-version')?.split(',') ?? [];
  const workingDirectory = text('working-directory');
  const given = text('matrix');
  const matrix = given === 'null' || given === '{}' ? undefined : given;
  const token = text('token');
  const policySourceTokens = text('policy-source-tokens');
  const policiesFrom = choice('policies-from', ['base', 'head', 'both']);
  const only = choice('only', ['new', 'all']);
  const inputs: ActionInputs = {
    paths: list('paths'),
    policies: list('policies'),
    policySources: list('policy-sources'),
    candidatePolicySources: list('candidate-policy-sources'),
    ...(policySourceTokens !== undefined && { policySourceTokens }),
    include: list('include'),
    exclude: list('exclude'),
    ...(config !== undefined && { config }),
    ...(baseline !== undefined && { baseline }),
    fetch,
    ...(fetchCache !== undefined && { fetchCache }),
    ...(fetchTokens !== undefined && { fetchTokens }),
    fetchSchemas: flag('fetch-schemas') ?? false,
    ...(schemaCache !== undefined && { schemaCache }),
    ...(cache !== undefined && { cache }),
    ...(workers !== undefined && { workers }),
    ...(shard !== undefined && { shard }),
    merge: list('merge'),
    ...(failOn !== undefined && { failOn }),
    ...(onUndecided !== undefined && { onUndecided }),
    ...(unreached !== undefined && { unreached }),
    kubernetesVersions: kubernetesVersion.map((version) => version.trim()),
    showSkipped: flag('show-skipped') ?? false,
    quiet: flag('quiet') ?? false,
    debug: flag('debug') ?? environment['RUNNER_DEBUG'] === '1',
    ...(workingDirectory !== undefined && { workingDirectory }),
    formats,
    ...(token !== undefined && { token }),
    checkRun: choice('check-run', ['auto', 'always', 'never']) ?? 'auto',
    checkName: (text('check-name') ?? `Preadmit${matrixLabel(matrix)}`).slice(0, MAX_CHECK_NAME),
    ...(matrix !== undefined && { matrix }),
    annotations: choice('annotations', ['auto', 'check', 'log', 'none']) ?? 'auto',
    maxAnnotations: number('max-annotations') ?? DEFAULT_MAX_ANNOTATIONS,
    summary: flag('summary') ?? true,
    comment: choice('comment', ['never', 'on-failure', 'always']) ?? 'never',
    auditIssue: auditIssue === 'per-owner' ? auditIssue : auditIssue === 'true',
    auditMentions: flag('audit-mentions') ?? false,
    ...(history !== undefined && { history }),
    ...(site !== undefined && { site }),
    ...(siteUrl !== undefined && { siteUrl }),
    suggest: flag('suggest') ?? false,
    explainMutations: flag('explain-mutations') ?? false,
    allowPullRequestTarget: flag('allow-pull-request-target') ?? false,
    ...(policiesFrom !== undefined && { policiesFrom }),
    ...(only !== undefined && { only }),
  };
  return { inputs, problems };
}

/** Formats matrix values as GitHub does in job names: ` (staging, 1.36)`. Empty for a text that is not a JSON object. */
function matrixLabel(matrix: string | undefined): string {
  if (matrix === undefined) return '';
  try {
    const value: unknown = JSON.parse(matrix);
    if (typeof value !== 'object' || value === null) return '';
    const texts = Object.values(value).map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)));
    return ` (${texts.join(', ').replace(/\s+/g, ' ')})`;
  } catch {
    return '';
  }
}

function variable(name: string): string {
  return `INPUT_${name.toUpperCase()}`;
}

/** The runner only warns about unknown inputs. A mistyped `fail-on` would then disable the gate without an error. */
function unknownInputs(environment: StepEnvironment): InputProblem[] {
  const known = new Set(INPUT_NAMES.map(variable));
  return Object.keys(environment)
    .filter((key) => key.startsWith('INPUT_') && !known.has(key) && environment[key] !== '')
    .sort()
    .map((key) => {
      const name = key.slice('INPUT_'.length).toLowerCase();
      const meant = nearestName(name, INPUT_NAMES);
      return {
        message: `unknown input \`${name}\``,
        help: meant === undefined ? `expected one of ${quoted(INPUT_NAMES)}` : `did you mean \`${meant}\`?`,
      };
    });
}

function reportFile(line: string, problems: InputProblem[]): ReportFile[] {
  const equals = line.indexOf('=');
  const format = (equals < 0 ? line : line.slice(0, equals)).trim();
  const path = equals < 0 ? '' : line.slice(equals + 1).trim();
  if (!reporters.has(format)) problems.push(notOneOf('the input `format`', format, [...reporters.keys()]));
  else if (path !== '') return [{ format, path }];
  else problems.push({ message: `the input \`format\` needs a file: \`${format}=<file>\`` });
  return [];
}

function notOneOf(what: string, given: string, values: readonly string[]): InputProblem {
  const meant = nearestName(given, values);
  return {
    message: `\`${given}\` is not a valid value of ${what}: expected one of ${quoted(values)}`,
    ...(meant !== undefined && { help: `did you mean \`${meant}\`?` }),
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
