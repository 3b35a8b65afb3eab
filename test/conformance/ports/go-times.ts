// Times and durations of Go's standard library, for the port `go`.
import { civilFromDays, daysFromCivil, daysInMonth } from '../../../src/go/time/calendar.ts';
import { durationOf, formatGoDuration, parseGoDuration, secondsOf } from '../../../src/go/time/duration.ts';
import {
  FULL_DATE,
  formatRfc3339,
  formatTime,
  isZeroTime,
  LOCAL_TIME,
  RFC3339,
  RFC3339_MICRO,
} from '../../../src/go/time/time.ts';
import { parseTime } from '../../../src/go/time/time-layout.ts';
import type { Chance } from './chance.ts';
import type { GoFunction } from './go.ts';
import { bitsOf, doubleOf, textFunction } from './go-answers.ts';
import { bits } from './go-numbers.ts';
import * as texts from './texts.ts';

const LAYOUTS = [
  ...[
    RFC3339,
    RFC3339_MICRO,
    'Mon Jan _2 15:04:05 2006',
    'Mon Jan _2 15:04:05 MST 2006',
    'Mon Jan 02 15:04:05 -0700 2006',
    '02 Jan 06 15:04 MST',
  ],
  ...[
    '02 Jan 06 15:04 -0700',
    'Monday, 02-Jan-06 15:04:05 MST',
    'Mon, 02 Jan 2006 15:04:05 MST',
    'Mon, 02 Jan 2006 15:04:05 -0700',
    '3:04PM',
  ],
  ...[
    'Jan _2 15:04:05',
    'Jan _2 15:04:05.000',
    'Jan _2 15:04:05.000000',
    'Jan _2 15:04:05.000000000',
    '2006-01-02 15:04:05',
    '2006-01-02',
    '15:04:05',
  ],
];
const ELEMENTS = [
  ...[
    'January',
    'Jan',
    '1',
    '01',
    'Monday',
    'Mon',
    '2',
    '_2',
    '02',
    '__2',
    '002',
    '15',
    '3',
    '03',
    '4',
    '04',
    '5',
    '05',
    '2006',
    '06',
    'PM',
    'pm',
    'MST',
  ],
  ...[
    'Z0700',
    'Z070000',
    'Z07',
    'Z07:00',
    'Z07:00:00',
    '-0700',
    '-070000',
    '-07',
    '-07:00',
    '-07:00:00',
    '.000',
    ',000',
    '.999',
    ',999',
    '.0',
    '_2006',
    'Janus',
    'Month',
  ],
];
const SEPARATORS = ['', ' ', '  ', '-', ':', '/', 'T', '_', '.', 'é'];
/** What the elements stand for, right and wrong. */
const WRITTEN = [
  ...[
    'January',
    'february',
    'MAR',
    'Sept',
    'Dec',
    '1',
    '12',
    '13',
    '0',
    '00',
    '01',
    '29',
    '30',
    '31',
    '32',
    '060',
    '059',
    '366',
    '365',
    '367',
    '001',
    '000',
  ],
  ...[
    'Monday',
    'tue',
    'SUN',
    'Xyz',
    '23',
    '24',
    '59',
    '60',
    '2024',
    '2023',
    '0000',
    '9999',
    '1900',
    '69',
    '68',
    '-1',
    'PM',
    'am',
    'AM',
    'pm',
    'Pm',
  ],
  ...[
    'UTC',
    'GMT',
    'GMT+3',
    'GMT-23',
    'GMT+24',
    'CET',
    'CEST',
    'ChST',
    'MeST',
    'WITA',
    'ABCD',
    'ABCDT',
    'ABCDE',
    'ABCDEF',
    '+03',
    '-12',
    '+3',
    'XY',
    'utc',
    'MST',
  ],
  ...[
    'Z',
    '+0000',
    '-0000',
    '+0130',
    '-07:00',
    '+24:00',
    '+25:00',
    '+14:60',
    '+14:61',
    '+010203',
    '-01:02:03',
    '+01:02:61',
    '+01',
    '-00:00:01',
    'z',
    '+1:00',
    '±0100',
  ],
  ...['.123', ',123', '.5', '.123456789', '.1234567891', '.', '.12x', ',5'],
];

