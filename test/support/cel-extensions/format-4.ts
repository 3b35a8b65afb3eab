// `format` of version 4 of cel-go's strings library (`ext/formatting_v2.go`). Not in Kubernetes.
import { DEFAULT_PRECISION, formatClause, MAX_LENGTH } from '../../../src/cel/library/format.ts';
import { isTooLarge, roundedDigits, scientificDigits } from '../../../src/cel/library/format-number.ts';
import { type Clause, fillTemplate } from '../../../src/cel/library/format-template.ts';
import { toText } from '../../../src/cel/value/conversion.ts';
import { isMap } from '../../../src/cel/value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../../src/cel/value/scalar.ts';
import { typeOf } from '../../../src/cel/value/type-of.ts';
import { ErrorValue, type ListValue, type MapValue, TypeValue, type Value } from '../../../src/cel/value/value.ts';
import { Meter } from '../../../src/go/meter.ts';
import { formatDoublePlain } from '../../../src/go/strconv/float-text.ts';
import { compareStrings } from '../../../src/go/strings/string-order.ts';

const CLAUSE_MISMATCH: Readonly<Record<Clause['verb'], string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on ints, uints, and doubles',
  f: 'fixed-point clause can only be used on ints, uints, and doubles',
  e: 'scientific clause can only be used on ints, uints, and doubles',
  b: 'only ints, uints, and bools can be formatted as binary',
  x: 'only ints, uints, bytes, and strings can be formatted as hex',
  X: 'only ints, uints, bytes, and strings can be formatted as hex',
  o: 'octal clause can only be used on ints and uints',
};

export function formatString4(template: string, args: ListValue): string | ErrorValue {
  const meter = new Meter(MAX_LENGTH);
  return fillTemplate(template, {
    argCount: args.length,
    fetchesFirst: true,
    format: (clause, argIndex) => {
      const text = format(clause, args[argIndex] as Value, meter);
      if (typeof text === 'string') return text;
      return new ErrorValue(`${CLAUSE_MISMATCH[clause.verb]}, was given ${typeOf(text.wrong).name}`);
    },
  });
}

/** `wrong`: the value that the clause does not support. */
type Formatted = string | { readonly wrong: Value };

function format(clause: Clause, value: Value, meter: Meter): Formatted {
  const { verb, precision = DEFAULT_PRECISION } = clause;
  switch (verb) {
    case 's':
      return formatText(value, meter);
    case 'd':
      if (typeof value === 'number') return formatDouble(value);
      break;
    case 'e':
    case 'f':
      meter.spend(isTooLarge(precision) ? DEFAULT_PRECISION : precision);
      return formatFraction(verb, value, precision);
  }
  const text = formatClause(clause, value, meter);
  return typeof text === 'string' ? text : { wrong: value };
}

/** Go's verbs for doubles reject integers with an error in the output. */
function formatFraction(verb: 'e' | 'f', value: Value, precision: number): Formatted {
  const int = value instanceof Uint ? value.value : value;
  if (typeof int === 'bigint') {
    const digits = int === 0n && precision === 0 ? '' : String(int < 0n ? -int : int).padStart(precision, '0');
    return `%!${verb}(${value instanceof Uint ? 'uint64' : 'int64'}=${int < 0n ? '-' : ''}${digits})`;
  }
  if (typeof value !== 'number') return { wrong: value };
  if (!Number.isFinite(value)) return formatDouble(value);
  if (isTooLarge(precision)) return `%!(BADPREC)${formatFraction(verb, value, DEFAULT_PRECISION)}`;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const point = precision === 0 ? '' : '.';
  if (verb === 'f') {
    const { integer, fraction } = roundedDigits(value, precision);
    return `${sign}${integer}${point}${fraction}`;
  }
  const { digits, exponent } = scientificDigits(value, precision);
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return `${sign}${digits.charAt(0)}${point}${digits.slice(1)}e${power}`;
}

function formatDouble(value: number): string {
  if (Number.isNaN(value) || Number.isFinite(value)) return formatDoublePlain(value);
  return value > 0 ? 'Infinity' : '-Infinity';
}

/** `%s`; values in a list or map are formatted like single values. */
function formatText(value: Value, meter: Meter): Formatted {
  if (Array.isArray(value)) return formatList(value, meter);
  if (isMap(value)) return formatMap(value, meter);
  const text = formatScalar(value);
  if (text !== undefined) meter.spend(text.length);
  return text ?? { wrong: value };
}

function formatScalar(value: Value): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof Bytes) return new TextDecoder().decode(value.data);
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof Timestamp) return toText(new Timestamp(value.seconds, value.nanos)) as string;
  const isText = typeof value !== 'object' || value instanceof Uint || value instanceof Duration;
  return isText ? (toText(value) as string) : undefined;
}

function formatList(list: ListValue, meter: Meter): Formatted {
  const elements: string[] = [];
  for (const element of list) {
    const text = formatText(element, meter);
    if (typeof text !== 'string') return text;
    elements.push(text);
  }
  return `[${elements.join(', ')}]`;
}

function formatMap(map: MapValue, meter: Meter): Formatted {
  const entries: (readonly [key: string, value: string])[] = [];
  for (const [key, value] of map.entries()) {
    const keyText = formatText(key, meter);
    if (typeof keyText !== 'string') return keyText;
    const valueText = formatText(value, meter);
    if (typeof valueText !== 'string') return valueText;
    entries.push([keyText, valueText]);
  }
  entries.sort(([left], [right]) => compareStrings(left, right));
  return `{${entries.map((entry) => entry.join(': ')).join(', ')}}`;
}
