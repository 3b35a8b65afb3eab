// Accessors of timestamps and durations, such as `getHours()`.
import { civilFromDays, daysFromCivil, SECONDS_PER_DAY } from '../../go/time/calendar.ts';
import type { FunctionDeclaration, Overload } from '../declaration/library.ts';
import { UNIT } from '../declaration/price.ts';
import type { Duration, Timestamp } from '../value/scalar.ts';
import type { TimeZones, WallSeconds } from '../value/time-zone.ts';
import { ErrorValue, type Value } from '../value/value.ts';

const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

/** Reads one part of the wall-clock time; nanoseconds are equal in every zone. */
type Part = (wall: WallSeconds, nanos: number) => number;

const dayOf = (wall: WallSeconds): number => Math.floor(wall / SECONDS_PER_DAY);
const secondOf = (wall: WallSeconds): number => wall - dayOf(wall) * SECONDS_PER_DAY;

export function timeFunctions(zones: TimeZones): readonly FunctionDeclaration[] {
  const part = (name: string, id: string, zonedId: string, read: Part, more: readonly Overload[] = []) => ({
    name,
    overloads: [...timestampPart(name, id, zonedId, read, zones), ...more],
  });
  return [
    part('getFullYear', 'timestamp_to_year', 'timestamp_to_year_with_tz', (wall) => civilFromDays(dayOf(wall)).year),
    part(
      'getMonth',
      'timestamp_to_month',
      'timestamp_to_month_with_tz',
      (wall) => civilFromDays(dayOf(wall)).month - 1,
    ),
    part('getDayOfYear', 'timestamp_to_day_of_year', 'timestamp_to_day_of_year_with_tz', dayOfYear),
    part(
      'getDayOfMonth',
      'timestamp_to_day_of_month',
      'timestamp_to_day_of_month_with_tz',
      (wall) => civilFromDays(dayOf(wall)).day - 1,
    ),
    part(
      'getDate',
      'timestamp_to_day_of_month_1_based',
      'timestamp_to_day_of_month_1_based_with_tz',
      (wall) => civilFromDays(dayOf(wall)).day,
    ),
    // 1970-01-01 was a Thursday.
    part('getDayOfWeek', 'timestamp_to_day_of_week', 'timestamp_to_day_of_week_with_tz', (wall) => {
      return (((dayOf(wall) + 4) % 7) + 7) % 7;
    }),
    part('getHours', 'timestamp_to_hours', 'timestamp_to_hours_with_tz', (wall) => Math.floor(secondOf(wall) / 3600), [
      durationPart('getHours', 'duration_to_hours', HOUR),
    ]),
    part(
      'getMinutes',
      'timestamp_to_minutes',
      'timestamp_to_minutes_with_tz',
      (wall) => Math.floor(secondOf(wall) / 60) % 60,
      [durationPart('getMinutes', 'duration_to_minutes', MINUTE)],
    ),
    part('getSeconds', 'timestamp_to_seconds', 'timestamp_to_seconds_tz', (wall) => secondOf(wall) % 60, [
      durationPart('getSeconds', 'duration_to_seconds', SECOND),
    ]),
    part(
      'getMilliseconds',
      'timestamp_to_milliseconds',
      'timestamp_to_milliseconds_with_tz',
      (_, nanos) => Math.floor(nanos / 1e6),
      [durationPart('getMilliseconds', 'duration_to_milliseconds', MILLISECOND)],
    ),
  ];
}

function timestampPart(name: string, id: string, zonedId: string, read: Part, zones: TimeZones): Overload[] {
  const evaluate = (timestamp: Timestamp, zone: string): Value => {
    const wall = zones.wallSeconds(timestamp, zone);
    return wall instanceof ErrorValue ? wall : BigInt(read(wall, timestamp.nanos));
  };
  const inUtc = (timestamp: Timestamp): Value => evaluate(timestamp, 'UTC');
  return [
    { id, signature: `google.protobuf.Timestamp.${name}() -> int`, evaluate: inUtc, price: UNIT },
    { id: zonedId, signature: `google.protobuf.Timestamp.${name}(string) -> int`, evaluate, price: UNIT },
  ];
}

/** The whole duration in the unit, rounded towards zero after Go's conversion to a double. */
function durationPart(name: string, id: string, unit: bigint): Overload {
  return {
    id,
    signature: `google.protobuf.Duration.${name}() -> int`,
    evaluate: ({ nanoseconds }: Duration) => {
      if (unit === MILLISECOND) return nanoseconds / MILLISECOND;
      return BigInt(Math.trunc(Number(nanoseconds / unit) + Number(nanoseconds % unit) / Number(unit)));
    },
    price: UNIT,
  };
}

function dayOfYear(wall: WallSeconds): number {
  const { year } = civilFromDays(dayOf(wall));
  return dayOf(wall) - daysFromCivil({ year, month: 1, day: 1 });
}