function layout(chance: Chance): string {
  if (chance.in(40)) return chance.pick(LAYOUTS);
  if (chance.in(10)) return chance.text(LAYOUTS);
  return chance.several(1, 4, () => chance.pick(ELEMENTS) + chance.pick(SEPARATORS)).join('');
}

/** Often what the layout describes. */
function layoutAndTime(chance: Chance): readonly [string, string] {
  const described = layout(chance);
  if (chance.in(10)) return [described, chance.text(texts.TIMESTAMPS)];
  const time = described.replaceAll(ELEMENT, (element) =>
    chance.in(85) ? fitting(chance, element) : chance.pick(WRITTEN),
  );
  return [described, chance.in(10) ? chance.text([time]) : time];
}

const ELEMENT = /January|Jan|Monday|Mon|MST|[-Z]07(?::?00){0,2}|_?2006|__2|_2|002|0[1-6]|15|[1-5]|PM|pm|[.,](?:0+|9+)/g;

function fitting(chance: Chance, element: string): string {
  const padded = (bound: number, width: number): string => String(chance.below(bound)).padStart(width, '0');
  switch (element) {
    case 'January':
      return chance.pick(['January', 'February', 'May', 'DECEMBER', 'august']);
    case 'Jan':
      return chance.pick(['Jan', 'Feb', 'may', 'DEC', 'Jun']);
    case 'Monday':
      return chance.pick(['Monday', 'tuesday', 'SUNDAY']);
    case 'Mon':
      return chance.pick(['Mon', 'tue', 'SUN']);
    case 'MST':
      return chance.pick(WRITTEN.filter((each) => /^[A-Z+-]/i.test(each) && !/^(Jan|Feb|Mon)/i.test(each)));
    case '2006':
      return chance.pick(['2024', '2023', '2000', '1900', '0000', '9999', '1970']);
    case '_2006':
      return `_${chance.pick(['2024', '2023'])}`;
    case '002':
      return padded(368, 3);
    case '__2':
      return String(chance.below(368)).padStart(3, ' ');
    case '_2':
      return String(chance.below(33)).padStart(2, ' ');
    case '06':
      return padded(100, 2);
    case '15':
      return padded(25, 2);
    case 'PM':
    case 'pm':
      return chance.pick([element, element === 'PM' ? 'AM' : 'am']);
  }
  if (/^0[1-5]$/.test(element))
    return padded(element === '01' || element === '03' ? 14 : element === '02' ? 32 : 61, 2);
  if (/^[1-5]$/.test(element))
    return String(chance.below(element === '1' || element === '3' ? 14 : element === '2' ? 32 : 61));
  if (/^[.,]/.test(element)) return `${chance.pick(['.', ',', element.charAt(0)])}${padded(1000, element.length - 1)}`;
  const zone = element.slice(1).replaceAll(/[0-9]{2}/g, () => padded(chance.in(90) ? 24 : 62, 2));
  return element.startsWith('Z') && chance.in(40) ? 'Z' : `${chance.pick(['+', '-'])}${zone}`;
}

function fixedLayout(chance: Chance): readonly [string, string] {
  const described = chance.pick([RFC3339, RFC3339, RFC3339_MICRO, LOCAL_TIME, FULL_DATE]);
  if (chance.in(50)) return [described, chance.text(texts.TIMESTAMPS)];
  const time = described.replaceAll(ELEMENT, (element) =>
    chance.in(97) ? fitting(chance, element) : chance.pick(WRITTEN),
  );
  return [described, chance.in(20) ? chance.text([time]) : time];
}

/** Within the years that the API can write, and at their bounds. */
function seconds(chance: Chance): number {
  const bounds = [
    0, -1, 59, 60, 3599, 86_399, 86_400, -62_135_596_800, 253_402_300_799, 951_782_400, 4_107_542_399, -2_203_977_600,
    -62_167_219_200,
  ];
  return chance.in(40) ? chance.pick(bounds) + chance.below(3) - 1 : chance.below(315_569_520_000) - 62_167_219_200;
}

