// `preadmit init`: proposes a configuration, workflow, baseline and hook for a repository, and writes them after confirmation.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { versionProblem } from '../../../kubernetes/api/version.ts';
import { type CheckInput, checkState, renderingInState } from '../../../pipeline/check-state.ts';
import { baselineText } from '../../../report/baseline/baseline-text.ts';
import { openDiagnostics, openFindings } from '../../../report/baseline/excuse.ts';
import { separated } from '../../../report/builder/join-roots.ts';
import type { Report } from '../../../report/report.ts';
import { isGating } from '../../../report/tally/verdict.ts';
import { count } from '../../../report/wording/wording.ts';
import type { FetchKind } from '../../../settings/configuration-shape.ts';
import { loadBaseline } from '../../../settings/load-baseline.ts';
import { loadConfiguration } from '../../../settings/load-configuration.ts';
import { POLICY_TEST_SUFFIX } from '../../../settings/policy-test-shape.ts';
import { SourceFile } from '../../../source/text/source-file.ts';
import { VERSION } from '../../../version.ts';
import { BASELINE_NAME, CONFIGURATION_NAMES } from '../../../workspace/discover/configuration-file.ts';
import { isThere, writeNewFile } from '../../../workspace/files/new-files.ts';
import { GitRepository } from '../../../workspace/git/git-repository.ts';
import { askRepository, type CheckOptions, type CheckResult, repositoryRoot } from '../../run/check-repository.ts';
import { EXIT } from '../../run/exit-code.ts';
import { fetchAccess } from '../../run/fetch-access.ts';
import { INIT_OPTIONS } from '../options/option-table.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import { stoppedBy } from '../stopped-by.ts';
import { type Terminal, usageError } from '../terminal.ts';
import { baselineEntries, isAcceptable } from './baseline-entries.ts';
import { ownerOf } from './code-owner.ts';
import { describedGround, type Ground, hasEffect } from './ground.ts';
import { dayAfter, proposedAudit, proposedConfiguration, proposedHooks, proposedWorkflow } from './init-files.ts';
import { type MissingRemotes, missingRemotes } from './missing-remotes.ts';
import { outlook } from './outlook.ts';
import { repositoryFacts } from './repository-facts.ts';
import { starterPolicies } from './starter-policies.ts';

const WORKFLOW = '.github/workflows/preadmit.yaml';
const AUDIT = '.github/workflows/preadmit-audit.yaml';
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
  const root = await repositoryRoot(optionsFor(fetch, terminal));
  const known = texts.get('owner') ?? (await ownerOf(root));
  // Ask for the owner before the check, which may take minutes.
  const isAsked = known === undefined && !(await isThere(root, BASELINE_NAME));
  if (isAsked && flags.has('yes')) return usageError([NO_OWNER], terminal);
  const owner = isAsked ? await answers.ask(OWNER_QUESTION) : known;
  const branch = await branchOf(terminal.directory);
  const audit = texts.get('audit') as Wishes['audit'];
  const wishes = { root, with: lists.get('with') ?? [], owner, branch, today: terminal.today, ...(audit && { audit }) };
  const propose = async (kinds: readonly FetchKind[]): Promise<Proposals | CheckResult> => {
    const asked = await askRepository(optionsFor(kinds, terminal), async (input) => {
      const missing = missingRemotes(input);
      const mayAsk = kinds.length === 0 && missing.length > 0 && !flags.has('yes') && !isConfigured(input);
      if (mayAsk && (await answers.agrees(fetchQuestion(missing)))) return { agreed: missing.map(({ kind }) => kind) };
      return proposalsFor(input, missing, kinds, wishes);
    });
    if ('stopped' in asked) return asked.stopped;
    return 'agreed' in asked.answer ? propose(asked.answer.agreed) : asked.answer;
  };
  const proposals = await propose(fetch);
  if ('unusable' in proposals) return stoppedBy(proposals, terminal);
  const { ground, report, files, starters, expected } = proposals;
  const { missing, present } = files;
  const say = (line: string): void => terminal.out(`${sanitizeLine(line)}\n`);
  const added = [...missing, ...starters.missing];
  for (const line of describedGround(ground, report, new Set(starters.missing.map(({ path }) => path)))) say(line);
  for (const file of starters.present) say(`${file.path} already exists and is not changed`);
  for (const file of present) showAsDue(file, say);
  for (const file of added) showAsNew(file, say);
  if (owner === undefined && missing.some(({ path }) => path === BASELINE_NAME))
    return usageError([NO_OWNER], terminal);
  say('');
  for (const line of outlook(expected, added.length > 0)) say(line);
  return write(root, added, flags.has('yes') ? undefined : answers, terminal);
}

function optionsFor(fetch: readonly FetchKind[], terminal: Terminal): CheckOptions {
  return {
    directory: terminal.directory,
    paths: [],
    today: terminal.today,
    overrides: fetch.length > 0 ? { fetch } : {},
    fetching: {
      ...fetchAccess(terminal.environment ?? {}, undefined, terminal.now),
      ...(terminal.transport && { transport: terminal.transport }),
    },
  };
}

