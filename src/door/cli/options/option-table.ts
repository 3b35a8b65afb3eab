// The options of every command, once: the command line, its help and the action's inputs are made from these tables.
import { MIGRATION_TARGETS } from '../../../pipeline/migrate/migration-target.ts';
import { MUTATION_FORMATS } from '../../../pipeline/mutate/mutation-format.ts';
import { FORMAT_NAMES } from '../../../report/format/format-names.ts';
import { COUNTED, FAIL_ON_LEVELS, POLICIES_FROM } from '../../../settings/configuration-shape.ts';

export interface OptionEntry {
  readonly name: string;
  readonly kind: 'flag' | 'text' | 'list';
  /** What stands after the name in the help; absent for flags. */
  readonly value?: string;
  /** The only values allowed. */
  readonly allowed?: readonly string[];
  /** Values that shells offer where others are allowed too. */
  readonly offers?: readonly string[];
  readonly help: string;
  /** What is meant where it is not given, in words. */
  readonly default?: string;
  readonly group: 'what' | 'how' | 'output';
}

export const CHECK_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'policies',
    kind: 'list',
    value: '<glob>',
    help: 'where policies and bindings come from',
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
  { name: 'exclude', kind: 'list', value: '<glob>', help: 'files to leave out, stronger than the rest', group: 'what' },
  {
    name: 'config',
    kind: 'text',
    value: '<file>',
    help: 'configuration',
    default: '.preadmit.yaml, if there is one',
    group: 'how',
  },
  {
    name: 'baseline',
    kind: 'text',
    value: '<file>',
    help: 'findings that are known',
    default: '.preadmit-baseline.yaml, if there is one',
    group: 'how',
  },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'the API server whose verdict is asked for',
    default: '1.36',
    group: 'how',
  },
  {
    name: 'fail-on',
    kind: 'text',
    value: '<level>',
    allowed: FAIL_ON_LEVELS,
    help: 'the mildest thing that fails the run',
    default: 'deny',
    group: 'how',
  },
  {
    name: 'fetch-charts',
    kind: 'flag',
    help: 'fetch the charts that are named and not there, by https',
    group: 'how',
  },
  { name: 'chart-cache', kind: 'text', value: '<folder>', help: 'keep fetched charts there, by digest', group: 'how' },
  {
    name: 'fetch-schemas',
    kind: 'flag',
    help: 'ask the addresses in `schemas` of the configuration, by https',
    group: 'how',
  },
  {
    name: 'schema-cache',
    kind: 'text',
    value: '<folder>',
    help: 'keep fetched schemas there, by digest',
    group: 'how',
  },
  {
    name: 'cache',
    kind: 'text',
    value: '<folder>',
    help: 'keep what was rendered there, for later runs; outside the repository',
    group: 'how',
  },
  {
    name: 'workers',
    kind: 'text',
    value: '<n>',
    help: 'threads that render; 1: none but the main one',
    default: 'as many as the machine has, up to 4',
    group: 'how',
  },
  {
    name: 'allow-nothing',
    kind: 'flag',
    help: 'exit with 0 instead of 3 where no object met a policy, as for a hook that is given a few files',
    group: 'how',
  },
  {
    name: 'allow-undecided',
    kind: 'flag',
    help: 'exit with 0 instead of 5 where not all that is applied could be judged',
    group: 'how',
  },
  {
    name: 'shard',
    kind: 'text',
    value: '<i>/<n>',
    help: 'evaluate one of n parts; `preadmit merge` joins their JSON reports',
    group: 'how',
  },
  {
    name: 'format',
    kind: 'list',
    value: '<format>[=<file>]',
    offers: FORMAT_NAMES,
    help: `how to write the report: ${FORMAT_NAMES.join(', ')}; repeatable, \`=<file>\` writes it there (default: text)`,
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
  { name: 'quiet', kind: 'flag', help: 'findings and verdict only', group: 'output' },
  { name: 'debug', kind: 'flag', help: 'one line a stage on standard error: counts and milliseconds', group: 'output' },
];

const EXPLAIN_MUTATIONS: OptionEntry = {
  name: 'explain-mutations',
  kind: 'flag',
  help: 'tell the findings that a mutating policy takes away, and which policy',
  group: 'output',
};

