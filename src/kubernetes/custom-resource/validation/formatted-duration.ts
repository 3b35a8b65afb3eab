// Parses the format `duration` (kube-openapi `strfmt.ParseDuration`): Go's notation, or numbers with unit names.
import { parseDuration } from '../../../cel/value/duration.ts';

/** Names of a unit. The last name also matches as a prefix. */
const UNITS: readonly (readonly [nanoseconds: bigint, ...names: string[]])[] = [
  [1n, 'ns', 'nano'],
  [1_000n, 'us', '\u00b5s', 'micro'],
  [1_000_000n, 'ms', 'milli'],
  [1_000_000_000n, 's', 'sec'],
  [60_000_000_000n, 'm', 'min'],
  [3_600_000_000_000n, 'h', 'hr', 'hour'],
  [86_400_000_000_000n, 'd', 'day'],
  [604_800_000_000_000n, 'w', 'wk', 'week'],
];

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/** Nanoseconds as int64, wrapping on overflow; undefined if the text is not a duration. */
export function parseFormattedDuration(text: string): bigint | undefined {
  const duration = parseDuration(text);
  if (duration !== undefined) return duration.nanoseconds;
  let total: bigint | undefined;
  for (const { digits, name } of quantities(text)) {
    const factor = parseFactor(digits);
    if (factor === undefined) return undefined;
    for (const unit of unitsNamed(name)) total = BigInt.asIntN(64, (total ?? 0n) + factor * unit);
  }
  return total;
}

/** Every number followed by letters; ignores the text in between. */
function* quantities(text: string): Iterable<{ readonly digits: string; readonly name: string }> {
  // Each search starts at the end of the previous match, so no character is read twice.
  const number = /[0-9]+/g;
  const unit = /[\t\n\f\r ]*([A-Za-z\u00b5]+)/y;
  for (let found = number.exec(text); found !== null; found = number.exec(text)) {
    unit.lastIndex = number.lastIndex;
    const name = unit.exec(text)?.[1];
    if (name === undefined) continue;
    yield { digits: found[0], name: name.toLowerCase() };
    number.lastIndex = unit.lastIndex;
  }
}

function parseFactor(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+(?=\d)/, '');
  const factor = significant.length > 19 ? MAX_INT64 + 1n : BigInt(significant);
  return factor > MAX_INT64 ? undefined : factor;
}

function unitsNamed(name: string): readonly bigint[] {
  return UNITS.filter(([, ...names]) => names.includes(name) || name.startsWith(names.at(-1) as string)).map(
    ([nanoseconds]) => nanoseconds,
  );
}
