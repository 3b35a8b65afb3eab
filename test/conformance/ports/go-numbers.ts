// Numbers and versions of Go's standard library and of blang/semver, for the port `go`.
import {
  compareSemanticVersions,
  formatSemanticVersion,
  parseSemanticVersion,
} from '../../../src/go/semver/semantic-version.ts';
import { formatDouble, formatDoublePlain } from '../../../src/go/strconv/float-text.ts';
import {
  formatFloatGo,
  formatFloatKey,
  parseBinary,
  parseDecimalFloat,
  parseDotFloat,
  parseInteger,
} from '../../../src/go/strconv/number.ts';
import { parseGoFloat } from '../../../src/go/strconv/parse-float.ts';
import type { Chance } from './chance.ts';
import type { GoFunction } from './go.ts';
import { bitsOf, doubleOf, textFunction } from './go-answers.ts';
import * as texts from './texts.ts';

const DOUBLES = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.5,
  1.5,
  100,
  123456,
  999999,
  1e6,
  1234567,
  1e20,
  1e21,
  1e22,
  1e-4,
  1e-5,
  1e-7,
  5e-324,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  3.4028234663852886e38,
  3.4028235677973366e38,
  1e-45,
  7e-46,
  1.7976931348623157e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

export function bits(chance: Chance): readonly [string] {
  return [bitsOf(double(chance)).replace('NaN', '7ff8000000000001')];
}

function double(chance: Chance): number {
  switch (chance.below(5)) {
    case 0:
      return chance.pick(DOUBLES);
    case 1:
      return Number(`${chance.below(1_000_000)}e${chance.below(60) - 30}`);
    case 2:
      return Math.fround(chance.below(2 ** 31) / 2 ** chance.below(60));
    case 3:
      return chance.below(2_000_000) - 1_000_000 + chance.below(4) / 4;
    default:
      return doubleOf(
        [0, 1]
          .map(() =>
            chance
              .below(2 ** 32)
              .toString(16)
              .padStart(8, '0'),
          )
          .join(''),
      );
  }
}

const PREFIXES = ['', '', '', '0x', '0X', '0o', '0b', '0B', '0', '00', '0_'];
const DIGITS = ['0', '1', '7', '9', 'a', 'F', '8', '5', '3'];

/** Texts that look like numbers of all notations. */
function number(chance: Chance): string {
  if (chance.in(30)) return chance.text(texts.NUMBERS);
  const hexadecimal = chance.in(25);
  const digits = (least: number): string =>
    chance
      .several(least, chance.pick([3, 3, 20, 40]), () => chance.pick(hexadecimal ? DIGITS : DIGITS.slice(0, 4)))
      .join('');
  const sign = chance.pick(['', '', '-', '+']);
  const fraction = chance.in(50) ? `.${digits(0)}` : '';
  const mark = hexadecimal ? chance.pick(['p', 'P']) : chance.pick(['e', 'E']);
  const power = chance.in(hexadecimal ? 80 : 50)
    ? `${mark}${chance.pick(['', '-', '+'])}${chance.below(chance.pick([10, 400, 1100]))}`
    : '';
  const written = `${sign}${hexadecimal ? chance.pick(['0x', '0X']) : ''}${digits(chance.below(2))}${fraction}${power}`;
  if (!chance.in(15)) return written;
  const at = chance.below(written.length + 1);
  return `${written.slice(0, at)}_${written.slice(at)}`;
}

function integer(chance: Chance): string {
  if (chance.in(30)) return chance.text(texts.NUMBERS).replaceAll('_', '');
  const digits = chance
    .several(0, chance.pick([3, 19, 20, 64, 66]), () =>
      chance.pick(chance.in(5) ? DIGITS : DIGITS.slice(0, chance.pick([2, 3, 4]))),
    )
    .join('');
  const bound = chance.pick([
    '9223372036854775807',
    '9223372036854775808',
    '18446744073709551615',
    '18446744073709551616',
    '7fffffffffffffff',
    '8000000000000000',
    'ffffffffffffffff',
  ]);
  return `${chance.pick(['', '', '-', '+'])}${chance.pick(PREFIXES).replace('_', '')}${chance.in(15) ? bound : digits}`;
}

function parsedBits(parse: (text: string) => number | undefined): (text: string) => unknown {
  return (text) => {
    const value = parse(text);
    return value === undefined ? null : bitsOf(value);
  };
}

function identifiers(chance: Chance): string {
  return chance
    .several(0, 4, () =>
      chance.text([
        '0',
        '1',
        '10',
        'alpha',
        'rc',
        '01',
        '-',
        'x-y',
        '00',
        '18446744073709551615',
        '18446744073709551616',
        '',
      ]),
    )
    .join('.');
}

function version(chance: Chance): string {
  if (chance.in(30)) return chance.text(texts.SEMVERS);
  const numbers = chance.several(chance.in(95) ? 3 : 1, 3, () =>
    chance.pick(['0', '1', '2', '10', '18446744073709551615', chance.in(10) ? '01' : '3']),
  );
  return `${numbers.join('.')}${chance.in(50) ? `-${identifiers(chance)}` : ''}${chance.in(30) ? `+${identifiers(chance)}` : ''}`;
}

export const NUMBERS: readonly GoFunction[] = [
  textFunction('strconv.ParseFloat', (chance) => [number(chance)], parsedBits(parseGoFloat)),
  textFunction("strconv.FormatFloat 'g'", bits, (written) => formatDouble(doubleOf(written))),
  textFunction("strconv.FormatFloat 'f'", bits, (written) => formatDoublePlain(doubleOf(written))),
  textFunction('strconv.FormatFloat 32', bits, (written) => formatFloatKey(doubleOf(written))),
  textFunction('fmt %#v', finite, (written) => formatFloatGo(doubleOf(written))),
  textFunction(
    'strconv.ParseInt 0',
    (chance) => [integer(chance)],
    (written) => parseInteger(written)?.toString() ?? null,
  ),
  textFunction(
    'strconv.ParseInt 2',
    (chance) => [integer(chance)],
    (written) => parseBinary(written)?.toString() ?? null,
  ),
  textFunction('yaml float', (chance) => [number(chance).replaceAll('_', '')], parsedBits(parseDecimalFloat)),
  textFunction('yaml .float', (chance) => [`.${number(chance).replace(/^[^.]*\./, '')}`], parsedBits(parseDotFloat)),
  textFunction(
    'semver.Parse',
    (chance) => [version(chance)],
    (written) => {
      const parsed = parseSemanticVersion(written);
      return 'error' in parsed ? parsed : formatSemanticVersion(parsed);
    },
  ),
  textFunction(
    'semver.Compare',
    (chance) => [version(chance), version(chance)],
    (first, second) => {
      const left = parseSemanticVersion(first);
      if ('error' in left) return left;
      const right = parseSemanticVersion(second);
      return 'error' in right ? right : compareSemanticVersions(left, right);
    },
  ),
];

/** YAML writes the special values itself. */
function finite(chance: Chance): readonly [string] {
  for (;;) {
    const found = bits(chance);
    if (Number.isFinite(doubleOf(found[0]))) return found;
  }
}