function duration(chance: Chance): readonly [string] {
  const bounds = [
    '0',
    '1',
    '-1',
    '999',
    '1000',
    '999999',
    '1000000',
    '999999999',
    '1000000000',
    '60000000000',
    '3600000000000',
    '9223372036854775807',
    '-9223372036854775808',
  ];
  if (chance.in(30)) return [chance.pick(bounds)];
  return [
    `${chance.in(40) ? '-' : ''}${chance.below(2 ** 31) + 1}${chance.pick(['', '0', '000', '000000', '12345', '00000000'])}`,
  ];
}

const UNITS = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h', 'd', '', 'x', 'S', 'hs'];

function durationText(chance: Chance): readonly [string] {
  if (chance.in(30)) return [chance.text(texts.DURATIONS)];
  const number = (): string =>
    chance.pick([
      '0',
      '1',
      '59',
      '60',
      '100',
      '2562047',
      '2562048',
      '9223372036854775807',
      '9223372036854775808',
      '9223372036854775809',
      '99999999999999999999',
      '',
    ]) +
    (chance.in(40)
      ? `.${chance.pick(['', '0', '5', '123456789', '9999999999999999999999', '000000000000000000001', '1'])}`
      : '');
  const unit = (): string => chance.pick(chance.in(90) ? UNITS.slice(0, 8) : UNITS);
  return [chance.pick(['', '', '-', '+', '--']) + chance.several(1, 3, () => number() + unit()).join('')];
}

export const TIMES: readonly GoFunction[] = [
  textFunction('time.ParseDuration', durationText, (written) => {
    const parsed = parseGoDuration(written);
    return typeof parsed === 'bigint' ? parsed.toString() : parsed;
  }),
  textFunction('Duration.String', duration, (written) => formatGoDuration(BigInt(written))),
  textFunction('Duration.Seconds', duration, (written) => bitsOf(secondsOf(BigInt(written)))),
  textFunction('time.Duration', bits, (written) => durationOf(doubleOf(written)).toString()),
  textFunction('time.Parse fixed', fixedLayout, (described, written) => {
    const parsed = parseTime(described, written);
    return 'error' in parsed ? parsed : [parsed.seconds, parsed.nanos, isZeroTime(parsed)];
  }),
  textFunction('time.Parse', layoutAndTime, (described, written) => {
    const parsed = parseTime(described, written);
    return 'error' in parsed ? parsed : [parsed.seconds, parsed.nanos, parsed.offset];
  }),
  textFunction(
    'Time.Format',
    (chance) => [
      chance.pick([RFC3339, RFC3339_MICRO]),
      String(seconds(chance)),
      String(chance.pick([0, 1, 999, 1000, 999_999_999, chance.below(1_000_000_000)])),
    ],
    (described, second, nanos) =>
      formatTime({ seconds: Number(second), nanos: Number(nanos) }, described as typeof RFC3339),
  ),
  textFunction(
    'Time.Format zone',
    (chance) => [
      String(seconds(chance)),
      String(chance.pick([0, 1, -1, 59, 60, -60, 3600, -3600, 19_800, 86_399, -86_399, chance.below(50_000) - 25_000])),
    ],
    (second, offset) => formatRfc3339({ seconds: Number(second), nanos: 0, offset: Number(offset) }),
  ),
  textFunction(
    'Time.Date',
    (chance) => [String(chance.in(50) ? chance.below(3_700_000) - 800_000 : Math.floor(seconds(chance) / 86_400))],
    (days) => {
      const { year, month, day } = civilFromDays(Number(days));
      return [year, month, day];
    },
  ),
  textFunction(
    'time.Date',
    (chance) => [
      String(
        chance.in(50)
          ? chance.pick([0, 4, 100, 400, 1900, 1970, 2000, 2023, 2024, 9999, -1, -4])
          : chance.below(10_000),
      ),
      String(1 + chance.below(12)),
      String(1 + chance.below(28)),
    ],
    (year, month, day) => {
      const date = { year: Number(year), month: Number(month), day: Number(day) };
      return [daysFromCivil(date), daysInMonth(date.year, date.month)];
    },
  ),
];
