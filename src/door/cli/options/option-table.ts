// Options of every command. Parsing, help and completion use these tables; inputs of the action are in `github/inputs.ts`.
import { MIGRATION_TARGETS } from '../../../pipeline/migrate/migration-target.ts';
import { MUTATION_FORMATS } from '../../../pipeline/mutate/mutation-format.ts';
import { FORMAT_NAMES } from '../../../report/format/format-names.ts';
import {
  COUNTED,
  FAIL_ON_LEVELS,
  FETCH_KINDS,
  ON_UNDECIDED,
  POLICIES_FROM,
  UNREACHED,
} from '../../../settings/configuration-shape.ts';

export interface OptionEntry {
  readonly name: string;
  readonly kind: 'flag' | 'text' | 'list';
  /** Placeholder after the name in the help; absent for flags. */
  readonly value?: string;
  /** The only values allowed. */
  readonly allowed?: readonly string[];
  /** True for a list whose values may also be separated by commas. */
  readonly splits?: true;
  /** Values that shells offer if other values are allowed too. */
  readonly offers?: readonly string[];
  readonly help: string;
  /** Default, in words. */
  readonly default?: string;
  readonly group: 'what' | 'how' | 'output';
}

export const CHECK_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'policies',
    kind: 'list',
    value: '<glob>',
    help: 'files with policies and bindings',
    default: 'anywhere in the repository',
    group: 'what',
  },
  {
    name: 'policy-sources',
    kind: 'list',
    value: '<source>',
    help: 'policies from outside the repository: a folder, `https://…#<tag>`, `oci://…@sha256:…`, `npm:…`; repeatable',
    group: 'what',
  },
  {
    name: 'include',
    kind: 'list',
    value: '<glob>',
    help: 'files to check',
    default: '**/*.{yaml,yml,json}',
    group: 'what',
  },
  {
    name: 'exclude',
    kind: 'list',
    value: '<glob>',
    help: 'files to ignore; overrides every other option',
    group: 'what',
  },
  {
    name: 'config',
    kind: 'text',
    value: '<file>',
    help: 'configuration file',
    default: '.preadmit.yaml, if it exists',
    group: 'how',
  },
  {
    name: 'baseline',
    kind: 'text',
    value: '<file>',
    help: 'baseline file with accepted findings',
    default: '.preadmit-baseline.yaml, if it exists',
    group: 'how',
  },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'Kubernetes version of the API server',
    default: '1.36',
    group: 'how',
  },
  {
    name: 'fail-on',
    kind: 'text',
    value: '<level>',
    allowed: FAIL_ON_LEVELS,
    help: 'lowest severity that fails the run',
    default: 'deny',
    group: 'how',
  },
  {
    name: 'fetch',
    kind: 'list',
    splits: true,
    value: '<what>',
    allowed: FETCH_KINDS,
    help: 'download what the repository names but does not contain, over HTTPS; separated by commas or repeatable',
    default: '`fetch` of the configuration, or nothing',
    group: 'how',
  },
  {
    name: 'fetch-cache',
    kind: 'text',
    value: '<folder>',
    help: 'folder outside the repository that keeps downloads, by digest',
    group: 'how',
  },
  {
    name: 'fetch-schemas',
    kind: 'flag',
    help: 'download the URLs in `schemas` of the configuration, over HTTPS',
    group: 'how',
  },
  {
    name: 'schema-cache',
    kind: 'text',
    value: '<folder>',
    help: 'folder for downloaded schemas, by digest',
    group: 'how',
  },
  {
    name: 'cache',
    kind: 'text',
    value: '<folder>',
    help: 'folder outside the repository that keeps rendered manifests for later runs',
    group: 'how',
  },
  {
    name: 'workers',
    kind: 'text',
    value: '<n>',
    help: 'number of render threads; 1 means the main thread only',
    default: 'number of CPUs, up to 4',
    group: 'how',
  },
  {
    name: 'allow-nothing',
    kind: 'flag',
    help: 'exit with 0 instead of 3 if no policy applied to any object, for example in a hook that checks a few files',
    group: 'how',
  },
  {
    name: 'unreached',
    kind: 'text',
    value: '<decision>',
    allowed: UNREACHED,
    help: '`judge`: also evaluate what no controller of the repository applies; `skip`: only list it',
    default: 'skip',
    group: 'how',
  },
  {
    name: 'on-undecided',
    kind: 'text',
    value: '<decision>',
    allowed: ON_UNDECIDED,
    help: '`fail`: exit with 5 if something that could fail the run was not judged; `warn`: exit with 0',
    default: 'fail',
    group: 'how',
  },
  {
    name: 'shard',
    kind: 'text',
    value: '<i>/<n>',
    help: 'evaluate one of n parts; `preadmit merge` merges their JSON reports',
    group: 'how',
  },
  {
    name: 'format',
    kind: 'list',
    value: '<format>[=<file>]',
    offers: FORMAT_NAMES,
    help: `report format: ${FORMAT_NAMES.join(', ')}; repeatable; \`=<file>\` writes to a file (default: text)`,
    group: 'output',
  },
  {
    name: 'output',
    kind: 'text',
    value: '<file>',
    help: 'write the report to a file instead of standard output',
    group: 'output',
  },
  {
    name: 'show-skipped',
    kind: 'flag',
    help: 'list every document that was not evaluated, with the reason',
    group: 'output',
  },
  {
    name: 'owner',
    kind: 'text',
    value: '<name>',
    help: 'list only the findings and problems of this owner, or of `none`; verdict and exit code stay those of all',
    group: 'output',
  },
  {
    name: 'group-by',
    kind: 'text',
    value: '<what>',
    allowed: ['owner'],
    help: 'list the findings and problems of each owner together, in text and Markdown',
    group: 'output',
  },
  { name: 'quiet', kind: 'flag', help: 'print findings and verdict only', group: 'output' },
  {
    name: 'debug',
    kind: 'flag',
    help: 'print one line per stage to standard error, with counts and milliseconds',
    group: 'output',
  },
];

