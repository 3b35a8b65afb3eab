// Formats of texts and numbers (apimachinery `pkg/util/validation`), without messages.
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelKey,
  labelValue,
  pathSegmentName,
} from '../../kubernetes/validation/name-format.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { integer, type PlainRule, textThat } from './rule.ts';

function accepts(check: (value: string) => readonly string[]): (value: string) => boolean {
  return (value) => check(value).length === 0;
}

export const isLabel = accepts(dns1123Label);
export const isSubdomain = accepts(dns1123Subdomain);
export const isServiceName = accepts(dns1035Label);
export const isLabelKey = accepts(labelKey);
export const isLabelValue = accepts(labelValue);
export const isPathSegment = (value: string): boolean => value !== '' && pathSegmentName(value).length === 0;

export const label = textThat(isLabel);
export const subdomain = textThat(isSubdomain);
export const labelKeyText = textThat(isLabelKey);

/** `IsValidPortName`. */
function isPortName(name: string): boolean {
  return /^[a-z0-9](?:-?[a-z0-9]){0,14}$/.test(name) && name.length <= 15 && /[a-z]/.test(name);
}

/** `IsEnvVarName`, the strict form that every release accepts. */
export function isVariableName(name: string): boolean {
  return /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name) && name !== '.' && !name.startsWith('..');
}

/** `IsConfigMapKey`. */
export function isDataKey(key: string): boolean {
  return /^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== '.' && !key.startsWith('..');
}

export const portNumber = integer(1n, 65_535n);
export const portName = textThat(isPortName);
export const portNumberOrName: PlainRule = (value) => portNumber(value) || portName(value);
export const protocol: PlainRule = (value) => value === 'TCP' || value === 'UDP' || value === 'SCTP';
/** `IsValidUserID`, `IsValidGroupID`. */
export const userId = integer(0n);

/** The number of an integer or a percentage that is not negative, and at most `mostPercent`. */
export function intOrPercent(value: JsonValue | undefined, mostPercent = 100): number | undefined {
  if (typeof value === 'bigint') return value >= 0n && value < 2n ** 31n ? Number(value) : undefined;
  if (typeof value !== 'string' || !/^\d{1,6}%$/.test(value)) return undefined;
  const percent = Number(value.slice(0, -1));
  return percent <= mostPercent ? percent : undefined;
}

/** `validateLocalDescendingPath`. */
export function isDescendingPath(path: string): boolean {
  return path !== '' && !path.startsWith('/') && hasNoBackstep(path);
}

export function hasNoBackstep(path: string): boolean {
  return !path.includes('..') || !path.split('/').includes('..');
}

/** `ValidateLocalNonReservedPath`. */
export const localPath = textThat((path) => isDescendingPath(path) && !path.startsWith('..'));

export interface AddressBlock {
  readonly bits: number;
  readonly address: number;
}

/** An IPv4 address in its canonical text. */
export function readAddress(value: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(value)?.slice(1);
  if (parts === undefined || parts.some((part) => (part.length > 1 && part.startsWith('0')) || Number(part) > 255)) {
    return undefined;
  }
  return parts.reduce((address, part) => address * 256 + Number(part), 0);
}

/** An IPv4 block whose host bits are zero; others lead to warnings. */
export function readBlock(value: string): AddressBlock | undefined {
  const [, written = '', length = ''] = /^([\d.]+)\/(0|[1-9]\d?)$/.exec(value) ?? [];
  const address = readAddress(written);
  const bits = Number(length);
  if (address === undefined || length === '' || bits > 32 || address % 2 ** (32 - bits) !== 0) return undefined;
  return { bits, address };
}
