// The commands, once: what each is for, its options and what its exit status says; help pages and docs are made from this table.
import {
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
  REVIEW_OPTIONS,
  TEST_OPTIONS,
  WHY_OPTIONS,
} from './option-table.ts';

export interface CommandEntry {
  readonly name: string;
  /** What stands after `preadmit`. */
  readonly usage: string;
  /** Half a sentence. */
  readonly summary: string;
  readonly examples: readonly CommandExample[];
  readonly options: readonly OptionEntry[];
  /** Besides the one for internal errors, which every command has. */
  readonly exits: readonly ExitEntry[];
}

export type CommandExample = readonly [command: string, meaning: string];
export type ExitEntry = readonly [status: number, meaning: string];

export const INTERNAL_EXIT: ExitEntry = [4, 'internal error, please report it'];

const VERDICT_EXITS: readonly ExitEntry[] = [
  [0, 'allowed; with `--shard`, whatever was found'],
  [1, 'denied: something at or above `--fail-on`'],
  [2, 'usage, configuration or environment: nothing was decided'],
  [3, 'nothing was checked: no object met a bound policy; 0 with `--fail-on never`'],
  [5, 'undecided: not everything applied could be judged; 0 with `--on-undecided warn`'],
];

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'check',
    usage: 'check [paths… | -] [options]',
    summary: "evaluate manifests against the repository's own policies",
    examples: [
      ['preadmit check', 'everything Git tracks, with every policy found there'],
      ['preadmit check apps/ --fail-on warn', 'one folder, warnings fail too'],
      ["preadmit check --policies 'policies/**' --format sarif=preadmit.sarif", ''],
      ['preadmit check --kubernetes-version 1.33,1.36', 'what an upgrade changes'],
      ['helm template charts/shop | preadmit check - --policies ../platform/policies', 'manifests from standard input'],
    ],
    options: CHECK_COMMAND_OPTIONS,
    exits: VERDICT_EXITS,
  },
  {
    name: 'diff',
    usage: 'diff <base> <head> [paths…] [options]',
    summary: 'what the change between two commits, or two folders, does to the cluster',
    examples: [
      ['preadmit diff main HEAD', 'what this branch would change'],
      ['preadmit diff HEAD~1 HEAD --only all', 'what was there before counts too'],
      ['preadmit diff --base-dir out/base --head-dir out/head', 'two folders with what was rendered'],
    ],
    options: DIFF_OPTIONS,
    exits: VERDICT_EXITS,
  },
  {
    name: 'merge',
    usage: 'merge <report…> [options]',
    summary: 'join the JSON reports of all shards into one',
    examples: [['preadmit merge shard-*.json --format sarif=all.sarif', '']],
    options: MERGE_OPTIONS,
    exits: VERDICT_EXITS,
  },
  {
    name: 'baseline',
    usage: 'baseline [options]',
    summary: 'findings that are known: how they stand, --update, --prune',
    examples: [
      ['preadmit baseline', 'how many entries, which of them are unused or expired'],
      ["preadmit baseline --update --owner team-shop --reason 'before the policy' --expires 2027-03-31", ''],
    ],
    options: BASELINE_OPTIONS,
    exits: [
      [0, 'every entry is used and holds'],
      [1, 'an entry is expired, or unused and not pruned'],
      [2, 'usage, configuration or environment'],
    ],
  },
  {
    name: 'init',
    usage: 'init [options]',
    summary: 'propose configuration, workflow, baseline and hook for a repository, and write them',
    examples: [
      ['preadmit init', 'what is proposed; a terminal is asked whether to write it'],
      ['preadmit init --with pod-security --owner team-platform --yes', 'with policies to begin with'],
    ],
    options: INIT_OPTIONS,
    exits: [
      [0, 'it is shown, and written if that was agreed to'],
      [2, 'usage, configuration or environment; something cannot be written'],
    ],
  },
  {
    name: 'policies',
    usage: 'policies [paths…] [options]',
    summary: 'the policies there are: what they match, what they meet, what they need',
    examples: [['preadmit policies', 'idle ones first, then those with findings']],
    options: POLICIES_OPTIONS,
    exits: [
      [0, 'there are policies, whatever they say'],
      [2, 'usage, configuration or environment'],
      [3, 'there is no policy'],
    ],
  },
  {
    name: 'test',
    usage: 'test [paths…] [options]',
    summary: 'run the tests of policies, `*.preadmit-test.yaml` and suites of other tools',
    examples: [
      ['preadmit test', 'every test file in this folder and those in it'],
      ["preadmit test policies/ --filter 'replica limit'", ''],
      ['preadmit test --format junit=tests.xml', 'for other programs'],
    ],
    options: TEST_OPTIONS,
    exits: [
      [0, 'every test that could be run passed'],
      [1, 'a test failed'],
      [2, 'usage or environment; a test file is wrong'],
      [3, 'there are no tests, or none could be run'],
    ],
  },
  {
    name: 'why',
    usage: 'why <object> [policy] [options]',
    summary: 'how every policy comes to what it says of one object',
    examples: [
      ['preadmit why Deployment/shop/web', 'each policy: which step decided, with the values of its expressions'],
      ['preadmit why apps/web.yaml:12 replica-limit', 'the object on a line, one policy'],
    ],
    options: WHY_OPTIONS,
    exits: [
      [0, 'it is told, whatever the policies say'],
      [2, 'usage, configuration or environment; no such object or policy'],
    ],
  },
  {
    name: 'lsp',
    usage: 'lsp [options]',
    summary: 'a language server for editors, on standard input and output',
    examples: [['preadmit lsp', 'editors start it themselves: docs/editors.md']],
    options: LSP_OPTIONS,
    exits: [
      [0, 'the editor shut it down'],
      [1, 'the editor went without saying so'],
      [2, 'usage'],
    ],
  },
  {
    name: 'mutate',
    usage: 'mutate [paths…] [options]',
    summary: 'what mutating policies make of the manifests, printed or written back',
    examples: [
      ['preadmit mutate', 'every object that policies change, as the cluster would store it'],
      ['preadmit mutate apps/ --format diff', 'what would have to be written'],
      ['preadmit mutate --write', 'write it: a second run has nothing left to do'],
    ],
    options: MUTATE_OPTIONS,
    exits: [
      [0, 'done, whether policies change anything or not'],
      [1, 'something cannot be written back, or a policy fails; standard error tells what'],
      [2, 'usage, configuration or environment'],
    ],
  },
  {
    name: 'migrate',
    usage: 'migrate [policy…] [options]',
    summary: 'what ClusterPolicies become that end with Kyverno 1.20 (preview)',
    examples: [
      ['preadmit migrate', 'every ClusterPolicy as a ValidatingPolicy, or why it is none'],
      ['preadmit migrate require-labels --to ValidatingAdmissionPolicy', 'one, with its binding'],
    ],
    options: MIGRATE_OPTIONS,
    exits: [
      [0, 'each has a translation that says the same of every object tried'],
      [1, 'some have none; standard error tells why'],
      [2, 'usage, configuration or environment; no such policy'],
      [3, 'there is no ClusterPolicy'],
    ],
  },
  {
    name: 'cel',
    usage: "cel ['<expression>'] [options]",
    summary: 'look at one expression: its type, value and cost',
    examples: [
      ["preadmit cel 'object.spec.replicas <= 5' --object deployment.yaml --explain", ''],
      ["preadmit cel 'validations[0]' --policy limit.yaml --object deployment.yaml", 'one of a policy, by name'],
      ["preadmit cel 'object.spec.template.spec' --object deployment.yaml --format yaml", 'a value as YAML'],
      ['preadmit cel --repl --policy limit.yaml --object deployment.yaml', 'one after the other'],
      ['preadmit cel --batch < requests.jsonl', 'an answer a line'],
    ],
    options: CEL_OPTIONS,
    exits: [
      [0, 'it has a value, whichever; with `--batch`, every line was answered'],
      [1, 'it does not compile, or fails when it is evaluated'],
      [2, 'an argument, the object or a line of the batch is wrong'],
    ],
  },
  {
    name: 'render',
    usage: 'render [<folder> | <base> <head>] [options]',
    summary: 'write what a kustomization or a chart gives, or what the repository applies',
    examples: [
      ['preadmit render overlays/production', 'as `kustomize build` does'],
      [
        'preadmit render charts/shop --release shop --namespace shop --values production.yaml',
        'as `helm template` does',
      ],
      ['preadmit render', 'every root, by whom and for which cluster'],
      ['preadmit render --format diff main HEAD', 'what the roots apply otherwise than before'],
    ],
    options: RENDER_OPTIONS,
    exits: [
      [0, 'it is rendered, or all of it is'],
      [1, 'it cannot be rendered, or some of it: the words are those of kustomize or Helm'],
      [2, 'usage or environment'],
    ],
  },
  {
    name: 'review',
    usage: 'review --policies <path> [options]',
    summary: 'answer AdmissionReview requests on standard input',
    examples: [['preadmit review --policies policies.yaml --resources cluster.yaml --decisions < requests.jsonl', '']],
    options: REVIEW_OPTIONS,
    exits: [
      [0, 'every request was answered, whatever the answers are'],
      [2, 'an argument, a file or a request is wrong, or an answer is not certain'],
      [3, 'there is no policy with a binding'],
    ],
  },
  {
    name: 'completion',
    usage: 'completion bash | zsh | fish',
    summary: 'a script with which a shell completes commands, options and their values',
    examples: [
      ['source <(preadmit completion bash)', 'in ~/.bashrc'],
      ['preadmit completion zsh > ~/.zsh/completions/_preadmit', 'a folder of `fpath`'],
      ['preadmit completion fish > ~/.config/fish/completions/preadmit.fish', ''],
    ],
    options: COMPLETION_OPTIONS,
    exits: [
      [0, 'it is written'],
      [2, 'usage'],
    ],
  },
];
