// Table of all commands with options and exit codes; help pages and docs are generated from it.
import {
  AUDIT_OPTIONS,
  BASELINE_OPTIONS,
  CEL_OPTIONS,
  CHECK_COMMAND_OPTIONS,
  COMPLETION_OPTIONS,
  DIFF_OPTIONS,
  INIT_OPTIONS,
  LSP_OPTIONS,
  MERGE_OPTIONS,
  MIGRATE_OPTIONS,
  MUTATE_OPTIONS,
  type OptionEntry,
  POLICIES_OPTIONS,
  RENDER_OPTIONS,
  REPORT_COMMAND_OPTIONS,
  REVIEW_OPTIONS,
  TEST_OPTIONS,
  WHY_OPTIONS,
} from './option-table.ts';

export interface CommandEntry {
  readonly name: string;
  /** Text after `preadmit`. */
  readonly usage: string;
  /** Sentence fragment, lower case, no full stop. */
  readonly summary: string;
  readonly examples: readonly CommandExample[];
  readonly options: readonly OptionEntry[];
  /** Exit codes except the one for internal errors, which every command has. */
  readonly exits: readonly ExitEntry[];
}

export type CommandExample = readonly [command: string, meaning: string];
export type ExitEntry = readonly [status: number, meaning: string];

export const INTERNAL_EXIT: ExitEntry = [4, 'internal error, please report it'];

