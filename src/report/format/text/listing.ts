// Which of very many entries a page for people lists: the most severe, and not all of them from one file.
import type { Severity } from '../../report.ts';
import { bySeverity } from '../../wording/wording.ts';

/** The JSON report has them all. */
export const MAX_LISTED = 1_000;
const MAX_LISTED_OF_FILE = 100;

interface ListedFile<Entry> {
  readonly path: string;
  /** Those to list, in the order given. */
  readonly entries: readonly Entry[];
  readonly all: readonly Entry[];
}

export interface Listing<Entry> {
  /** By path; only files with something to list. */
  readonly files: readonly ListedFile<Entry>[];
  /** Number of entries that are not listed, in files that are and in files that are not. */
  readonly rest: number;
}

/**
 * `pathOf`: empty for what is about no file. `diagnosticSubject`: what an entry is about, an object or a kind of mistake; where not all fit, each
 * subject has its first entry listed before any has its second.
 */
export function listingOf<Entry extends { readonly severity: Severity }>(
  entries: readonly Entry[],
  pathOf: (entry: Entry) => string,
  diagnosticSubject: (entry: Entry) => string,
): Listing<Entry> {
  const listed = new Set<Entry>();
  const ofFile = new Map<string, number>();
  for (const entry of inTurns(entries, (each) => `${pathOf(each)}\0${diagnosticSubject(each)}`)) {
    if (listed.size === MAX_LISTED) break;
    const number = ofFile.get(pathOf(entry)) ?? 0;
    if (number === MAX_LISTED_OF_FILE) continue;
    ofFile.set(pathOf(entry), number + 1);
    listed.add(entry);
  }
  const byPath = new Map<string, Entry[]>();
  for (const entry of entries) {
    const all = byPath.get(pathOf(entry));
    if (all === undefined) byPath.set(pathOf(entry), [entry]);
    else all.push(entry);
  }
  return {
    files: Array.from(byPath, ([path, all]) => ({ path, entries: all.filter((entry) => listed.has(entry)), all }))
      .filter(({ entries: shown }) => shown.length > 0)
      .sort((one, other) => (one.path < other.path ? -1 : 1)),
    rest: entries.length - listed.size,
  };
}

/** The most severe first; of those, the first of each subject, then the second of each. */
export function inTurns<Entry extends { readonly severity: Severity }>(
  entries: readonly Entry[],
  diagnosticSubject: (entry: Entry) => string,
): readonly Entry[] {
  const seen = new Map<string, number>();
  const turns = new Map<Entry, number>();
  for (const entry of bySeverity(entries)) {
    const turn = seen.get(diagnosticSubject(entry)) ?? 0;
    seen.set(diagnosticSubject(entry), turn + 1);
    turns.set(entry, turn);
  }
  const turnOf = (entry: Entry): number => turns.get(entry) ?? 0;
  return bySeverity([...entries].sort((one, other) => turnOf(one) - turnOf(other)));
}

/** The first names, and how many more: one object can break hundreds of policies. */
export function someOf(names: readonly string[], max = 5): string {
  const more = names.length - max;
  return more > 0 ? `${names.slice(0, max).join(', ')} and ${more} more` : names.join(', ');
}