/** What neither `baseline` nor `merge` has. */
export const CHECK_COMMAND_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.map((entry) =>
    entry.name === 'kubernetes-version'
      ? { ...entry, help: `${entry.help}; of several, as \`1.33,1.36\`, what they say differently` }
      : entry,
  ),
  EXPLAIN_MUTATIONS,
];

const BASELINE_CHECK_OPTIONS = new Set([
  'baseline',
  'config',
  'policies',
  'policy-sources',
  'kubernetes-version',
  'fail-on',
]);
const REPORT_OPTIONS = new Set(['format', 'output', 'show-skipped', 'quiet', 'allow-undecided']);

export const MERGE_OPTIONS: readonly OptionEntry[] = CHECK_OPTIONS.filter(({ name }) => REPORT_OPTIONS.has(name));

export const BASELINE_OPTIONS: readonly OptionEntry[] = [
  { name: 'update', kind: 'flag', help: 'add every finding that fails the run', group: 'what' },
  { name: 'prune', kind: 'flag', help: 'remove entries that no finding is left for', group: 'what' },
  { name: 'owner', kind: 'text', value: '<name>', help: 'who sees to what is added', group: 'how' },
  { name: 'reason', kind: 'text', value: '<text>', help: 'why it is accepted', group: 'how' },
  { name: 'expires', kind: 'text', value: '<date>', help: 'last day on which it is accepted', group: 'how' },
  ...CHECK_OPTIONS.filter(({ name }) => BASELINE_CHECK_OPTIONS.has(name)),
];

export const INIT_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'with',
    kind: 'list',
    value: '<policies>',
    allowed: ['pod-security', 'best-practices'],
    help: 'copy these into `policies/`: pod-security, best-practices; repeatable',
    group: 'what',
  },
  {
    name: 'owner',
    kind: 'text',
    value: '<name>',
    help: 'who sees to old findings (default: user.email of Git)',
    group: 'how',
  },
  { name: 'yes', kind: 'flag', help: 'write what is proposed', group: 'how' },
];

/** Sharding is for whole repositories; a change is small. */
export const DIFF_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.filter(({ name }) => name !== 'shard'),
  {
    name: 'base-dir',
    kind: 'text',
    value: '<folder>',
    help: 'compare two folders instead of two commits: the one before, for example as rendered from base',
    group: 'what',
  },
  { name: 'head-dir', kind: 'text', value: '<folder>', help: 'the one after', group: 'what' },
  {
    name: 'policies-from',
    kind: 'text',
    value: '<state>',
    allowed: POLICIES_FROM,
    help: 'whose policies decide',
    default: 'base',
    group: 'how',
  },
  {
    name: 'only',
    kind: 'text',
    value: '<what>',
    allowed: COUNTED,
    help: 'what the verdict counts: what the change brings, or all of the repository',
    default: 'new',
    group: 'how',
  },
  EXPLAIN_MUTATIONS,
  {
    name: 'suggest',
    kind: 'flag',
    help: 'tell what could be written in the changed files, so that mutating policies have nothing to do',
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
    help: 'how to print it',
    default: 'yaml',
    group: 'output',
  },
  { name: 'write', kind: 'flag', help: 'write it into the files instead: the lines that must change', group: 'output' },
];

export const VALUE_FORMATS = ['text', 'json', 'yaml'] as const;

export const MIGRATE_OPTIONS: readonly OptionEntry[] = [
  ...CHECK_OPTIONS.filter(({ name }) => MUTATE_CHECK_OPTIONS.has(name)),
  {
    name: 'to',
    kind: 'text',
    value: '<kind>',
    allowed: MIGRATION_TARGETS,
    help: 'what to make of the policies; the second kind comes with a binding',
    default: 'ValidatingPolicy',
    group: 'output',
  },
];

