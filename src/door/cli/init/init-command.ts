// `preadmit init`: proposes a configuration, workflow, baseline and hook for a repository, and writes them after confirmation.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { versionProblem } from '../../../kubernetes/api/version.ts';
import { type CheckInput, checkState } from '../../../pipeline/check-state.ts';
import { baselineText } from '../../../report/baseline/baseline-text.ts';
import { openDiagnostics, openFindings } from '../../../report/baseline/excuse.ts';
import { separated } from '../../../report/builder/join-roots.ts';
import type { Report } from '../../../report/report.ts';
import { isGating } from '../../../report/tally/verdict.ts';
import { count } from '../../../report/wording/wording.ts';
import type { FetchKind } from '../../../settings/configuration-shape.ts';
import { loadConfiguration } from '../../../settings/load-configuration.ts';
import { POLICY_TEST_SUFFIX } from '../../../settings/policy-test-shape.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { VERSION } from '../../../version.ts';
import { BASELINE_NAME, CONFIGURATION_NAMES } from '../../../workspace/discover/configuration-file.ts';
import { isThere, writeNewFile } from '../../../workspace/files/new-files.ts';
import { GitRepository } from '../../../workspace/git/git-repository.ts';
import { askRepository, type CheckOptions, repositoryRoot } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import { fetchAccess } from '../../run/fetch-access.ts';
import { INIT_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { stoppedBy } from '../stopped-by.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { baselineEntries, isAcceptable } from './baseline-entries.ts';
import { dayAfter, proposedConfiguration, proposedHooks, proposedWorkflow } from './init-files.ts';
import { type MissingRemotes, missingRemotes } from './missing-remotes.ts';
import { type RepositoryFacts, repositoryFacts } from './repository-facts.ts';
import { starterPolicies } from './starter-policies.ts';

const WORKFLOW = '.github/workflows/preadmit.yaml';
const HOOKS = '.pre-commit-config.yaml';
/** How long the proposed baseline accepts existing findings. */
const BASELINE_DAYS = 90;
/** Longer files are shown truncated. */
const SHOWN_LINES = 60;

export async function initCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const answers = new Answers(terminal);
  try {
    return await proposeAndWrite(args, answers, terminal);
  } finally {
    await answers.close();
  }
}

async function proposeAndWrite(args: readonly string[], answers: Answers, terminal: Terminal): Promise<number> {
  const parsed = parseArguments(args, INIT_OPTIONS);
  if ('problems' in parsed) return usageError(parsed.problems, terminal);
  const { paths, flags, texts, lists } = parsed.arguments;
  if (paths.length > 0)
    return usageError(['`preadmit init` works on the whole repository and takes no paths'], terminal);
  const fetch = (lists.get('fetch') ?? []) as readonly FetchKind[];
  const options: CheckOptions = {
    directory: terminal.directory,
    paths: [],
    today: terminal.today,
    overrides: fetch.length > 0 ? { fetch } : {},
    fetching: {
      ...fetchAccess(terminal.environment ?? {}, undefined, terminal.now),
      ...(terminal.transport && { transport: terminal.transport }),
    },
  };
  const root = await repositoryRoot(options);
  const starters = await absent(root, [...new Set(lists.get('with') ?? [])].flatMap(starterPolicies));
  const known = texts.get('owner') ?? (await ownerOf(terminal.directory));
  // Ask for the owner before the check, which may take minutes.
  const isAsked = known === undefined && !(await isThere(root, BASELINE_NAME));
  if (isAsked && flags.has('yes')) return usageError([NO_OWNER], terminal);
  const owner = isAsked ? await answers.ask(OWNER_QUESTION) : known;
  const branch = await branchOf(terminal.directory);
  const asked = await askRepository({ ...options, baseline: null }, (input) => {
    const facts = repositoryFacts(
      input.files.map(({ file }) => file),
      input.rendering?.builder?.documents,
    );
    const configuration = proposedConfiguration(facts, fetch);
    const missing = missingRemotes(input);
    return { facts, configuration, missing, report: checkState(withProposals(input, configuration, starters.missing)) };
  });
  if ('stopped' in asked) return stoppedBy(asked.stopped, terminal);
  const { facts, configuration, missing: remotes, report } = asked.answer;
  const baseline = proposedBaseline(report, owner, terminal.today);
  const proposals = [
    ...(configuration === undefined ? [] : [new SourceFile('.preadmit.yaml', configuration)]),
    new SourceFile(WORKFLOW, proposedWorkflow(branch)),
    ...(baseline === undefined ? [] : [new SourceFile(BASELINE_NAME, baseline.text)]),
    new SourceFile(HOOKS, proposedHooks(VERSION)),
  ];
  const { missing, present } = await absent(root, proposals);
  const say = (line: string): void => terminal.out(`${sanitizeLine(line)}\n`);
  for (const line of [...described(facts, report), ...fetchable(remotes)]) say(line);
  for (const file of starters.present) say(`${file.path} already exists and is not changed`);
  for (const file of present) showAsDue(file, say);
  for (const file of [...missing, ...starters.missing]) showAsNew(file, say);
  if (owner === undefined && missing.some(({ path }) => path === BASELINE_NAME))
    return usageError([NO_OWNER], terminal);
  return write(root, [...missing, ...starters.missing], flags.has('yes') ? undefined : answers, terminal);
}

