// Runs the action: reads inputs and event; writes check-run, annotations, summary and outputs; returns the exit status.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createClient } from '../../github/client.ts';
import { readEvent, type StepEnvironment } from '../../github/event.ts';
import { GithubError } from '../../github/github-error.ts';
import { type ActionInputs, readInputs } from '../../github/inputs.ts';
import { createLog, type Log, maskSecret } from '../../github/log.ts';
import { outputsOf, writeOutputs } from '../../github/outputs.ts';
import { publish } from '../../github/publish.ts';
import { checkReportPaths, writeReports } from '../../github/report-files.ts';
import { staleRerun } from '../../github/stale-rerun.ts';
import { parseShard, shardProblem } from '../../pipeline/check/shard.ts';
import { text } from '../../report/format/text/text.ts';
import type { Report } from '../../report/report.ts';
import { verdictHeadline } from '../../report/wording/wording.ts';
import { ISSUES_URL, VERSION } from '../../version.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { mergeFiles } from '../cli/command/merge-command.ts';
import { historyProblem } from '../run/audit-history.ts';
import { auditRepository } from '../run/audit-repository.ts';
import { checkChanges } from '../run/check-changes.ts';
import { type CheckOptions, type CheckResult, checkRepository, unusable } from '../run/check-repository.ts';
import { EXIT, exitCodeOf } from '../run/exit-code.ts';
import { fetchAccess, schemaOptions } from '../run/fetch-access.ts';
import { accessWith, secretsIn, sourcesOf } from '../run/policy-sources.ts';
import { createStageLog } from '../run/stage-log.ts';
import { workersOf } from '../run/worker-count.ts';
import { type ChangeSearch, type FindOptions, findChange, type MissingChange } from './find-change.ts';
import { isAuditOf, ownerParts, recordRun, siteFiles, writePage } from './record-audit.ts';
import { checkedOut, shownReport } from './shown-report.ts';

export interface ActionProcess {
  readonly environment: StepEnvironment;
  readonly out: (text: string) => void;
  /** Milliseconds since an arbitrary fixed moment. */
  readonly now: () => number;
  /** Format `2026-11-21`, in UTC. */
  readonly today: string;
  /** The moment of the start in UTC: `2026-11-21T05:17:00Z`. */
  readonly moment: string;
}

/** Returns the exit status; never throws. */
export async function runAction(process: ActionProcess): Promise<number> {
  const log = createLog(process.out);
  try {
    return await act(process, log);
  } catch (error) {
    return explainFailure(error, log);
  }
}

