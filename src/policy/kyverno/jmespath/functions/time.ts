// Kyverno's functions on times and durations (`pkg/engine/jmespath/time.go`).

import { goQuote } from '../../../../go/strconv/quote.ts';
import { civilFromDays, SECONDS_PER_DAY } from '../../../../go/time/calendar.ts';
import { formatGoDuration, parseGoDuration, saturated } from '../../../../go/time/duration.ts';
import { formatRfc3339, RFC3339, type ZonedTime } from '../../../../go/time/time.ts';
import { parseTime } from '../../../../go/time/time-layout.ts';
import type { FunctionCall } from '../interpreter.ts';
import type { Moment } from '../search-environment.ts';
import { SearchError, searchFailure } from '../search-error.ts';
import type { SearchValue } from '../search-value.ts';
import { type QueryFunction, textAt } from './function-table.ts';

const TEXT = ['string'] as const;

export const TIME_FUNCTIONS: readonly QueryFunction[] = [
  { name: 'time_since', parameters: [TEXT, TEXT, TEXT], handler: since },
  { name: 'time_now', parameters: [], handler: (_, call) => formatRfc3339(now(call)) },
  { name: 'time_now_utc', parameters: [], handler: (_, call) => formatRfc3339({ ...now(call), offset: 0 }) },
  { name: 'time_to_cron', parameters: [TEXT], handler: toCron },
  {
    name: 'time_add',
    parameters: [TEXT, TEXT],
    handler: (values) => formatRfc3339(moved(timeAt(values, 0), durationAt(values, 1))),
  },
  { name: 'time_parse', parameters: [TEXT, TEXT], handler: parse },
  {
    name: 'time_utc',
    parameters: [TEXT],
    handler: (values) => formatRfc3339({ ...timeAt(values, 0), offset: 0 }),
  },
  {
    name: 'time_diff',
    parameters: [TEXT, TEXT],
    handler: (values) => {
      const start = timeAt(values, 0);
      return between(start, timeAt(values, 1));
    },
  },
  {
    name: 'time_before',
    parameters: [TEXT, TEXT],
    handler: (values) => nanosOf(timeAt(values, 0)) < nanosOf(timeAt(values, 1)),
  },
  {
    name: 'time_after',
    parameters: [TEXT, TEXT],
    handler: (values) => nanosOf(timeAt(values, 0)) > nanosOf(timeAt(values, 1)),
  },
  { name: 'time_between', parameters: [TEXT, TEXT, TEXT], handler: isBetween },
  { name: 'time_truncate', parameters: [TEXT, TEXT], handler: truncate },
];

const NANOS = 1_000_000_000n;
/** From Go's zero time, 1 January of year 1, to 1970. */
const SECONDS_BEFORE_1970 = 62_135_596_800n;

function readTime(layout: string, text: string): ZonedTime {
  const time = parseTime(layout, text);
  if ('error' in time) throw searchFailure(time.error);
  return time;
}

function timeAt(values: readonly SearchValue[], index: number): ZonedTime {
  return readTime(RFC3339, textAt(values, index));
}

function durationAt(values: readonly SearchValue[], index: number): bigint {
  const duration = parseGoDuration(textAt(values, index));
  if (typeof duration !== 'bigint') throw searchFailure(duration.error);
  return duration;
}

function now({ environment }: FunctionCall): Moment {
  if (environment.now === undefined) {
    throw new SearchError('unknown', 'the time of the request');
  }
  return environment.now;
}

/** Since 1970. */
function nanosOf({ seconds, nanos }: ZonedTime): bigint {
  return BigInt(seconds) * NANOS + BigInt(nanos);
}

function timeOf(nanos: bigint, offset: number): ZonedTime {
  const rest = ((nanos % NANOS) + NANOS) % NANOS;
  return { seconds: Number((nanos - rest) / NANOS), nanos: Number(rest), offset };
}

function between(start: ZonedTime, end: ZonedTime): string {
  return formatGoDuration(saturated(nanosOf(end) - nanosOf(start)));
}

function moved(time: ZonedTime, duration: bigint): ZonedTime {
  return timeOf(nanosOf(time) + duration, time.offset);
}

/** The second time defaults to now. */
function since(values: readonly SearchValue[], call: FunctionCall): SearchValue {
  const layout = textAt(values, 0) || RFC3339;
  const start = readTime(layout, textAt(values, 1));
  const end = textAt(values, 2);
  return between(start, end === '' ? now(call) : readTime(layout, end));
}

/** In the time's own offset. */
function toCron(values: readonly SearchValue[]): SearchValue {
  const { seconds, offset } = timeAt(values, 0);
  const days = Math.floor((seconds + offset) / SECONDS_PER_DAY);
  const second = seconds + offset - days * SECONDS_PER_DAY;
  const { month, day } = civilFromDays(days);
  // 1 January 1970 was a Thursday.
  const weekday = (((days + 4) % 7) + 7) % 7;
  return `${Math.floor(second / 60) % 60} ${Math.floor(second / 3600)} ${day} ${month} ${weekday}`;
}

/** An integer layout means that the text is in seconds since 1970. */
function parse(values: readonly SearchValue[]): SearchValue {
  const layout = textAt(values, 0);
  const text = textAt(values, 1);
  if ('error' in parseInt64(layout)) return formatRfc3339(readTime(layout, text));
  const epoch = parseInt64(text);
  if ('error' in epoch) throw searchFailure(epoch.error);
  if (epoch.value > 8_640_000_000_000n || epoch.value < -8_640_000_000_000n) {
    throw new SearchError('limit', 'a time that is out of range');
  }
  return formatRfc3339({ seconds: Number(epoch.value), nanos: 0, offset: 0 });
}

/** Go `strconv.ParseInt(text, 10, 64)`. */
function parseInt64(text: string): { readonly value: bigint } | { readonly error: string } {
  const fail = (reason: string) => ({ error: `strconv.ParseInt: parsing ${goQuote(text)}: ${reason}` });
  if (!/^[-+]?[0-9]+$/.test(text)) return fail('invalid syntax');
  const digits = text.replace(/^\+/, '').replace(/^(-?)0+(?=[0-9])/, '$1');
  if (digits.length > 20) return fail('value out of range');
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value ? { value } : fail('value out of range');
}

function isBetween(values: readonly SearchValue[]): SearchValue {
  const time = nanosOf(timeAt(values, 0));
  const start = nanosOf(timeAt(values, 1));
  const end = nanosOf(timeAt(values, 2));
  return time > start && time < end;
}

function truncate(values: readonly SearchValue[]): SearchValue {
  const time = timeAt(values, 0);
  const duration = durationAt(values, 1);
  if (duration <= 0n) return formatRfc3339(time);
  const sinceZero = nanosOf(time) + SECONDS_BEFORE_1970 * NANOS;
  const rest = ((sinceZero % duration) + duration) % duration;
  return formatRfc3339(timeOf(nanosOf(time) - rest, time.offset));
}
