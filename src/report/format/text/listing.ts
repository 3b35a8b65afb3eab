// Selects entries for a human-readable list: the most severe, spread over files and subjects.
import { compareOwners } from '../../owner/owner-part.ts';
import type { Severity } from '../../report.ts';
import { bySeverity } from '../../wording/wording.ts';

/** The JSON report contains all entries. */
export const MAX_LISTED = 1_000;
const MAX_LISTED_OF_FILE = 100;

interface ListedFile<Entry> {
  /** Empty without groups. */
  readonly group: string;
  readonly path: string;
  /** Listed entries, in the given order. */
  readonly entries: readonly Entry[];
  readonly all: readonly Entry[];
}

export interface Listing<Entry> {
  /** By group and path; only files with listed entries. A file may be in several groups. */
  readonly files: readonly ListedFile<Entry>[];
  /** Number of unlisted entries in all files. */
  readonly rest: number;
}

/**
 * `pathOf`: empty for entries without a file. `subjectOf`: the object or kind of problem. If not all entries fit, every subject gets a
 * first entry before any gets a second. `groupOf`: the owners.
 */
export function listingOf<Entry extends { readonly severity: Severity }>(
  entries: readonly Entry[],
  pathOf: (entry: Entry) => string,
  subjectOf: (entry: Entry) => string,
  groupOf: (entry: Entry) => string = () => '',
): Listing<Entry> {
  const listed = new Set<Entry>();
  const ofFile = new Map<string, number>();
  for (const entry of inTurns(entries, (each) => `${pathOf(each)}\0${subjectOf(each)}`)) {
    if (listed.size === MAX_LISTED) break;
    const number = ofFile.get(pathOf(entry)) ?? 0;
    if (number === MAX_LISTED_OF_FILE) continue;
    ofFile.set(pathOf(entry), number + 1);
    listed.add(entry);
  }
  const byFile = new Map<string, { readonly group: string; readonly path: string; readonly all: Entry[] }>();
  for (const entry of entries) {
    const [group, path] = [groupOf(entry), pathOf(entry)];
    const file = byFile.get(`${group}\0${path}`);
    if (file === undefined) byFile.set(`${group}\0${path}`, { group, path, all: [entry] });
    else file.all.push(entry);
  }
  return {
    files: [...byFile.values()]
      .map((file) => ({ ...file, entries: file.all.filter((entry) => listed.has(entry)) }))
      .filter(({ entries: shown }) => shown.length > 0)
      .sort((one, other) => compareOwners(one.group, other.group) || (one.path < other.path ? -1 : 1)),
    rest: entries.length - listed.size,
  };
}

/** Most severe first; within a severity, the first entry of each subject, then the second of each. */
export function inTurns<Entry extends { readonly severity: Severity }>(
  entries: readonly Entry[],
  subjectOf: (entry: Entry) => string,
): readonly Entry[] {
  const seen = new Map<string, number>();
  const turns = new Map<Entry, number>();
  for (const entry of bySeverity(entries)) {
    const turn = seen.get(subjectOf(entry)) ?? 0;
    seen.set(subjectOf(entry), turn + 1);
    turns.set(entry, turn);
  }
  const turnOf = (entry: Entry): number => turns.get(entry) ?? 0;
  return bySeverity([...entries].sort((one, other) => turnOf(one) - turnOf(other)));
}

/** The first names and the number of the rest: one object can violate hundreds of policies. */
export function someOf(names: readonly string[], max = 5): string {
  const more = names.length - max;
  return more > 0 ? `${names.slice(0, max).join(', ')} and ${more} more` : names.join(', ');
}
