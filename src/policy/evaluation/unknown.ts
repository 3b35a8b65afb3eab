// Facts that the repository does not define and a verdict may depend on, as sentences.

/** The number is separate from the text so that counts from several shards can be added. */
export interface Unknown {
  readonly before: string;
  readonly count?: number;
  readonly after: string;
}

/** A kind that is neither built in nor defined in the repository. Plural and scope follow convention; the schema is unknown. */
export interface UnknownKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
}

/** Adds the counts of the same kind. Most frequent first. */
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

/** Distinct sentences, sorted. Numbers in otherwise equal sentences are added. */
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

/** The message of an undecided rule. `missing` completes "depends on …"; empty: unchanged. */
export function undecidedMessage(missing: readonly string[], message: string): string {
  return missing.length === 0 ? message : `undecided, depends on ${missing.join(' and ')}: ${message}`;
}
