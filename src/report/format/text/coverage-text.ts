// Test coverage as terminal text and as an lcov tracefile.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import type { MutationScore, TestCoverage } from '../../explanation/test-coverage.ts';

const MAX_LISTED = 100;

export function coverageText({ covered, total, policies, missing }: TestCoverage): string {
  const width = policies.reduce((widest, { name }) => Math.max(widest, name.length), 0);
  const rows = policies.map(
    (policy) => `  ${percent(policy)}  ${sanitizeLine(policy.name).padEnd(width)}  ${sanitizeLine(policy.path)}`,
  );
  const listed = missing.slice(0, MAX_LISTED).map(({ place, rule, text, what }) => {
    const part = text === rule ? '' : ` ${sanitizeLine(text)}`;
    return `  ${sanitizeLine(`${place.path}:${place.startLine}`)} ${sanitizeLine(rule)}${part}: ${what}`;
  });
  const rest = missing.length > MAX_LISTED ? [`  and ${missing.length - MAX_LISTED} more`] : [];
  return `${[`Coverage: ${percent({ covered, total }).trim()} (${covered} of ${total} outcomes)`, ...rows, ...listed, ...rest].join('\n')}\n`;
}

export function mutationScoreText({ noticed, tried, unnoticed }: MutationScore): string {
  const lines = unnoticed
    .slice(0, MAX_LISTED)
    .map(({ place, rule, change }) => `  ${sanitizeLine(`${place.path}:${place.startLine} ${rule}: ${change}`)}`);
  const rest = unnoticed.length > MAX_LISTED ? [`  and ${unnoticed.length - MAX_LISTED} more`] : [];
  const score = percent({ covered: noticed, total: tried }).trim();
  return `${[`Mutation score: ${score} (${noticed} of ${tried} changes noticed)`, ...lines, ...rest].join('\n')}\n`;
}

/** Rounded down, so that only full coverage is 100 %. */
function percent({ covered, total }: { readonly covered: number; readonly total: number }): string {
  const value = total === 0 ? 100 : Math.floor((100 * covered) / total);
  return `${String(value).padStart(3)} %`;
}

/** lcov tracefile: one line per part of an expression, one branch per outcome. Hits are 1 or 0. */
export function lcov({ parts }: TestCoverage): string {
  const files = new Map<string, TestCoverage['parts'][number][]>();
  for (const part of parts) files.set(part.path, [...(files.get(part.path) ?? []), part]);
  return [...files].map(([path, own]) => lcovRecord(path, own)).join('');
}

function lcovRecord(path: string, parts: TestCoverage['parts']): string {
  const lines = new Map<number, boolean>();
  const branches: string[] = [];
  let taken = 0;
  for (const [block, { line, outcomes }] of parts.entries()) {
    lines.set(line, (lines.get(line) ?? false) || outcomes.includes(true));
    for (const [branch, seen] of outcomes.entries()) {
      branches.push(`BRDA:${line},${block},${branch},${seen ? 1 : 0}`);
      if (seen) taken += 1;
    }
  }
  const hit = [...lines.values()].filter(Boolean).length;
  const rows = [...lines].sort(([one], [other]) => one - other).map(([line, seen]) => `DA:${line},${seen ? 1 : 0}`);
  return `${[
    'TN:preadmit',
    `SF:${sanitizeLine(path)}`,
    ...branches,
    `BRF:${branches.length}`,
    `BRH:${taken}`,
    ...rows,
    `LF:${lines.size}`,
    `LH:${hit}`,
    'end_of_record',
  ].join('\n')}\n`;
}
