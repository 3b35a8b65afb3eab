// `format`: formats values as text (cel-go `ext/formatting.go`, versions 1 to 3).
import { Meter } from '../../go/meter.ts';
import { goQuote } from '../../go/strconv/quote.ts';
import { compareStrings } from '../../go/strings/string-order.ts';
import { toText } from '../value/conversion.ts';
import { isMap } from '../value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../value/scalar.ts';
import { typeOf } from '../value/type-of.ts';
import { ErrorValue, type ListValue, type MapValue, TypeValue, type Value } from '../value/value.ts';
import { formatFixed, formatScientific } from './format-number.ts';
import { type Clause, fillTemplate } from './format-template.ts';

/** Messages for an argument of a wrong type, at run time and at compile time. */
export const CLAUSE_MISMATCH: Readonly<Record<Clause['verb'], string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

export const DEFAULT_PRECISION = 6;
/** Maximum output of one call in characters, because nested lists can multiply. */
export const MAX_LENGTH = 2 ** 26;

export function formatString(template: string, args: ListValue): string | ErrorValue {
  const meter = new Meter(MAX_LENGTH);
  return fillTemplate(template, {
    argCount: args.length,
    fetchesFirst: true,
    format: (clause, argIndex) => formatClause(clause, args[argIndex] as Value, meter),
  });
}

export function formatClause({ verb, precision }: Clause, value: Value, meter: Meter): string | ErrorValue {
  switch (verb) {
    case 's':
      return formatText(value, meter);
    case 'd':
      return formatInteger(value, 10, verb);
    case 'o':
      return formatInteger(value, 8, verb);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : formatInteger(value, 2, verb);
    case 'x':
      return formatHex(value, verb);
    case 'X': {
      const text = formatHex(value, verb);
      return typeof text === 'string' ? text.toUpperCase() : text;
    }
    default: {
      const double = doubleOf(value);
      if (double === undefined) return mismatch(verb, value);
      const format = verb === 'f' ? formatFixed : formatScientific;
      return format(double, precision ?? DEFAULT_PRECISION);
    }
  }
}

function mismatch(verb: Clause['verb'], value: Value): ErrorValue {
  return new ErrorValue(`${CLAUSE_MISMATCH[verb]}, was given ${typeOf(value).name}`);
}

function formatInteger(value: Value, base: number, verb: Clause['verb']): string | ErrorValue {
  if (typeof value === 'bigint') return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : mismatch(verb, value);
}

function formatHex(value: Value, verb: Clause['verb']): string | ErrorValue {
  if (typeof value === 'string') return hexOf(new TextEncoder().encode(value));
  return value instanceof Bytes ? hexOf(value.data) : formatInteger(value, 16, verb);
}

function hexOf(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Strings represent the doubles that have no literal. */
function doubleOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  return value === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined;
}

/** `%s`. */
function formatText(value: Value, meter: Meter): string | ErrorValue {
  if (Array.isArray(value)) return formatList(value, meter);
  if (isMap(value)) return formatMap(value, meter);
  return isScalar(value) ? formatScalar(value) : mismatch('s', value);
}

function isScalar(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return [Uint, Bytes, Timestamp, Duration, TypeValue].some((type) => value instanceof type);
}

function formatScalar(value: Value): string | ErrorValue {
  if (value instanceof TypeValue) return value.type.name;
  const text = toText(value);
  if (typeof text === 'string') return text;
  return new ErrorValue(`could not convert argument ${goQuote(text.message)} to string`);
}

function formatList(list: ListValue, meter: Meter): string | ErrorValue {
  const elements: string[] = [];
  for (const element of list) {
    const text = formatElement(element, meter);
    if (text instanceof ErrorValue) return text;
    elements.push(text);
  }
  return `[${elements.join(', ')}]`;
}

function formatMap(map: MapValue, meter: Meter): string | ErrorValue {
  const entries: { readonly key: string; readonly value: string }[] = [];
  for (const [key, value] of map.entries()) {
    const keyText = formatKey(key);
    if (keyText instanceof ErrorValue) return keyText;
    const valueText = formatElement(value, meter);
    if (valueText instanceof ErrorValue) return valueText;
    entries.push({ key: keyText, value: valueText });
  }
  entries.sort((left, right) => compareStrings(left.key, right.key));
  return `{${entries.map(({ key, value }) => `${key}:${value}`).join(', ')}}`;
}

function formatKey(key: Value): string | ErrorValue {
  if (typeof key === 'string') return goQuote(key);
  if (typeof key === 'boolean' || typeof key === 'bigint') return String(key);
  if (key instanceof Uint) return String(key.value);
  return new ErrorValue(`no formatting function for map key of type ${typeOf(key).name}`);
}

/** Formats an element of a list or a value of a map like a literal. */
function formatElement(value: Value, meter: Meter): string | ErrorValue {
  const text = literal(value, meter);
  if (typeof text === 'string') meter.spend(text.length);
  return text;
}

function literal(value: Value, meter: Meter): string | ErrorValue {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return formatDoubleElement(value);
  if (Array.isArray(value)) return formatList(value, meter);
  if (isMap(value)) return formatMap(value, meter);
  if (!isScalar(value)) return new ErrorValue(`no formatting function for ${typeOf(value).name}`);
  const text = formatScalar(value);
  if (text instanceof ErrorValue) return text;
  if (value instanceof Bytes) return `b${goQuote(text)}`;
  if (value instanceof Timestamp) return `timestamp(${goQuote(text)})`;
  return value instanceof Duration ? `duration(${goQuote(text)})` : text;
}

/** Six decimals without commas; NaN and infinities are quoted. */
function formatDoubleElement(value: number): string {
  if (Number.isNaN(value)) return '"NaN"';
  if (!Number.isFinite(value)) return value > 0 ? '"+Inf"' : '"-Inf"';
  const text = formatFixed(value, DEFAULT_PRECISION).replaceAll(',', '');
  return Object.is(value, -0) ? `-${text}` : text;
}