async function act({ environment, now, today, moment }: ActionProcess, log: Log): Promise<number> {
  const { inputs, problems } = readInputs(environment);
  if (inputs.token !== undefined) maskSecret(inputs.token);
  for (const secret of secretsIn(inputs.policySourceTokens)) maskSecret(secret);
  for (const secret of secretsIn(inputs.fetchTokens)) maskSecret(secret);
  for (const { message, help } of problems) log.error(help === undefined ? message : `${message} (${help})`);
  if (problems.length > 0) return EXIT.usage;
  const event = readEvent(environment, await readPayload(environment), inputs);
  if (event.context === undefined) {
    log.error(event.refusal);
    return EXIT.usage;
  }
  const { token } = inputs;
  const stale =
    token === undefined ? undefined : await staleRerun(() => createClient(token, log), event.context, environment);
  if (stale !== undefined) log.warning(stale);
  const context = stale === undefined ? event.context : { ...event.context, isDefaultBranch: false };

  const wrongHistory = historyProblem(inputs.history, 'the input `history`');
  if (wrongHistory !== undefined) {
    log.error(wrongHistory);
    return EXIT.usage;
  }
  const workspace = environment['GITHUB_WORKSPACE'] ?? '.';
  await checkReportPaths([...inputs.formats, ...siteFiles(inputs)], workspace);
  const stages = createStageLog({
    debug: inputs.debug,
    interactive: false,
    write: (line) => log.info(line.trimEnd()),
    now,
  });
  const inWorkspace = (folder: string | undefined): string | undefined => folder && resolve(workspace, folder);
  const fetching = {
    ...fetchAccess(environment, inWorkspace(inputs.fetchCache), now, inputs.fetchTokens),
    isRestricted: context.isFork,
  };
  const schemas = inputs.fetchSchemas ? schemaOptions(environment, inWorkspace(inputs.schemaCache), now) : undefined;
  for (const { secret } of fetching.credentials.values()) maskSecret(secret);
  const options = {
    ...checkOptions(inputs, workspace),
    stages,
    today,
    fetching,
    ...(schemas && { schemas }),
  };
  const where: FindOptions = { directory: options.directory, environment, token: inputs.token };
  const isPart = inputs.shard !== undefined || inputs.merge.length > 0;
  const search: ChangeSearch = isPart ? { missing: undefined } : await findChange(context, where);
  const found = await reportOf(search, { inputs, options, workspace, isAudit: isAuditOf(context), today });
  stages.end();
  if ('problems' in found) {
    for (const problem of found.problems) log.error(problem);
    return EXIT.usage;
  }
  const { unusable: isUnusable } = found;
  const run = { inputs, context, options, workspace, log, today, moment };
  const recorded = await recordRun(found.report, run);
  const { report } = recorded;
  log.info(text.render(report, { color: false, width: 120, showSkipped: inputs.showSkipped, quiet: inputs.quiet }));

  sayUndecided(report, log);

  const temporary = environment['RUNNER_TEMP'] ?? workspace;
  if (stale === undefined) await writePage(recorded, run);
  const reportPath = await writeReports(report, inputs.formats, { workspace, temporary });
  const isPublished = report.shard === undefined;
  const isAboutHead = isPublished && context.pullRequest !== undefined;
  const checked = search.change ?? (isAboutHead ? await checkedOut(where) : undefined);
  const shown = checked && (await shownReport(report, checked, context, where));
  if (shown?.problem !== undefined) log.info(`locations refer to the merge commit: ${shown.problem}`);
  const changedFiles = report.comparison?.changedFiles;
  const publishing = {
    ...inputs,
    environment,
    log,
    today,
    ...(recorded.history && { knownAudits: recorded.history.names }),
    ownerParts: ownerParts(recorded, today),
    ...(changedFiles && { changedPaths: new Set(changedFiles) }),
    ...(shown && { lost: shown.lost }),
  };
  // A shard is not a verdict, so only the merged report is published.
  const published = isPublished ? await publish(shown?.report ?? report, context, publishing) : undefined;
  writeOutputs(outputsOf(report, reportPath), environment);
  if (isUnusable) return EXIT.usage;
  const exitCode = exitCodeOf(report);
  return published?.failed === true && exitCode === EXIT.allowed ? EXIT.usage : exitCode;
}

/** One annotation of the step, so that forks without a check-run see it too. */
function sayUndecided(report: Report, log: Log): void {
  const { conclusion, onUndecided } = report.verdict;
  if (conclusion !== 'undecided' || report.shard !== undefined) return;
  const say = onUndecided === 'fail' ? log.error : log.warning;
  say(verdictHeadline(report));
}

type Found = CheckResult | { readonly problems: readonly string[] };

interface Wanted {
  readonly inputs: ActionInputs;
  readonly options: CheckOptions;
  readonly workspace: string;
  readonly isAudit: boolean;
  /** Format `2026-11-21`. */
  readonly today: string;
}

