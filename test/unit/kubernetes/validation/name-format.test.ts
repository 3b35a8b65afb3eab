import { describe, expect, it } from 'vitest';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelKey,
  labelValue,
  labelValueInCharacters,
  maskTrailingDash,
  pathSegmentName,
  qualifiedName,
} from '../../../../src/kubernetes/validation/name-format.ts';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const KEY =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('names', () => {
  it.each([
    [dns1123Label, 'my-name', []],
    [dns1123Label, '1a', []],
    [dns1123Label, 'a.b', ['must not contain dots']],
    [dns1123Label, '', [LABEL]],
    [dns1123Label, 'A', [LABEL]],
    [dns1123Label, 'a\n', [LABEL]],
    [dns1123Label, 'a'.repeat(64), ['must be no more than 63 characters']],
    [dns1123Label, 'é'.repeat(32), ['must be no more than 63 characters', LABEL]],
    [dns1123Subdomain, 'a.b-c.d', []],
    [dns1123Subdomain, 'a..b', [SUBDOMAIN]],
    [dns1123Subdomain, 'a'.repeat(254), ['must be no more than 253 characters']],
    [labelKey, 'example.com/My_Name', []],
    [labelKey, '', ['name part must be non-empty', `name part ${KEY}`]],
    [labelKey, '/x', ['prefix part must be non-empty']],
    [labelKey, 'A/x', [`prefix part ${SUBDOMAIN}`]],
    [labelKey, 'a'.repeat(64), ['name part must be no more than 63 bytes']],
    [
      labelKey,
      'a/b/c',
      [`a valid label key ${KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    [
      qualifiedName,
      'a/b/c',
      [`a qualified name ${KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    [qualifiedName, 'a'.repeat(64), ['name part must be no more than 63 characters']],
    [labelValue, '', []],
    [labelValue, 'a'.repeat(64), ['must be no more than 63 bytes']],
    [labelValueInCharacters, 'a'.repeat(64), ['must be no more than 63 characters']],
    [dns1035Label, 'a1', []],
    [pathSegmentName, '', []],
    [pathSegmentName, '..', ["may not be '..'"]],
    [pathSegmentName, 'a/b%', ["may not contain '/'", "may not contain '%'"]],
  ])('%o %j', (check, value, problems) => {
    expect(check(value)).toEqual(problems);
  });

  it('describe DNS-1035 labels and label values', () => {
    expect(dns1035Label('1a')[0]).toMatch(
      /^a DNS-1035 label must consist of .* is '\[a-z\]\(\[-a-z0-9\]\*\[a-z0-9\]\)\?'\)$/,
    );
    expect(labelValue('-')[0]).toMatch(/^a valid label must be an empty string or consist of /);
  });

  it.each([
    ['a', 'a'],
    ['-', '-'],
    ['abc', 'abc'],
    ['abc-', 'aba'],
    ['--', 'a'],
  ])('checks prefix %s as %s', (prefix, name) => {
    expect(maskTrailingDash(prefix)).toBe(name);
  });
});