const EXPLAIN_MUTATIONS: OptionEntry = {
  name: 'explain-mutations',
  kind: 'flag',
  help: 'list findings that a mutating policy removes, with the policy',
  group: 'output',
};

/** Options of `check` that `baseline` and `merge` do not have. */
export const CHECK_COMMAND_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.map((entry) =>
    entry.name === 'kubernetes-version'
      ? { ...entry, help: `${entry.help}; several, such as \`1.33,1.36\`, compare their verdicts` }
      : entry,
  ),
  EXPLAIN_MUTATIONS,
];

const AUDIT_CHECK_OPTIONS = new Set(CHECK_OPTIONS.map(({ name }) => name).filter((name) => name !== 'shard'));

const AUDIT_WORDS: ReadonlyMap<string, Pick<OptionEntry, 'help'>> = new Map([
  [
    'policy-sources',
    {
      help: 'candidate policies: report what they would change, as `<name>=<source>`; the name of a configured source replaces it; repeatable',
    },
  ],
  [
    'kubernetes-version',
    { help: 'Kubernetes version of the API server; a list such as `current,next,next+1` also checks later releases' },
  ],
]);

const HISTORY: OptionEntry = {
  name: 'history',
  kind: 'text',
  value: '<place>',
  help: 'where audits keep their history: `branch:<name>` or `file:<path>.jsonl`',
  default: '`history` of the configuration',
  group: 'how',
};

/** An audit covers the whole repository, so it has no shards. */
export const AUDIT_OPTIONS: readonly OptionEntry[] = [
  HISTORY,
  ...CHECK_OPTIONS.filter(({ name }) => AUDIT_CHECK_OPTIONS.has(name)).map((entry) => ({
    ...entry,
    ...AUDIT_WORDS.get(entry.name),
  })),
];

/** Options of the command `report`. */
export const REPORT_COMMAND_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'site',
    kind: 'text',
    value: '<folder>',
    help: 'write the page of the audit into this folder',
    group: 'output',
  },
  HISTORY,
  {
    name: 'history-name',
    kind: 'text',
    value: '<name>',
    help: '`check-name` of the action that wrote the history of a branch',
    default: 'Preadmit',
    group: 'how',
  },
];

const BASELINE_CHECK_OPTIONS = new Set([
  'baseline',
  'config',
  'policies',
  'policy-sources',
  'kubernetes-version',
  'fail-on',
]);
const REPORT_OPTIONS = new Set(['format', 'output', 'show-skipped', 'owner', 'group-by', 'quiet', 'on-undecided']);

export const MERGE_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'expect',
    kind: 'list',
    splits: true,
    value: '<name>',
    help: 'repository that must have a report; without one it has no verdict; separated by commas or repeatable',
    group: 'what',
  },
  ...CHECK_OPTIONS.filter(({ name }) => REPORT_OPTIONS.has(name)),
];

export const BASELINE_OPTIONS: readonly OptionEntry[] = [
  { name: 'update', kind: 'flag', help: 'add every finding that fails the run', group: 'what' },
  { name: 'prune', kind: 'flag', help: 'remove entries without a finding', group: 'what' },
  { name: 'owner', kind: 'text', value: '<name>', help: 'owner of the new baseline entries', group: 'how' },
  { name: 'reason', kind: 'text', value: '<text>', help: 'why the findings are accepted', group: 'how' },
  { name: 'expires', kind: 'text', value: '<date>', help: 'last day on which the new entries apply', group: 'how' },
  ...CHECK_OPTIONS.filter(({ name }) => BASELINE_CHECK_OPTIONS.has(name)),
];

