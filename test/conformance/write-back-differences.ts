// Texts that YAML readers resolve differently, independent of Preadmit: Kubernetes does not follow YAML 1.2.

export interface ReadDifference {
  readonly reader: string;
  readonly path: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

interface KnownDifference {
  readonly reason: string;
  readonly holds: (difference: ReadDifference) => boolean;
}

const WORDS = new Set(['yes', 'no', 'on', 'off', 'y', 'n']);

const KNOWN: readonly KnownDifference[] = [
  {
    reason: 'a number that begins with 0 is octal in YAML 1.1, which Kubernetes reads (`defaultMode: 0755`)',
    holds: ({ reader, ours, theirs }) =>
      reader !== 'yaml 1.1' && typeof theirs === 'number' && Number.parseInt(String(theirs), 8) === ours,
  },
  {
    reason: 'yes, no, on and off are true and false in YAML 1.1, which Kubernetes reads',
    holds: ({ reader, ours, theirs }) =>
      reader !== 'yaml 1.1' &&
      typeof ours === 'boolean' &&
      typeof theirs === 'string' &&
      WORDS.has(theirs.toLowerCase()),
  },
  {
    reason: 'a point alone is a text to go-yaml; the package `yaml` takes it for a number in YAML 1.1',
    holds: ({ reader, ours, theirs }) => reader === 'yaml 1.1' && ours === '.' && Number.isNaN(theirs),
  },
];

/** Undefined if the reason is unknown. */
export function knownReason(difference: ReadDifference): string | undefined {
  return KNOWN.find(({ holds }) => holds(difference))?.reason;
}
