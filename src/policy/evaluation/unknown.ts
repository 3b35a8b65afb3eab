// Something the repository does not tell and a verdict may depend on, as one sentence.

/** The number in the sentence is kept apart, so that what the parts of a run do not know adds up. */
export interface Unknown {
  readonly before: string;
  readonly count?: number;
  readonly after: string;
}

/** A kind that is neither built in nor defined in the repository: its plural and scope are taken from convention, its schema is unknown. */
export interface UnknownKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Number of resources. */
  readonly count: number;
}

/** Counts of the same kind added, most frequent first. */
export function sumKinds(kinds: readonly UnknownKind[]): readonly UnknownKind[] {
  const sums = new Map<string, UnknownKind>();
  for (const { apiVersion, kind, count } of kinds) {
    const key = `${apiVersion} ${kind}`;
    sums.set(key, { apiVersion, kind, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums]
    .sort(([one, { count }], [other, { count: otherCount }]) => otherCount - count || (one < other ? -1 : 1))
    .map(([, sum]) => sum);
}

/** Each sentence once, sorted; numbers of the same sentence are added. */
export function sentencesOf(unknowns: readonly Unknown[]): readonly string[] {
  const counted = new Map<string, { readonly before: string; readonly after: string; count: number }>();
  const sentences = new Set<string>();
  for (const { before, count, after } of unknowns) {
    if (count === undefined) {
      sentences.add(before + after);
      continue;
    }
    const key = `${before}\0${after}`;
    const entry = counted.get(key) ?? { before, after, count: 0 };
    entry.count += count;
    counted.set(key, entry);
  }
  for (const { before, count, after } of counted.values()) sentences.add(`${before}${count}${after}`);
  return [...sentences].sort();
}