export const INIT_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'with',
    kind: 'list',
    value: '<policies>',
    allowed: ['pod-security', 'best-practices'],
    help: 'copy starter policies into `policies/`; repeatable',
    default: 'pod-security, if no policy of the repository applies to any object',
    group: 'what',
  },
  {
    name: 'audit',
    kind: 'text',
    value: '<what>',
    allowed: ['issue', 'page'],
    help: 'propose a daily audit with a history and an issue; `page` also publishes its page with GitHub Pages',
    group: 'what',
  },
  {
    name: 'fetch',
    kind: 'list',
    splits: true,
    value: '<what>',
    allowed: FETCH_KINDS,
    help: 'download what the repository names but does not contain, and propose this setting',
    group: 'what',
  },
  {
    name: 'owner',
    kind: 'text',
    value: '<name>',
    help: 'owner of the existing findings',
    default: 'the owner of `*` in CODEOWNERS, or user.email of Git',
    group: 'how',
  },
  { name: 'yes', kind: 'flag', help: 'write the proposed files without asking', group: 'how' },
];

/** `diff` cannot be sharded, because a change is small. */
export const DIFF_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.filter(({ name }) => name !== 'shard'),
  {
    name: 'base-dir',
    kind: 'text',
    value: '<folder>',
    help: 'compare two folders instead of two commits: the old state, for example rendered from base',
    group: 'what',
  },
  { name: 'head-dir', kind: 'text', value: '<folder>', help: 'the new state', group: 'what' },
  {
    name: 'policies-from',
    kind: 'text',
    value: '<state>',
    allowed: POLICIES_FROM,
    help: 'commit whose policies decide',
    default: 'base',
    group: 'how',
  },
  {
    name: 'only',
    kind: 'text',
    value: '<what>',
    allowed: COUNTED,
    help: 'findings that the verdict counts: those of the change, or all of the repository',
    default: 'new',
    group: 'how',
  },
  EXPLAIN_MUTATIONS,
  {
    name: 'suggest',
    kind: 'flag',
    help: 'suggest edits of the changed files that mutating policies would make',
    group: 'output',
  },
  {
    name: 'show-existing',
    kind: 'flag',
    help: 'list what base has too: findings that do not fail the run, and unknowns',
    group: 'output',
  },
];

const MUTATE_CHECK_OPTIONS = new Set(['policies', 'include', 'exclude', 'config', 'kubernetes-version']);

export const MUTATE_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.filter(({ name }) => MUTATE_CHECK_OPTIONS.has(name)),
  {
    name: 'format',
    kind: 'text',
    value: '<format>',
    allowed: MUTATION_FORMATS,
    help: 'output format',
    default: 'yaml',
    group: 'output',
  },
  {
    name: 'write',
    kind: 'flag',
    help: 'edit the files instead of printing; only changed lines are rewritten',
    group: 'output',
  },
];

export const VALUE_FORMATS = ['text', 'json', 'yaml'] as const;

export const MIGRATE_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.filter(({ name }) => MUTATE_CHECK_OPTIONS.has(name)),
  {
    name: 'to',
    kind: 'text',
    value: '<kind>',
    allowed: MIGRATION_TARGETS,
    help: 'kind of the translated policies; ValidatingAdmissionPolicy comes with a binding',
    default: 'ValidatingPolicy',
    group: 'output',
  },
];

export const CEL_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'object',
    kind: 'text',
    value: '<file>',
    help: 'manifest to bind to `object`, as stored by the API server',
    group: 'what',
  },
  {
    name: 'old-object',
    kind: 'text',
    value: '<file>',
    help: 'manifest to bind to `oldObject`: with `--object` the request is an UPDATE, without it a DELETE',
    group: 'what',
  },
  { name: 'params', kind: 'text', value: '<file>', help: 'manifest to bind to `params`', group: 'what' },
  {
    name: 'namespace',
    kind: 'text',
    value: '<file or name>',
    help: 'the Namespace for `namespaceObject`: a manifest, or a name without further fields',
    group: 'what',
  },
  {
    name: 'user',
    kind: 'text',
    value: '<name>',
    help: 'user of the request: a username, or `{"username", "groups"?, "uid"?}`',
    group: 'what',
  },
  {
    name: 'policy',
    kind: 'text',
    value: '<file>[#<name>]',
    help: "a policy: its `variables` are available, and its expressions have names such as `'validations[0]'`; without an expression, all are evaluated",
    group: 'what',
  },
  {
    name: 'mutation',
    kind: 'flag',
    help: 'evaluate as a mutation, with `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey`',
    group: 'what',
  },
  {
    name: 'repl',
    kind: 'flag',
    help: 'start an interactive session; Tab completes, arrow keys recall earlier lines',
    group: 'what',
  },
  { name: 'explain', kind: 'flag', help: 'show the value of each part of the expression', group: 'output' },
  {
    name: 'format',
    kind: 'text',
    value: '<format>',
    allowed: VALUE_FORMATS,
    help: 'output format; text includes type and cost, json and yaml only the value',
    default: 'text',
    group: 'output',
  },
  {
    name: 'batch',
    kind: 'flag',
    help: 'read one {"expr", "vars"?, "kubernetes"?} per line, write one answer per line',
    group: 'what',
  },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'Kubernetes version whose CEL applies',
    default: '1.36',
    group: 'how',
  },
];