const VERDICT_EXITS: readonly ExitEntry[] = [
  [0, 'allowed; with `--shard`, also if findings deny'],
  [1, 'denied: a finding at or above `--fail-on`'],
  [2, 'usage, configuration or environment error: no verdict'],
  [3, 'nothing checked: no bound policy applied to any object; 0 with `--fail-on never`'],
  [5, 'undecided: not everything was judged; 0 with `--on-undecided warn`'],
];

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'check',
    usage: 'check [paths… | -] [options]',
    summary: "evaluate manifests against the repository's own policies",
    examples: [
      ['preadmit check', 'everything Git tracks, with every policy found there'],
      ['preadmit check apps/ --fail-on warn', 'one folder; warnings fail the run too'],
      ["preadmit check --policies 'policies/**' --format sarif=preadmit.sarif", ''],
      ['preadmit check --kubernetes-version 1.33,1.36', 'what an upgrade changes'],
      ['helm template charts/shop | preadmit check - --policies ../platform/policies', 'manifests from standard input'],
    ],
    options: CHECK_COMMAND_OPTIONS,
    exits: VERDICT_EXITS,
  },
  {
    name: 'audit',
    usage: 'audit [options]',
    summary: 'check the whole repository; report ages, owners, upgrades and candidate policies',
    examples: [
      ['preadmit audit --format html=audit.html', 'the report as one page'],
      ['preadmit audit --kubernetes-version current,next,next+1', 'what to do before the next releases'],
      ['preadmit audit --policy-sources new=../policies/next', 'what other policies would change'],
      ['preadmit audit --owner @acme/shop', 'only the findings of this team'],
      ['preadmit audit --history branch:preadmit-audit --format json=audit.json', 'ages, new and fixed findings'],
    ],
    options: AUDIT_OPTIONS,
    exits: VERDICT_EXITS,
  },
  {
    name: 'report',
    usage: 'report <report> --site <folder> [options]',
    summary: 'make the page of an audit from its JSON report and its history',
    examples: [['preadmit report audit.json --site public --history branch:preadmit-audit', 'trends, ages, owners']],
    options: REPORT_COMMAND_OPTIONS,
    exits: [
      [0, 'the page was written'],
      [2, 'usage or environment error; the report is invalid'],
    ],
  },
  {
    name: 'diff',
    usage: 'diff <base> <head> [paths…] [options]',
    summary: 'show the effect on the cluster of a change between two commits or two folders',
    examples: [
      ['preadmit diff main HEAD', 'what this branch would change'],
      ['preadmit diff HEAD~1 HEAD --only all', 'existing findings count too'],
      ['preadmit diff --base-dir out/base --head-dir out/head', 'two folders of rendered manifests'],
    ],
    options: DIFF_OPTIONS,
    exits: VERDICT_EXITS,
  },
  {
    name: 'merge',
    usage: 'merge <report…> [options]',
    summary: 'merge the JSON reports of all shards, or join those of several repositories',
    examples: [
      ['preadmit merge shard-*.json --format sarif=all.sarif', 'shards of one repository'],
      ['preadmit merge reports --expect acme/shop,acme/payments --format html=all.html', 'several repositories'],
    ],
    options: MERGE_OPTIONS,
    exits: VERDICT_EXITS,
  },
  {
    name: 'baseline',
    usage: 'baseline [options]',
    summary: 'show the baseline of accepted findings; --update and --prune change it',
    examples: [
      ['preadmit baseline', 'number of entries, and which are unused or expired'],
      ["preadmit baseline --update --owner team-shop --reason 'before the policy' --expires 2027-03-31", ''],
    ],
    options: BASELINE_OPTIONS,
    exits: [
      [0, 'every entry is used and not expired'],
      [1, 'an entry is expired, or unused without `--prune`'],
      [2, 'usage, configuration or environment error'],
    ],
  },
  {
    name: 'init',
    usage: 'init [options]',
    summary: 'propose configuration, workflow, baseline and hook for a repository, and write them',
    examples: [
      ['preadmit init', 'show the proposal; in a terminal, ask before writing'],
      ['preadmit init --with pod-security --owner team-platform --yes', 'include starter policies and write all files'],
      ['preadmit init --audit issue', 'also a daily audit with a history'],
    ],
    options: INIT_OPTIONS,
    exits: [
      [0, 'the proposal was shown, and written if confirmed'],
      [2, 'usage, configuration or environment error; a file cannot be written'],
    ],
  },
  {
    name: 'policies',
    usage: 'policies [paths…] [options]',
    summary: 'list policies: what they match, which objects they apply to, which params they need',
    examples: [['preadmit policies', 'policies that apply to no object first, then those with findings']],
    options: POLICIES_OPTIONS,
    exits: [
      [0, 'there are policies'],
      [2, 'usage, configuration or environment error'],
      [3, 'there is no policy'],
    ],
  },
  {
    name: 'test',
    usage: 'test [paths…] [options]',
    summary: 'run policy tests: `*.preadmit-test.yaml` and suites of other tools',
    examples: [
      ['preadmit test', 'every test file in this folder and below'],
      ["preadmit test policies/ --filter 'replica limit'", ''],
      ['preadmit test --format junit=tests.xml', 'a JUnit file for CI'],
    ],
    options: TEST_OPTIONS,
    exits: [
      [0, 'every test that could run passed'],
      [1, 'a test failed'],
      [2, 'usage or environment error; invalid test file'],
      [3, 'there are no tests, or none could run'],
    ],
  },
  {
    name: 'why',
    usage: 'why <object> [policy] [options]',
    summary: 'explain how every policy judges one object',
    examples: [
      ['preadmit why Deployment/shop/web', 'for each policy the deciding step and the values of its expressions'],
      ['preadmit why apps/web.yaml:12 replica-limit', 'the object at a line, one policy'],
    ],
    options: WHY_OPTIONS,
    exits: [
      [0, 'explained'],
      [2, 'usage, configuration or environment error; unknown object or policy'],
    ],
  },
  {
    name: 'lsp',
    usage: 'lsp [options]',
    summary: 'run a language server for editors on standard input and output',
    examples: [['preadmit lsp', 'editors start it; see docs/editors.md']],
    options: LSP_OPTIONS,
    exits: [
      [0, 'the editor shut it down'],
      [1, 'the editor closed the stream without `shutdown`'],
      [2, 'usage error'],
    ],
  },
  {
    name: 'mutate',
    usage: 'mutate [paths…] [options]',
    summary: 'apply mutating policies to the manifests; print or write back the result',
    examples: [
      ['preadmit mutate', 'every object that policies change, as stored in the cluster'],
      ['preadmit mutate apps/ --format diff', 'the necessary file changes'],
      ['preadmit mutate --write', 'write the changes; a second run changes nothing'],
    ],
    options: MUTATE_OPTIONS,
    exits: [
      [0, 'done, with or without changes'],
      [1, 'a change cannot be written back, or a policy fails; see standard error'],
      [2, 'usage, configuration or environment error'],
    ],
  },
  {
    name: 'migrate',
    usage: 'migrate [policy…] [options]',
    summary: 'translate ClusterPolicies, which Kyverno 1.20 removes, to CEL policies (preview)',
    examples: [
      ['preadmit migrate', 'every ClusterPolicy as a ValidatingPolicy, or why it has no translation'],
      ['preadmit migrate require-labels --to ValidatingAdmissionPolicy', 'one, with its binding'],
    ],
    options: MIGRATE_OPTIONS,
    exits: [
      [0, 'every translation agrees with its policy on every tried object'],
      [1, 'a policy has no translation; see standard error'],
      [2, 'usage, configuration or environment error; unknown policy'],
      [3, 'there is no ClusterPolicy'],
    ],
  },
  {
    name: 'cel',
    usage: "cel ['<expression>'] [options]",
    summary: 'evaluate a CEL expression: type, value and cost',
    examples: [
      ["preadmit cel 'object.spec.replicas <= 5' --object deployment.yaml --explain", ''],
      [
        "preadmit cel 'validations[0]' --policy limit.yaml --object deployment.yaml",
        'an expression of a policy, by name',
      ],
      ["preadmit cel 'object.spec.template.spec' --object deployment.yaml --format yaml", 'a value as YAML'],
      ['preadmit cel --repl --policy limit.yaml --object deployment.yaml', 'interactive session'],
      ['preadmit cel --batch < requests.jsonl', 'one answer per line'],
    ],
    options: CEL_OPTIONS,
    exits: [
      [0, 'the expression has a value; with `--batch`, every line was answered'],
      [1, 'the expression does not compile, or its evaluation fails'],
      [2, 'an argument, the object or a line of the batch is invalid'],
    ],
  },
  {
    name: 'render',
    usage: 'render [<folder> | <base> <head>] [options]',
    summary: 'render a kustomization, a chart, or everything that the repository applies',
    examples: [
      ['preadmit render overlays/production', 'like `kustomize build`'],
      ['preadmit render charts/shop --release shop --namespace shop --values production.yaml', 'like `helm template`'],
      ['preadmit render', 'every root with its controller and cluster'],
      ['preadmit render --format diff main HEAD', 'how the rendered objects of the roots change'],
    ],
    options: RENDER_OPTIONS,
    exits: [
      [0, 'everything was rendered'],
      [1, 'something cannot be rendered; the message is that of kustomize or Helm'],
      [2, 'usage or environment error'],
    ],
  },
  {
    name: 'review',
    usage: 'review --policies <path> [options]',
    summary: 'answer AdmissionReview requests on standard input',
    examples: [['preadmit review --policies policies.yaml --resources cluster.yaml --decisions < requests.jsonl', '']],
    options: REVIEW_OPTIONS,
    exits: [
      [0, 'every request was answered'],
      [2, 'an argument, a file or a request is invalid, or an answer is undecided'],
      [3, 'there is no policy with a binding'],
    ],
  },
  {
    name: 'completion',
    usage: 'completion bash | zsh | fish',
    summary: 'print a shell script that completes commands, options and values',
    examples: [
      ['source <(preadmit completion bash)', 'in ~/.bashrc'],
      ['preadmit completion zsh > ~/.zsh/completions/_preadmit', 'a folder of `fpath`'],
      ['preadmit completion fish > ~/.config/fish/completions/preadmit.fish', ''],
    ],
    options: COMPLETION_OPTIONS,
    exits: [
      [0, 'the script was printed'],
      [2, 'usage error'],
    ],
  },
];
