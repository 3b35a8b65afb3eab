// Formats of names, with the API server's error messages (apimachinery `pkg/api/validate/content`, `pkg/util/validation`).
import { append } from '../../go/slices/append.ts';

/** Every check returns its errors in the server's order; empty means valid. Lengths are in UTF-8 bytes. */
type Check = (value: string) => string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${KEY})?`;

const LABEL_REGEX = new RegExp(`^${LABEL}$`);
const SUBDOMAIN_REGEX = new RegExp(`^${SUBDOMAIN}$`);
const DNS_1035_REGEX = new RegExp(`^${DNS_1035}$`);
const KEY_REGEX = new RegExp(`^${KEY}$`);
const LABEL_VALUE_REGEX = new RegExp(`^${LABEL_VALUE}$`);

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;

function byteLength(value: string): number {
  let length = value.length;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    // Each half of a surrogate pair is two of the four bytes.
    if (code >= 0x800 && (code < 0xd800 || code > 0xdfff)) length += 2;
    else if (code >= 0x80) length += 1;
  }
  return length;
}

/** `RegexError`, with its doubled space. */
function mismatch(message: string, format: string, ...examples: string[]): string {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${listed}regex used for validation is '${format}')`;
}

/** For namespaces and many parts of workload objects. */
export const dns1123Label: Check = (value) => {
  const problems: string[] = [];
  if (byteLength(value) > MAX_LABEL) problems.push(`must be no more than ${MAX_LABEL} characters`);
  if (LABEL_REGEX.test(value)) return problems;
  if (SUBDOMAIN_REGEX.test(value)) return [...problems, 'must not contain dots'];
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...problems, mismatch(message, LABEL, 'my-name', '123-abc')];
};

const SUBDOMAIN_MESSAGE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** For the names of most objects. */
export const dns1123Subdomain: Check = (value) => subdomain(value, 'characters');

/** The same check with the messages of declarative validation. */
export const longName: Check = (value) => subdomain(value, 'bytes');

/** The unit in the message: newer upstream packages say bytes. The count is always in bytes. */
type LengthUnit = 'characters' | 'bytes';

function subdomain(value: string, unit: LengthUnit): string[] {
  const problems: string[] = [];
  if (byteLength(value) > MAX_SUBDOMAIN) problems.push(`must be no more than ${MAX_SUBDOMAIN} ${unit}`);
  if (!SUBDOMAIN_REGEX.test(value)) problems.push(mismatch(SUBDOMAIN_MESSAGE, SUBDOMAIN, 'example.com'));
  return problems;
}

/** For Services and API versions. */
export const dns1035Label: Check = (value) => {
  const problems: string[] = [];
  if (byteLength(value) > MAX_LABEL) problems.push(`must be no more than ${MAX_LABEL} characters`);
  const message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  if (!DNS_1035_REGEX.test(value)) problems.push(mismatch(message, DNS_1035, 'my-name', 'abc-123'));
  return problems;
};

const KEY_MESSAGE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** For keys of labels and annotations, and other "qualified names": an optional DNS prefix, `/`, and a name. */
export const labelKey: Check = (value) => key(value, 'label key', 'bytes');

/** `labelKey` with the messages of Kubernetes before 1.35. */
export const qualifiedName: Check = (value) => key(value, 'qualified name', 'characters');

function key(value: string, noun: string, unit: LengthUnit): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a ${noun === 'label key' ? 'valid ' : ''}${noun} ${keyMessage()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) as string;
  const prefix = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined)
    append(
      problems,
      subdomain(prefix, unit).map((text) => `prefix part ${text}`),
    );
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > MAX_LABEL) problems.push(`name part must be no more than ${MAX_LABEL} ${unit}`);
  if (!KEY_REGEX.test(name)) problems.push(`name part ${keyMessage()}`);
  return problems;
}

function keyMessage(): string {
  return mismatch(KEY_MESSAGE, KEY, 'MyName', 'my.name', '123-abc');
}

export const labelValue: Check = (value) => valueOfLabel(value, 'bytes');

/** `labelValue` with the messages of Kubernetes before 1.35. */
export const labelValueInCharacters: Check = (value) => valueOfLabel(value, 'characters');

function valueOfLabel(value: string, unit: LengthUnit): string[] {
  const problems: string[] = [];
  if (byteLength(value) > MAX_LABEL) problems.push(`must be no more than ${MAX_LABEL} ${unit}`);
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  if (!LABEL_VALUE_REGEX.test(value)) problems.push(mismatch(message, LABEL_VALUE, 'MyValue', 'my_value', '12345'));
  return problems;
}

/** Any segment of a REST path; accepts the empty string. */
export const pathSegmentName: Check = (value) => {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
};

/**
 * Replaces a trailing dash so that a `generateName` prefix can be checked as a name. Like upstream, also drops the byte
 * before the dash, even inside a character.
 */
export function maskTrailingDash(prefix: string): string {
  if (byteLength(prefix) < 2 || !prefix.endsWith('-')) return prefix;
  const beforeDash = prefix.slice(0, -1);
  const last = [...beforeDash.slice(-2)].at(-1) as string;
  return byteLength(last) === 1 ? `${beforeDash.slice(0, -1)}a` : `${beforeDash.slice(0, -last.length)}\ufffda`;
}