export const CEL_OPTIONS: readonly OptionEntry[] = [
  {
    name: 'object',
    kind: 'text',
    value: '<file>',
    help: 'manifest to bind to `object`, as the API server would hold it',
    group: 'what',
  },
  {
    name: 'old-object',
    kind: 'text',
    value: '<file>',
    help: 'manifest to bind to `oldObject`: with an object the request is an UPDATE, alone a DELETE',
    group: 'what',
  },
  { name: 'params', kind: 'text', value: '<file>', help: 'manifest to bind to `params`', group: 'what' },
  {
    name: 'namespace',
    kind: 'text',
    value: '<file or name>',
    help: 'the Namespace for `namespaceObject`: a manifest, or the name of one of which nothing else is known',
    group: 'what',
  },
  {
    name: 'user',
    kind: 'text',
    value: '<name>',
    help: 'who sends the request: a username, or `{"username", "groups"?, "uid"?}`',
    group: 'what',
  },
  {
    name: 'policy',
    kind: 'text',
    value: '<file>[#<name>]',
    help: "a policy whose `variables` are there and whose expressions can be named, as `'validations[0]'`; without an expression all are evaluated",
    group: 'what',
  },
  {
    name: 'mutation',
    kind: 'flag',
    help: "a mutation's expression: `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey` are there",
    group: 'what',
  },
  {
    name: 'repl',
    kind: 'flag',
    help: 'read expressions one after the other; the Tab key completes, the arrow keys bring back what was written',
    group: 'what',
  },
  { name: 'explain', kind: 'flag', help: 'show what each part of the expression gave', group: 'output' },
  {
    name: 'format',
    kind: 'text',
    value: '<format>',
    allowed: VALUE_FORMATS,
    help: 'how to write it: text has type and cost, json and yaml the value alone',
    default: 'text',
    group: 'output',
  },
  {
    name: 'batch',
    kind: 'flag',
    help: 'read {"expr", "vars"?, "kubernetes"?} a line, write the answer a line',
    group: 'what',
  },
  { name: 'kubernetes-version', kind: 'text', value: '<1.x>', help: 'whose CEL it is', default: '1.36', group: 'how' },
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
    help: 'the API server whose answer is asked for',
    default: '1.36',
    group: 'how',
  },
  {
    name: 'decisions',
    kind: 'flag',
    help: 'add every decision to the response, also of rules that hold',
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
    help: 'how to write it',
    default: 'text',
    group: 'output',
  },
];

export const POLICIES_OPTIONS = WHY_OPTIONS;

export const LSP_OPTIONS: readonly OptionEntry[] = CHECK_OPTIONS.filter(({ name }) => STATE_OPTIONS.has(name));

export const TEST_FORMATS = ['text', 'json', 'junit', 'github'] as const;

export const TEST_OPTIONS: readonly OptionEntry[] = [
  { name: 'filter', kind: 'text', value: '<text>', help: 'only tests with the text in their names', group: 'what' },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'the API server, for files that name none',
    default: '1.36',
    group: 'how',
  },
  {
    name: 'format',
    kind: 'list',
    value: '<format>[=<file>]',
    offers: TEST_FORMATS,
    help: `how to write the outcome: ${TEST_FORMATS.join(', ')}; repeatable, \`=<file>\` writes it there (default: text)`,
    group: 'output',
  },
  { name: 'quiet', kind: 'flag', help: 'failures and numbers only', group: 'output' },
  {
    name: 'coverage',
    kind: 'flag',
    help: 'which parts of the expressions no test has seen both ways',
    group: 'output',
  },
  { name: 'lcov', kind: 'text', value: '<file>', help: 'write the coverage for other tools', group: 'output' },
  {
    name: 'update',
    kind: 'flag',
    help: 'write the messages that policies give now where a test expects whole other ones',
    group: 'output',
  },
  { name: 'watch', kind: 'flag', help: 'run again whenever a file changes, until it is stopped', group: 'how' },
  { name: 'mutants', kind: 'flag', help: 'which small changes of the policies no test notices', group: 'output' },
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
    help: 'values for the chart; repeatable, later ones win',
    group: 'how',
  },
  { name: 'include-crds', kind: 'flag', help: "the chart's `crds/` too", group: 'how' },
  { name: 'show-secrets', kind: 'flag', help: 'the values of Secrets, which are `…` otherwise', group: 'output' },
  {
    name: 'kubernetes-version',
    kind: 'text',
    value: '<1.x>',
    help: 'what charts take for the version of the cluster',
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
    help: '`helmCharts` of a kustomization whose chart lies in the repository',
    group: 'how',
  },
  {
    name: 'format',
    kind: 'text',
    value: '<format>',
    allowed: ['text', 'yaml', 'json', 'diff'],
    help: 'how to write it; of a folder always yaml',
    default: 'yaml of a folder, text of all roots',
    group: 'output',
  },
];

export const COMPLETION_OPTIONS: readonly OptionEntry[] = [];
