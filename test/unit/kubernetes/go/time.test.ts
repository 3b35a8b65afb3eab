// Times as parsed by Go, with its error texts.
import { describe, expect, test } from 'vitest';
import { formatTime, RFC3339, RFC3339_MICRO } from '../../../../src/go/time/time.ts';
import { parseTime } from '../../../../src/go/time/time-layout.ts';

describe('RFC 3339', () => {
  test.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-01-02T3:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05.999Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05,5+24:60', '2024-01-01T02:04:05Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ])('%s', (text, expected) => {
    const time = parseTime(RFC3339, text);
    expect('error' in time ? time.error : formatTime(time, RFC3339)).toBe(expected);
  });

  test.each([
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2024-1-02', 'parsing time "2024-1-02" as "2006-01-02T15:04:05Z07:00": cannot parse "1-02" as "01"'],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01T24:00:00Z', 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
    ['2024-01-01T00:60:00Z', 'parsing time "2024-01-01T00:60:00Z": minute out of range'],
    ['2024-01-01T00:00:60Z', 'parsing time "2024-01-01T00:00:60Z": second out of range'],
    [
      '2024-01-01T00:00:00',
      'parsing time "2024-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    ['2024-01-01T00:00:00Zé"', 'parsing time "2024-01-01T00:00:00Z\\xc3\\xa9\\"": extra text: "\\xc3\\xa9\\""'],
    [
      '2024-01-01 00:00:00Z',
      'parsing time "2024-01-01 00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00:00Z" as "T"',
    ],
  ])('%j', (text, expected) => {
    expect(parseTime(RFC3339, text)).toEqual({ error: expected });
  });
});

describe('microseconds', () => {
  test('keeps six digits', () => {
    const time = parseTime(RFC3339_MICRO, '2024-01-02T03:04:05.123456+01:00');
    expect('error' in time ? time.error : formatTime(time, RFC3339_MICRO)).toBe('2024-01-02T02:04:05.123456Z');
  });

  test('requires microseconds', () => {
    expect(parseTime(RFC3339_MICRO, '2024-01-02T03:04:05Z')).toEqual({
      error: 'parsing time "2024-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    });
  });
});