export const REVIEW_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'policies',
    kind: 'list',
    value: '<path>',
    help: 'file or folder with policies and bindings; repeatable',
    group: 'what',
  },
  {
    name: 'resources',
    kind: 'list',
    value: '<path>',
    help: 'file or folder with params, Namespaces, CustomResourceDefinitions, RBAC objects; repeatable',
    group: 'what',
  },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'Kubernetes version of the API server',
    default: '1.36',
    group: 'how',
  },
  {
    name: 'decisions',
    kind: 'flag',
    help: 'add every decision to the response, including rules that pass',
    group: 'output',
  },
];

const STATE_OPTIONS = new Set(['policies', 'include', 'exclude', 'config', 'kubernetes-version']);

export const WHY_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.filter(({ name }) => STATE_OPTIONS.has(name)),
  {
    name: 'format',
    kind: 'text',
    value: '<format>',
    allowed: ['text', 'json'],
    help: 'output format',
    default: 'text',
    group: 'output',
  },
];

export const POLICIES_OPTIONS = WHY_OPTIONS;

export const LSP_OPTIONS: readonly OptionEntry[] = CHECK_OPTIONS.filter(({ name }) => STATE_OPTIONS.has(name));

export const TEST_FORMATS = ['text', 'json', 'junit', 'github'] as const;

export const TEST_OPTIONS: readonly OptionEntry[] = [
  { name: 'filter', kind: 'text', value: '<text>', help: 'run only tests whose name contains the text', group: 'what' },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'Kubernetes version for test files that set none',
    default: '1.36',
    group: 'how',
  },
  {
    name: 'format',
    kind: 'list',
    value: '<format>[=<file>]',
    offers: TEST_FORMATS,
    help: `output format: ${TEST_FORMATS.join(', ')}; repeatable; \`=<file>\` writes to a file (default: text)`,
    group: 'output',
  },
  { name: 'quiet', kind: 'flag', help: 'print failures and totals only', group: 'output' },
  {
    name: 'coverage',
    kind: 'flag',
    help: 'report parts of expressions that no test has seen both true and false',
    group: 'output',
  },
  { name: 'lcov', kind: 'text', value: '<file>', help: 'write the coverage as an LCOV file', group: 'output' },
  {
    name: 'update',
    kind: 'flag',
    help: 'replace outdated expected messages in the test files',
    group: 'output',
  },
  { name: 'watch', kind: 'flag', help: 'run again whenever a file changes, until stopped', group: 'how' },
  { name: 'mutants', kind: 'flag', help: 'report small changes of the policies that no test detects', group: 'output' },
];

export const RENDER_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'release',
    kind: 'text',
    value: '<name>',
    help: "the chart's release name",
    default: 'release-name',
    group: 'how',
  },
  {
    name: 'namespace',
    kind: 'text',
    value: '<name>',
    help: "the release's namespace",
    default: 'default',
    group: 'how',
  },
  {
    name: 'values',
    kind: 'list',
    value: '<file>',
    help: 'values file of the chart; repeatable, later files win',
    group: 'how',
  },
  { name: 'include-crds', kind: 'flag', help: "include the chart's `crds/`", group: 'how' },
  { name: 'show-secrets', kind: 'flag', help: 'show the values of Secrets, which are `…` otherwise', group: 'output' },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'Kubernetes version that charts see',
    default: '1.36',
    group: 'how',
  },
  {
    name: 'load-restrictor',
    kind: 'text',
    value: '<restrictor>',
    allowed: ['LoadRestrictionsNone', 'LoadRestrictionsRootOnly'],
    help: 'which files of the repository a kustomization may read',
    default: 'LoadRestrictionsNone in a repository',
    group: 'how',
  },
  {
    name: 'enable-helm',
    kind: 'flag',
    help: 'render `helmCharts` of a kustomization if the chart is in the repository',
    group: 'how',
  },
  {
    name: 'format',
    kind: 'text',
    value: '<format>',
    allowed: ['text', 'yaml', 'json', 'diff'],
    help: 'output format; always yaml for a folder',
    default: 'yaml for a folder, text for all roots',
    group: 'output',
  },
];

export const COMPLETION_OPTIONS: readonly OptionEntry[] = [];
