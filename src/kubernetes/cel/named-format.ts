// The string formats of `format.named(…)` and their validation (apiserver `pkg/cel/library/format.go`, kube-openapi `strfmt`).
import { type ColonRule, parseRequestUri } from '../../go/net/url.ts';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelKey,
  labelValue,
  labelValueInCharacters,
  maskTrailingDash,
  qualifiedName,
} from '../validation/name-format.ts';

export interface NamedFormat {
  /** The name that `==` compares; the lookup key may be spelled differently. */
  readonly name: string;
  /** Returns the errors of a value; empty if it is valid. */
  validate(value: string): readonly string[];
  /** Length of the regular expression that the cost model assumes. */
  readonly regexSize: number;
}

export type NamedFormats = ReadonlyMap<string, NamedFormat>;

export const NAMED_FORMATS: NamedFormats = new Map<string, NamedFormat>([
  ['dns1123Label', { name: 'DNS1123Label', validate: dns1123Label, regexSize: 30 }],
  ['dns1123Subdomain', { name: 'DNS1123Subdomain', validate: dns1123Subdomain, regexSize: 60 }],
  ['dns1035Label', { name: 'DNS1035Label', validate: dns1035Label, regexSize: 30 }],
  ['qualifiedName', { name: 'QualifiedName', validate: labelKey, regexSize: 60 }],
  ['dns1123LabelPrefix', { name: 'DNS1123LabelPrefix', validate: prefixOf(dns1123Label), regexSize: 30 }],
  ['dns1123SubdomainPrefix', { name: 'DNS1123SubdomainPrefix', validate: prefixOf(dns1123Subdomain), regexSize: 60 }],
  ['dns1035LabelPrefix', { name: 'DNS1035LabelPrefix', validate: prefixOf(dns1035Label), regexSize: 30 }],
  ['labelValue', { name: 'LabelValue', validate: labelValue, regexSize: 40 }],
  ['uri', { name: 'URI', validate: uri('strict'), regexSize: 1103 }],
  ['uuid', { name: 'uuid', validate: accepting(isUuid, 'does not match the UUID format'), regexSize: 70 }],
  ['byte', { name: 'byte', validate: accepting(isBase64, 'invalid base64'), regexSize: 84 }],
  ['date', { name: 'date', validate: accepting(isDate, 'invalid date'), regexSize: 71 }],
  ['datetime', { name: 'datetime', validate: accepting(isDateTime, 'invalid datetime'), regexSize: 71 }],
]);

/** For Kubernetes 1.35, which is built with Go 1.25. */
export const NAMED_FORMATS_1_35: NamedFormats = replaced(NAMED_FORMATS, [['uri', uri('lenient')]]);

/** Up to Kubernetes 1.34. */
export const NAMED_FORMATS_1_34: NamedFormats = replaced(NAMED_FORMATS_1_35, [
  ['qualifiedName', qualifiedName],
  ['labelValue', labelValueInCharacters],
]);

function replaced(
  formats: NamedFormats,
  checks: readonly (readonly [name: string, validate: NamedFormat['validate']])[],
): NamedFormats {
  const changed = new Map(checks);
  return new Map(
    [...formats].map(([name, format]) => [name, { ...format, validate: changed.get(name) ?? format.validate }]),
  );
}

function prefixOf(check: NamedFormat['validate']): NamedFormat['validate'] {
  return (value) => check(maskTrailingDash(value));
}

function accepting(isValid: (value: string) => boolean, problem: string): NamedFormat['validate'] {
  return (value) => (isValid(value) ? [] : [problem]);
}

function uri(colons: ColonRule): NamedFormat['validate'] {
  return (value) => {
    const url = parseRequestUri(value, colons);
    return 'error' in url ? [url.error] : [];
  };
}

function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value);
}

/** Requires padding; the empty string is invalid. */
function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

const DAYS_IN_MONTH: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isDate(value: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(value);
  const [year, month, day] = (match ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = (DAYS_IN_MONTH[month - 1] ?? 0) + (leap ? 1 : 0);
  return day >= 1 && day <= days;
}

/** As upstream: ignores everything after a second `t`, and accepts any digits as the offset. */
export function isDateTime(value: string): boolean {
  const [date, time] = value.split(/[tT]/);
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?([zZ]|[+-][0-9]{2}:[0-9]{2})$/u.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}