interface Wishes {
  readonly root: string;
  /** Starter policies that the user asked for. */
  readonly with: readonly string[];
  readonly owner: string | undefined;
  readonly branch: string;
  readonly today: string;
  /** Absent: no workflow of its own for the audit. */
  readonly audit?: 'issue' | 'page';
}

interface Sorted {
  readonly missing: readonly SourceFile[];
  /** Proposals for which the repository already has a file. */
  readonly present: readonly SourceFile[];
}

interface Proposals {
  readonly ground: Ground;
  /** Of the repository with the starter policies, without the proposed baseline. */
  readonly report: Report;
  readonly files: Sorted;
  readonly starters: Sorted;
  /** Of the repository with all proposed files. */
  readonly expected: Report;
}

async function proposalsFor(
  input: CheckInput,
  missing: readonly MissingRemotes[],
  fetch: readonly FetchKind[],
  { root, with: wanted, owner, branch, today, audit }: Wishes,
): Promise<Proposals> {
  const facts = repositoryFacts(
    input.files.map(({ file }) => file),
    input.rendering?.builder?.documents,
  );
  const configuration = proposedConfiguration(facts, fetch);
  const check = (starters: Sorted, baseline?: CheckInput['baseline']): Report =>
    checkState({ ...withProposals(input, configuration, starters.missing), ...(baseline && { baseline }) });
  const hasOwn =
    facts.counts.has('policies') || facts.counts.has('Pod Security') || input.configuration.policySources.length > 0;
  let starters = await absent(root, [...new Set(wanted)].flatMap(starterPolicies));
  let report = hasOwn || wanted.length > 0 ? check(starters) : undefined;
  if (report === undefined || (wanted.length === 0 && !hasEffect(report))) {
    starters = await absent(root, starterPolicies(DEFAULT_STARTERS));
    report = check(starters);
  }
  const baseline = proposedBaseline(report, owner, today);
  const files = await absent(root, [
    ...(configuration === undefined ? [] : [new SourceFile('.preadmit.yaml', configuration)]),
    new SourceFile(WORKFLOW, proposedWorkflow(branch, audit !== undefined)),
    ...(audit === undefined ? [] : [new SourceFile(AUDIT, proposedAudit(audit))]),
    ...(baseline === undefined ? [] : [baseline]),
    new SourceFile(HOOKS, proposedHooks(VERSION)),
  ]);
  const isNew = baseline !== undefined && files.missing.includes(baseline);
  const expected = isNew ? check(starters, loadBaseline(baseline).baseline) : report;
  return { ground: { facts, rendering: renderingInState(input), missing }, report, files, starters, expected };
}

/** Proposed if no policy of the repository applies to any object. */
const DEFAULT_STARTERS = 'pod-security';

function isConfigured({ paths }: CheckInput): boolean {
  return CONFIGURATION_NAMES.some((name) => paths.has(name));
}

function fetchQuestion(missing: readonly MissingRemotes[]): string {
  const words = missing.map((each) => each.words).join(', ');
  return `Not in the repository: ${words}. Download them, now and in later checks? [y/N] `;
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
  if (answers !== undefined && !(await answers.agrees(`\nWrite ${count(files.length, 'file')}? [y/N] `))) {
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

  /** False without a terminal. */
  async agrees(question: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.ask(question)) ?? '');
  }

  async close(): Promise<void> {
    await this.#lines?.return?.();
  }
}

/** The input with the proposed files added. */
function withProposals(input: CheckInput, written: string | undefined, starters: readonly SourceFile[]): CheckInput {
  const policies = starters.filter(({ path }) => !path.endsWith(POLICY_TEST_SUFFIX));
  const file = new SourceFile('.preadmit.yaml', written ?? '');
  const { configuration = input.configuration } = loadConfiguration(file, { versionProblem });
  return {
    ...input,
    files: [...input.files, ...policies.map((each) => ({ file: each, selected: true }))],
    paths: new Set([...input.paths, ...policies.map(({ path }) => path)]),
    configuration: isConfigured(input) ? input.configuration : configuration,
  };
}

function proposedBaseline(report: Report, owner: string | undefined, today: string): SourceFile | undefined {
  const findings = openFindings(report.findings)
    .filter((finding) => isGating(finding, report.verdict.failOn))
    .flatMap(separated);
  const problems = openDiagnostics(report.diagnostics).filter(isAcceptable);
  const entries = baselineEntries(findings, problems, report.targets.length > 1, {
    owner: owner ?? 'unassigned',
    reason: 'existed before the first check',
    expires: dayAfter(today, BASELINE_DAYS),
  });
  return entries.length === 0 ? undefined : new SourceFile(BASELINE_NAME, baselineText(entries));
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

async function absent(root: string, files: readonly SourceFile[]): Promise<Sorted> {
  const missing: SourceFile[] = [];
  const present: SourceFile[] = [];
  for (const file of files) {
    const names = file.path === '.preadmit.yaml' ? CONFIGURATION_NAMES : [file.path];
    const there = await Promise.all(names.map((name) => isThere(root, name)));
    (there.includes(true) ? present : missing).push(file);
  }
  return { missing, present };
}

/** `master` if that branch is checked out, else `main`. */
async function branchOf(directory: string): Promise<string> {
  const branch = await (await GitRepository.open(directory))?.branch();
  return branch === 'master' ? 'master' : 'main';
}
