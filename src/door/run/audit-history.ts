// The history of audits for every entry point: finds it, adds an audit, and puts its numbers into the report.
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { AuditStamp } from '../../report/history/audit-line.ts';
import { type FoldedHistory, foldHistory } from '../../report/history/fold-history.ts';
import { appendedLine, compacted, joinedHistories, nextHistory } from '../../report/history/next-history.ts';
import { readHistory } from '../../report/history/read-history.ts';
import type { Report } from '../../report/report.ts';
import { shortId } from '../../report/wording/wording.ts';
import {
  HISTORY_LOCATION_FORM,
  type HistoryLocation,
  historyFileName,
  parseHistoryLocation,
} from '../../settings/history-location.ts';
import { GitRepository } from '../../workspace/git/git-repository.ts';
import { extendHistoryBranch, readHistoryBranch } from '../../workspace/history/history-branch.ts';
import { extendHistoryFile, readHistoryFile } from '../../workspace/history/history-file.ts';
import type { HistoryText } from '../../workspace/history/history-text.ts';
import { WorkspaceError } from '../../workspace/workspace-error.ts';
import { type CheckOptions, settingsOf, startOf } from './check-repository.ts';

/** Where the history is on this machine. */
export interface LocalHistory {
  readonly location: HistoryLocation;
  /** Folder that file paths are relative to; also names the repository of a branch. */
  readonly directory: string;
  /** Name of the file in a branch; jobs that judge different things have their own. */
  readonly nameInBranch: string;
}

/** The key of the command line, and of an action without `check-name`. */
const DEFAULT_KEY = 'Preadmit';

/** The problem of an option or input, which `what` names; undefined if it is valid. */
export function historyProblem(given: string | undefined, what: string): string | undefined {
  if (given === undefined || parseHistoryLocation(given) !== undefined) return undefined;
  return `\`${given}\` is not a valid value of ${what}: ${HISTORY_LOCATION_FORM}`;
}

/** The option or input `given`, otherwise the configuration; undefined: no history. `given` must be valid. `key`: e.g. the name of the check. */
export async function historyOf(
  given: string | undefined,
  options: CheckOptions,
  key = DEFAULT_KEY,
): Promise<LocalHistory | undefined> {
  const asked = given === undefined ? undefined : parseHistoryLocation(given);
  const nameInBranch = historyFileName(key);
  if (asked !== undefined) return { location: asked, directory: options.directory, nameInBranch };
  const { root } = await startOf(options);
  const settings = await settingsOf(root, options);
  const configured = 'unusable' in settings ? undefined : settings.configuration.history;
  const location = configured === undefined ? undefined : parseHistoryLocation(configured);
  if (location === undefined) return undefined;
  if (location.file !== undefined) await checkInside(root, location.file);
  return { location, directory: root, nameInBranch };
}

/** The checkout may be untrusted, and a folder of it may be a link. */
async function checkInside(root: string, file: string): Promise<void> {
  const folder = await existing(dirname(resolve(root, file)));
  const [first] = relative(await realpath(root), folder).split(sep);
  if (first !== '..' && first !== '.git' && !isAbsolute(relative(await realpath(root), folder))) return;
  throw new WorkspaceError('path-outside-root', `the history \`${file}\` is not inside the repository`, {
    hint: 'name it with the option `--history`',
  });
}

/** The nearest existing ancestor with links resolved. */
async function existing(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return existing(dirname(folder));
  }
}

/** `at`: when the audit began, `2026-11-24T05:17:00Z`. The audited commit is the one that is checked out in `directory`. */
export async function newStamp(at: string, directory: string): Promise<AuditStamp> {
  const repository = await GitRepository.open(directory);
  const commit = await repository?.resolveCommit('HEAD');
  const named = { audit: `${at}-${randomUUID()}`, at };
  if (repository === undefined || commit === undefined) return named;
  return { ...named, commit, newerCommits: await repository.descendants(commit) };
}

/** Adds a report to the texts that writers offer; remembers the history of the last one. */
export class AddedAudit implements HistoryText {
  readonly #report: Report;
  readonly #stamp: AuditStamp;
  #history: FoldedHistory | undefined;
  #newerCommit: string | undefined;
  readonly appended = appendedLine;
  readonly compacted = compacted;
  readonly joined = joinedHistories;

  constructor(report: Report, stamp: AuditStamp) {
    this.#report = report;
    this.#stamp = stamp;
  }

  readonly lineFor = (text: string): string | undefined => {
    const { line, history, newerCommit } = nextHistory(text, this.#report, this.#stamp);
    this.#history = history;
    this.#newerCommit = newerCommit;
    return line;
  };

  /** The history with this audit; undefined before the first `lineFor`, and if there is a `problem`. */
  get history(): FoldedHistory | undefined {
    return this.#history;
  }

  /** Why the last `lineFor` added nothing. */
  get problem(): string | undefined {
    if (this.#newerCommit === undefined) return undefined;
    const { commit = '' } = this.#stamp;
    return `the last audit checked ${shortId(this.#newerCommit)}, which is newer than ${shortId(commit)}`;
  }
}

export interface RecordedAudit {
  /** The history with this audit, also if it could not be written; undefined if it could not be read. */
  readonly history?: FoldedHistory;
  /** Why the audit is not in the history. */
  readonly problem?: string;
}

/** A failure leaves the audit without a history, but does not fail it. `now`: milliseconds since 1970. */
export async function recordAudit(
  report: Report,
  { location, directory, nameInBranch }: LocalHistory,
  stamp: AuditStamp,
): Promise<RecordedAudit> {
  const added = new AddedAudit(report, stamp);
  const now = Date.parse(stamp.at);
  try {
    if (location.file !== undefined) await extendHistoryFile(resolve(directory, location.file), added, now);
    else await extendHistoryBranch({ directory, branch: location.branch, file: nameInBranch }, added, now);
    const { history, problem } = added;
    return { ...(history && { history }), ...(problem !== undefined && { problem }) };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const problem = error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
    return { ...(added.history && { history: withNote(added.history, problem) }), problem };
  }
}

export function withNote(history: FoldedHistory, problem: string): FoldedHistory {
  return { ...history, notes: [...history.notes, `This audit is not in the history: ${problem}`] };
}

/** `today`: latest possible day of an audit. Throws WorkspaceError. */
export async function readLocalHistory(
  { location, directory, nameInBranch }: LocalHistory,
  today: string,
): Promise<FoldedHistory> {
  const text =
    location.file !== undefined
      ? await readHistoryFile(resolve(directory, location.file))
      : await readHistoryBranch({ directory, branch: location.branch, file: nameInBranch }, joinedHistories);
  return foldHistory(readHistory(text), today);
}
