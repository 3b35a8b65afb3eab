// Counts objects with findings, as opposed to findings.
import { objectKey } from '../finding/finding-limits.ts';
import type { Finding } from '../report.ts';

export function objectsWith(findings: readonly Finding[], isMeant: (finding: Finding) => boolean = () => true): number {
  const objects = new Set<string>();
  for (const finding of findings) if (isMeant(finding)) objects.add(objectKey(finding));
  return objects.size;
}

/** `10 objects denied, 2 warned about`; an object that is denied and warned about is counted in both. */
export function objectTally(findings: readonly Finding[]): string {
  const numbers = [
    [objectsWith(findings, ({ severity, result }) => severity === 'error' && result !== 'unknown'), 'denied'],
    [objectsWith(findings, ({ severity, result }) => severity === 'warning' && result !== 'unknown'), 'warned about'],
    [objectsWith(findings, ({ severity, result }) => severity === 'notice' && result !== 'unknown'), 'audited'],
    [objectsWith(findings, ({ result }) => result === 'unknown'), 'undecided'],
  ] as const;
  return numbers
    .filter(([number]) => number > 0)
    .map(([number, word], index) =>
      index === 0 ? `${number} ${number === 1 ? 'object' : 'objects'} ${word}` : `${number} ${word}`,
    )
    .join(', ');
}
