// `x509_decode`: decodes certificates and certificate requests (Go `crypto/x509` as JSON).
import { canonicalBase64 } from '../../../../go/encoding/base64.ts';
import { fromByteString } from '../../../../go/strings/byte-string.ts';
import { formatRfc3339 } from '../../../../go/time/time.ts';
import { parseTime } from '../../../../go/time/time-layout.ts';
import type { JsonObject, JsonValue } from '../../../../source/json/json.ts';
import { PartialObject } from '../partial-object.ts';
import { SearchError, searchFailure } from '../search-error.ts';
import {
  BIT_STRING,
  CONTEXT_0,
  type DerElement,
  INTEGER,
  integerOf,
  membersOf,
  objectIdentifierOf,
  readElements,
  SET,
} from './der.ts';
import { type QueryFunction, textAt } from './function-table.ts';

export const CERTIFICATE_FUNCTIONS: readonly QueryFunction[] = [
  {
    name: 'x509_decode',
    parameters: [['string']],
    handler: (values, { budget }) => {
      const text = textAt(values, 0);
      budget.spend(100 + text.length);
      return decodeCertificate(text);
    },
  },
];

const UNREAD = 'an unsupported part of a certificate';

/** Throws a SearchError if the text is not a certificate. */
export function decodeCertificate(text: string): JsonObject {
  const block = pemBlock(text);
  if (block === undefined) throw searchFailure('failed to decode PEM block');
  const [whole] = readElements(block.bytes) ?? [];
  const [body] = membersOf(whole) ?? [];
  const members = membersOf(body);
  if (block.type === 'CERTIFICATE') return certificate(members);
  if (block.type === 'CERTIFICATE REQUEST') return request(members);
  throw searchFailure('PEM block neither contains a CERTIFICATE or CERTIFICATE REQUEST');
}

const PEM = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*\n([A-Za-z0-9+/=\s]*?)-----END \1-----[ \t\r]*(?:\n|$)/;

/** The first PEM block. Blocks with headers are not supported. */
function pemBlock(text: string): { readonly type: string; readonly bytes: string } | undefined {
  const [, type = '', body = ''] = PEM.exec(text) ?? [];
  if (type === '') return undefined;
  const data = canonicalBase64(body.replace(/[ \t]/g, ''));
  return typeof data === 'string' ? { type, bytes: atob(data) } : undefined;
}

/** Go's error for a malformed certificate is unknown here. */
function malformed(): never {
  throw new SearchError('unknown', 'a certificate that cannot be decoded');
}

function certificate(fields: readonly DerElement[] | undefined): JsonObject {
  const [first] = fields ?? [];
  const hasVersion = first?.tag === CONTEXT_0;
  const [serial, , issuer, validity, subject, key] = (fields ?? []).slice(hasVersion ? 1 : 0);
  if (serial?.tag !== INTEGER) return malformed();
  const [version] = hasVersion ? (readElements((first as DerElement).content) ?? []) : [];
  const [notBefore, notAfter] = membersOf(validity) ?? [];
  return new PartialObject(UNREAD, [
    ['PublicKey', rsaKey(key)],
    ['PublicKeyAlgorithm', 1],
    ['Version', version === undefined ? 1 : Number(integerOf(version)) + 1],
    ['SerialNumber', Number(integerOf(serial))],
    ['Issuer', nameOf(issuer)],
    ['Subject', nameOf(subject)],
    ['NotBefore', timeOf(notBefore)],
    ['NotAfter', timeOf(notAfter)],
  ]);
}

function request(fields: readonly DerElement[] | undefined): JsonObject {
  const [version, subject, key] = fields ?? [];
  if (version?.tag !== INTEGER) return malformed();
  return new PartialObject(UNREAD, [
    ['PublicKey', rsaKey(key)],
    ['PublicKeyAlgorithm', 1],
    ['Version', Number(integerOf(version))],
    ['Subject', nameOf(subject)],
  ]);
}

const RSA = '1.2.840.113549.1.1.1';

function rsaKey(info: DerElement | undefined): JsonObject {
  const [algorithm, bits] = membersOf(info) ?? [];
  const [identifier] = membersOf(algorithm) ?? [];
  if (identifier === undefined || bits?.tag !== BIT_STRING) return malformed();
  if (objectIdentifierOf(identifier).join('.') !== RSA) throw searchFailure('certificate should use rsa algorithm');
  // The first byte is the number of unused bits in the last byte: always 0.
  const [key] = readElements(bits.content.slice(1)) ?? [];
  const [modulus, exponent] = membersOf(key) ?? [];
  if (modulus?.tag !== INTEGER || exponent?.tag !== INTEGER) return malformed();
  return new Map<string, JsonValue>([
    ['N', integerOf(modulus).toString()],
    ['E', Number(integerOf(exponent))],
  ]);
}

/** Fields of Go's `pkix.Name` by the last number of their object identifier, 2.5.4.x. */
const LISTS: ReadonlyMap<number, string> = new Map([
  [6, 'Country'],
  [10, 'Organization'],
  [11, 'OrganizationalUnit'],
  [7, 'Locality'],
  [8, 'Province'],
  [9, 'StreetAddress'],
  [17, 'PostalCode'],
]);

function nameOf(element: DerElement | undefined): JsonObject {
  const sets = membersOf(element) ?? malformed();
  const name = new Map<string, JsonValue>([...LISTS.values()].map((key) => [key, null]));
  name.set('SerialNumber', '').set('CommonName', '');
  const names: JsonValue[] = [];
  for (const set of sets) {
    for (const attribute of membersOf(set, SET) ?? malformed()) {
      const [type, value] = membersOf(attribute) ?? [];
      if (type === undefined || value === undefined) return malformed();
      const identifier = objectIdentifierOf(type);
      const text = textOfBytes(value);
      names.push(
        new Map<string, JsonValue>([
          ['Type', [...identifier]],
          ['Value', text],
        ]),
      );
      if (identifier.length !== 4 || identifier.slice(0, 3).join('.') !== '2.5.4') continue;
      const last = identifier[3] as number;
      const list = LISTS.get(last);
      if (list !== undefined) name.set(list, [...((name.get(list) ?? []) as readonly JsonValue[]), text]);
      else if (last === 3) name.set('CommonName', text);
      else if (last === 5) name.set('SerialNumber', text);
    }
  }
  name.set('Names', names.length === 0 ? null : names);
  name.set('ExtraNames', null);
  return name;
}

/** Supports UTF8String, PrintableString, IA5String and NumericString. */
function textOfBytes({ tag, content }: DerElement): string {
  if (tag === 0x0c) return fromByteString(content);
  return tag === 0x13 || tag === 0x16 || tag === 0x12 ? content : malformed();
}

/** UTCTime has a two-digit year, GeneralizedTime a four-digit year. Both are in UTC. */
function timeOf(element: DerElement | undefined): string {
  if (element === undefined) return malformed();
  const isShort = element.tag === 0x17;
  const digits = isShort
    ? (Number(element.content.slice(0, 2)) >= 50 ? '19' : '20') + element.content
    : element.content;
  const time = parseTime('20060102150405Z07:00', digits);
  return 'error' in time ? malformed() : formatRfc3339(time);
}