const NO_OWNER = 'the baseline needs an owner and Git has no `user.email`: pass `--owner <name>`';
const OWNER_QUESTION = 'Who owns the existing findings? (name or email address, written to the baseline) ';

/** `answers`: asks for confirmation; undefined means confirmed. */
async function write(
  root: string,
  files: readonly SourceFile[],
  answers: Answers | undefined,
  terminal: Terminal,
): Promise<number> {
  if (files.length === 0) {
    terminal.out('\nThere is nothing to write.\n');
    return EXIT.allowed;
  }
  const answer = await answers?.ask(`\nWrite ${count(files.length, 'file')}? [y/N] `);
  if (answers !== undefined && !/^y(es)?$/i.test(answer ?? '')) {
    terminal.out('\nNo file was written. To write them, run `preadmit init --yes`.\n');
    return EXIT.allowed;
  }
  for (const { path, text } of files) await writeNewFile(root, path, text);
  terminal.out(
    `\nWrote ${count(files.length, 'file')}. Next: run \`git add\`, because only tracked files are read, then \`preadmit check\`.\n`,
  );
  return EXIT.allowed;
}

/** Asks questions in a terminal and reads one line per answer. */
class Answers {
  readonly #terminal: Terminal;
  #lines: AsyncIterator<string> | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Undefined without a terminal, or if the answer is empty. */
  async ask(question: string): Promise<string | undefined> {
    const { interactive, err, lines } = this.#terminal;
    if (!interactive) return undefined;
    err(question);
    this.#lines ??= lines()[Symbol.asyncIterator]();
    const { value, done } = await this.#lines.next();
    const answer = done === true ? '' : value.trim();
    return answer === '' ? undefined : answer;
  }

  async close(): Promise<void> {
    await this.#lines?.return?.();
  }
}

/** The input with the proposed files added. */
function withProposals(input: CheckInput, written: string | undefined, starters: readonly SourceFile[]): CheckInput {
  const policies = starters.filter(({ path }) => !path.endsWith(POLICY_TEST_SUFFIX));
  const isConfigured = CONFIGURATION_NAMES.some((name) => input.paths.has(name));
  const file = new SourceFile('.preadmit.yaml', written ?? '');
  const { configuration = input.configuration } = loadConfiguration(file, { versionProblem });
  return {
    ...input,
    files: [...input.files, ...policies.map((each) => ({ file: each, selected: true }))],
    paths: new Set([...input.paths, ...policies.map(({ path }) => path)]),
    configuration: isConfigured ? input.configuration : configuration,
  };
}

