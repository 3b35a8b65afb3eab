// Durations, timestamps and time zones, compared with Go's results.
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../../src/cel/value/duration.ts';
import { Duration, Timestamp } from '../../../../src/cel/value/scalar.ts';
import { TimeZones } from '../../../../src/cel/value/time-zone.ts';
import {
  addDuration,
  durationBetween,
  formatTimestamp,
  inRange,
  parseTimestamp,
} from '../../../../src/cel/value/timestamp.ts';
import { ErrorValue } from '../../../../src/cel/value/value.ts';

describe('parseDuration', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['1h30m', 5_400_000_000_000n],
    ['-1.5s', -1_500_000_000n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['1us2\u00b5s3\u03bcs', 6_000n],
    ['2562047h47m16.854775807s', 9_223_372_036_854_775_807n],
    ['-2562047h47m16.854775808s', -9_223_372_036_854_775_808n],
    ['0.100000000000000000001ms', 100_000n],
  ])('reads %s', (text, nanoseconds) => {
    expect(parseDuration(text)).toEqual(new Duration(nanoseconds));
  });

  it.each(['', '-', '1', 's', '.s', '1d', '1h 2m', '1S', '+-1s', '2562047h47m16.854775808s', '99999999999999999999h'])(
    'rejects %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it.each([
    [5_400_000_000_000n, '5400s'],
    [1n, '0.000000001s'],
    [-1_500_000_000n, '-1.5s'],
    [9_223_372_036_854_775_807n, '9223372036.854776s'],
  ])('%d ns is written %s', (nanoseconds, text) => {
    expect(formatDuration(new Duration(nanoseconds))).toBe(text);
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    ['2023-01-01T3:00:00,5Z', '2023-01-01T03:00:00.5Z'],
    ['2023-01-01T00:00:00.120+00:00', '2023-01-01T00:00:00.12Z'],
    ['2023-01-01T00:00:00.1234567899+02:00', '2023-01-01T00:00:00.123456789+02:00'],
    ['0001-01-01T00:00:00-05:30', '0001-01-01T00:00:00-05:30'],
  ])('reads %s', (text, written) => {
    expect(formatTimestamp(parseTimestamp(text) as Timestamp)).toBe(written);
  });

  it.each([
    '2023-02-29T00:00:00Z',
    '2023-13-01T00:00:00Z',
    '2023-01-01T24:00:00Z',
    '2023-01-01T00:00:60Z',
    '2023-01-01t00:00:00z',
    '2023-01-01 00:00:00Z',
    '2023-01-01T00:00:00',
    '2023-01-01T00:00:00+25:00',
    '2023-01-01T00:00:00.Z',
  ])('rejects %s', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('accepts only the years 1 to 9999', () => {
    expect(inRange(parseTimestamp('0000-12-31T23:59:59Z') as Timestamp)).toEqual(new ErrorValue('timestamp overflow'));
    expect(inRange(parseTimestamp('9999-12-31T23:59:59.999999999Z') as Timestamp)).toBeInstanceOf(Timestamp);
  });
});

describe('arithmetic', () => {
  const last = parseTimestamp('9999-12-31T23:59:59.999999999Z') as Timestamp;
  const first = parseTimestamp('0001-01-01T00:00:00Z') as Timestamp;

  it('stays in range', () => {
    expect(addDuration(last, 1n)).toEqual(new ErrorValue('timestamp overflow'));
    expect(addDuration(first, -1n)).toEqual(new ErrorValue('timestamp overflow'));
    expect(durationBetween(last, first)).toEqual(new ErrorValue('integer overflow'));
  });

  it('carries nanoseconds', () => {
    const before = new Timestamp(-1n, 999_999_999);
    expect(addDuration(before, 1n)).toEqual(new Timestamp(0n, 0));
    expect(durationBetween(before, new Timestamp(0n, 0))).toEqual(new Duration(-1n));
  });
});

describe('TimeZones', () => {
  const zones = new TimeZones();
  const hourIn = (text: string, zone: string): unknown => {
    const wall = zones.wallSeconds(parseTimestamp(text) as Timestamp, zone);
    return typeof wall === 'number' ? new Date(wall * 1000).toISOString().slice(0, 16) : wall.message;
  };

  it.each([
    ['2024-03-10T06:59:00Z', 'America/New_York', '2024-03-10T01:59'],
    ['2024-03-10T07:00:00Z', 'America/New_York', '2024-03-10T03:00'],
    ['2024-11-03T05:30:00Z', 'America/New_York', '2024-11-03T01:30'],
    ['2024-11-03T06:30:00Z', 'America/New_York', '2024-11-03T01:30'],
    ['2024-07-01T00:00:00Z', 'Europe/Berlin', '2024-07-01T02:00'],
    ['2024-01-01T00:00:00Z', 'Pacific/Chatham', '2024-01-01T13:45'],
    ['0001-01-01T00:00:00Z', 'Etc/GMT+12', '0000-12-31T12:00'],
    ['2024-01-01T00:00:00Z', 'EST5EDT', '2023-12-31T19:00'],
    ['2024-01-01T00:00:00Z', 'Local', '2024-01-01T00:00'],
    ['2024-01-01T00:00:00Z', '+05:30', '2024-01-01T05:30'],
    ['2024-01-01T00:00:00Z', '-05:30', '2023-12-31T18:30'],
    ['2024-01-01T00:00:00Z', '-00:30', '2023-12-31T23:30'],
    ['2024-01-01T00:00:00Z', '99:99', '2024-01-05T04:39'],
  ])('%s in %s is %s', (text, zone, expected) => {
    expect(hourIn(text, zone)).toBe(expected);
  });

  it.each([
    ['europe/berlin', 'unknown time zone europe/berlin'],
    ['Nope/Zone', 'unknown time zone Nope/Zone'],
    ['../etc/passwd', 'time: invalid location name'],
    ['/UTC', 'time: invalid location name'],
    [':', 'strconv.Atoi: parsing "": invalid syntax'],
    ['1:2:3', 'strconv.Atoi: parsing "2:3": invalid syntax'],
    ['99999999999999999999:1', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
  ])('%s: %s', (zone, message) => {
    expect(hourIn('2024-01-01T00:00:00Z', zone)).toBe(message);
  });
});