/** Checks the change if there is one, else the repository or one shard; or merges the reports of other jobs. */
async function reportOf(search: ChangeSearch, { inputs, options, workspace, isAudit, today }: Wanted): Promise<Found> {
  const { merge, shard: text } = inputs;
  if (merge.length > 0) {
    const merged = await mergeFiles(merge, workspace);
    return 'problems' in merged ? merged : { report: merged.report, unusable: false };
  }
  if (search.change !== undefined) {
    const { base, head } = search.change;
    return checkChanges(options, { base, head });
  }
  // Without base, new findings cannot be distinguished from existing ones, and the change's own rules must not decide.
  if (search.missing?.help !== undefined && inputs.only !== 'all') return notCompared(search.missing);
  const shard = text === undefined ? undefined : parseShard(text);
  if (text !== undefined && shard === undefined) return { problems: [shardProblem(text)] };
  if (isAudit && shard === undefined) return audit(inputs, options, today);
  const whole = await checkRepository({ ...options, ...(shard && { shard }) });
  if (search.missing === undefined) return whole;
  return { ...whole, report: { ...whole.report, notCompared: search.missing.reason } };
}

/** With one release and without candidates, the same as a check of the repository. */
function audit(
  { kubernetesVersions, candidatePolicySources }: ActionInputs,
  options: CheckOptions,
  day: string,
): Promise<CheckResult> {
  const releases = kubernetesVersions.length > 1 ? kubernetesVersions : [];
  if (releases.length === 0 && candidatePolicySources.length === 0) return checkRepository(options);
  const { kubernetesVersion, ...overrides } = options.overrides;
  const candidates = sourcesOf(candidatePolicySources, options.directory);
  const isOne = releases.length === 0 && kubernetesVersion !== undefined;
  const audited = { ...options, candidates, overrides: isOne ? { ...overrides, kubernetesVersion } : overrides };
  return auditRepository(audited, { day, releases });
}

function notCompared({ reason, help = '' }: MissingChange): CheckResult {
  const message = `the change cannot be compared with its base: ${reason}`;
  return unusable('base', [{ code: 'not-compared', severity: 'error', message, related: [], help }]);
}

async function readPayload(environment: StepEnvironment): Promise<unknown> {
  const path = environment['GITHUB_EVENT_PATH'];
  if (path === undefined || path === '') return {};
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return {};
  }
}

function checkOptions(inputs: ActionInputs, workspace: string): CheckOptions {
  const {
    failOn,
    onUndecided,
    unreached,
    policiesFrom,
    only,
    kubernetesVersions: [release],
    policies,
    policySources,
    include,
    exclude,
    fetch,
  } = inputs;
  const directory = resolve(workspace, inputs.workingDirectory ?? '.');
  return {
    directory,
    paths: inputs.paths,
    ...(inputs.config !== undefined && { config: inputs.config }),
    ...(inputs.baseline !== undefined && { baseline: inputs.baseline }),
    ...(inputs.cache !== undefined && { cache: resolve(workspace, inputs.cache) }),
    workers: workersOf(inputs.workers),
    sourceAccess: accessWith(inputs.policySourceTokens, 'the input `policy-source-tokens`'),
    suggests: inputs.suggest,
    explainsMutations: inputs.explainMutations,
    overrides: {
      ...(failOn !== undefined && { failOn }),
      ...(onUndecided !== undefined && { onUndecided }),
      ...(unreached !== undefined && { unreached }),
      ...(policiesFrom !== undefined && { policiesFrom }),
      ...(only !== undefined && { only }),
      ...(release !== undefined && release !== 'current' && { kubernetesVersion: release }),
      ...(fetch.length > 0 && { fetch }),
      ...(policies.length > 0 && { policies }),
      ...(policySources.length > 0 && { policySources: sourcesOf(policySources, directory) }),
      ...(include.length > 0 && { include }),
      ...(exclude.length > 0 && { exclude }),
    },
  };
}

/** A WorkspaceError carries its own message; anything else is an internal error. */
function explainFailure(error: unknown, log: Log): number {
  if (error instanceof WorkspaceError) {
    log.error(error.hint === undefined ? error.message : `${error.message} (${error.hint})`);
    return EXIT.usage;
  }
  if (error instanceof GithubError) {
    log.error(error.message);
    return EXIT.usage;
  }
  log.error(`internal error in preadmit ${VERSION}, please report it at ${ISSUES_URL}`);
  log.info(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.internal;
}