function proposedBaseline(
  report: Report,
  owner: string | undefined,
  today: string,
): { readonly text: string } | undefined {
  const findings = openFindings(report.findings)
    .filter((finding) => isGating(finding, report.verdict.failOn))
    .flatMap(separated);
  const problems = openDiagnostics(report.diagnostics).filter(isAcceptable);
  const entries = baselineEntries(findings, problems, report.targets.length > 1, {
    owner: owner ?? 'unassigned',
    reason: 'existed before the first check',
    expires: dayAfter(today, BASELINE_DAYS),
  });
  return entries.length === 0 ? undefined : { text: baselineText(entries) };
}

function described({ counts, versions }: RepositoryFacts, report: Report): readonly string[] {
  const policies = report.targets.reduce((most, target) => Math.max(most, target.policies.length), 0);
  const controllers = ['Flux', 'Argo CD'].flatMap((name) =>
    counts.has(name) ? [`${name} (${count(counts.get(name) ?? 0, 'object')})`] : [],
  );
  const releases = [...versions].map(([release, files]) => `${release} (${files.join(', ')})`);
  const rest = report.diagnostics.filter(({ severity, resource }) => severity === 'error' && resource === undefined);
  return [
    `Applied by: ${controllers.join(', ') || 'no GitOps controller found'}`,
    `Clusters: ${report.targets.map(({ name }) => name).join(', ')}`,
    `Policies: ${policies === 0 ? 'none; add some with `--with pod-security` or `--with best-practices`' : policies}`,
    `Kubernetes: ${releases.join(', ') || 'no release found; the default applies'}`,
    ...(releases.length > 1
      ? ['  Several releases found: set one in `kubernetesVersion`, or one per cluster in `targets`.']
      : []),
    ...(rest.length > 0
      ? [`${count(rest.length, 'error')} that a baseline cannot accept: run \`preadmit check\` to see them`]
      : []),
  ];
}

/** What the option `fetch` would add. */
function fetchable(missing: readonly MissingRemotes[]): readonly string[] {
  if (missing.length === 0) return [];
  const words = missing.map((each) => each.words).join(', ');
  const kinds = missing.map(({ kind }) => kind).join(',');
  return [
    `Not in the repository: ${words}; \`preadmit init --fetch ${kinds}\` downloads them, now and in later checks`,
  ];
}

function showAsNew({ path, text }: SourceFile, say: (line: string) => void): void {
  const lines = text.split('\n').slice(0, -1);
  say('');
  say('--- /dev/null');
  say(`+++ ${path}`);
  for (const line of lines.slice(0, SHOWN_LINES)) say(`+${line}`);
  if (lines.length > SHOWN_LINES) say(`  … ${count(lines.length - SHOWN_LINES, 'more line')}`);
}

/** Shows a proposal for a file that already exists. */
function showAsDue({ path, text }: SourceFile, say: (line: string) => void): void {
  say('');
  if (path === BASELINE_NAME) {
    say(`${path} already exists and is not changed. \`preadmit baseline --update\` adds missing entries.`);
    return;
  }
  say(`${path} already exists and is not changed. Make sure it contains:`);
  for (const line of text.split('\n').slice(0, SHOWN_LINES)) if (line !== '') say(`  ${line}`);
}

async function absent(
  root: string,
  files: readonly SourceFile[],
): Promise<{ readonly missing: readonly SourceFile[]; readonly present: readonly SourceFile[] }> {
  const missing: SourceFile[] = [];
  const present: SourceFile[] = [];
  for (const file of files) {
    const names = file.path === '.preadmit.yaml' ? CONFIGURATION_NAMES : [file.path];
    const there = await Promise.all(names.map((name) => isThere(root, name)));
    (there.includes(true) ? present : missing).push(file);
  }
  return { missing, present };
}

async function ownerOf(directory: string): Promise<string | undefined> {
  const repository = await GitRepository.open(directory);
  return (await repository?.setting('user.email')) ?? (await repository?.setting('user.name'));
}

/** `master` if that branch is checked out, else `main`. */
async function branchOf(directory: string): Promise<string> {
  const branch = await (await GitRepository.open(directory))?.branch();
  return branch === 'master' ? 'master' : 'main';
}
