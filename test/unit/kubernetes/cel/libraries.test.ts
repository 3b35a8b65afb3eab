// Results of Kubernetes' CEL functions, including errors.
import { describe, expect, it } from 'vitest';
import { answer, release } from '../../../support/kubernetes-cel.ts';

const NO_OVERLOAD = 'no such overload';

function table(name: string, rows: readonly (readonly [text: string, answer: unknown])[]): void {
  describe(name, () => {
    it.each(rows)('%s', (text, expected) => {
      expect(answer(text)).toEqual(expected);
    });
  });
}

table('lists', [
  ['[1, 2, 2].isSorted()', true],
  ["['b', 'a'].isSorted()", false],
  ["[dyn(1), dyn('a')].isSorted()", true],
  ['[dyn(1), dyn(null)].isSorted()', NO_OVERLOAD],
  ['[].sum()', 0n],
  ['[1u, 2u].sum()', { uint: 3n }],
  ['[9223372036854775807, 1].sum()', 'integer overflow'],
  ["[dyn(1), dyn('a')].sum()", NO_OVERLOAD],
  ['[2.5, 1.5].min()', 1.5],
  ['[1, 3, 2].max()', 3n],
  ['[].max()', 'max called on empty list'],
  ['[1, 2, 1].indexOf(1)', 0n],
  ['[1, 2, 1].lastIndexOf(1)', 2n],
  ['[dyn(1)].indexOf(dyn(1.0))', 0n],
  ['[1].indexOf(2)', -1n],
]);

table('regex', [
  ["'abc 123'.find('[0-9]+')", '123'],
  ["'abc'.find('[0-9]+')", ''],
  ["'1 22 3'.findAll('[0-9]+')", ['1', '22', '3']],
  ["'1 22 3'.findAll('[0-9]+', 2)", ['1', '22']],
  ["'1 22 3'.findAll('[0-9]+', 0)", []],
  ["'a'.find('(')", 'error parsing regexp: missing closing ): `(`'],
  ["['('].map(p, 'a'.find(p))", 'Illegal regex: error parsing regexp: missing closing ): `(`'],
  ["dyn(1).find('a')", NO_OVERLOAD],
]);

table('urls', [
  ["url('https://h:1/p?a=b').getHost()", 'h:1'],
  ["url('/p?a=b&a=c').getQuery()", { a: ['b', 'c'] }],
  ["url('../p')", 'URL parse error during conversion from string: parse "../p": invalid URI for request'],
  ["isURL('/p')", true],
  ["isURL('p')", false],
  ["url('/a#b') == url('/a#b')", true],
  ["dyn(url('/a')) == dyn('/a')", NO_OVERLOAD],
]);

table('quantity', [
  ["quantity('1.5Gi')", '1536Mi'],
  ["quantity('1,5')", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ["isQuantity('1K')", false],
  ["quantity('50k').add(20)", '50020'],
  ["quantity('50k').sub(quantity('1'))", '49999'],
  ["quantity('1Gi').isGreaterThan(quantity('1G'))", true],
  ["quantity('1').compareTo(quantity('1000m'))", 0n],
  ["quantity('1500m').asInteger()", 'cannot convert value to integer'],
  ["quantity('1500m').asApproximateFloat()", 1.5],
  ["sign(quantity('-1'))", -1n],
  ["quantity('1.5Gi') == quantity('1536Mi')", true],
  ["quantity('1').add(1) == quantity('2')", true],
  ["quantity('2') == quantity('1').add(1)", NO_OVERLOAD],
  ["quantity('2') != quantity('1').add(1)", true],
  ["[quantity('2')] == [quantity('1').add(2)]", true],
  ["[quantity('5')].map(q, [q.compareTo(quantity('99999999999999999999')) == -1, q.isInteger()])", [[true, false]]],
  ["[quantity('10000000000000000000')].map(q, q.add(q).compareTo(q))", [0n]],
]);

table('ip', [
  ["string(ip('2001:DB8::1'))", '2001:db8::1'],
  ["ip.isCanonical('2001:DB8::1')", false],
  ["ip('fe80::1').isLinkLocalUnicast()", true],
  ["ip('10.0.0.1').family()", 4n],
  ["ip('x')", 'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP'],
  ["ip('fe80::1%eth0')", 'IP address "fe80::1%eth0" with zone value is not allowed'],
  ["ip('::ffff:1.2.3.4')", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
  ["type(ip('::1')) == net.IP", true],
  ["ip('::1').foo", "type 'net.IP' does not support field selection"],
]);

table('cidr', [
  ["cidr('10.0.0.0/8').containsIP('10.1.1.1')", true],
  ["cidr('10.0.0.0/8').containsIP(ip('11.1.1.1'))", false],
  ["cidr('10.0.0.0/8').containsIP('x')", NO_OVERLOAD],
  ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", true],
  ["cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", false],
  ["string(cidr('10.1.2.3/8').masked())", '10.0.0.0/8'],
  ["cidr('10.1.2.3/8').ip() == ip('10.1.2.3')", true],
  ["cidr('10.1.2.3/8') == cidr('10.0.0.0/8')", false],
  [
    "cidr('x')",
    'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x"): no \'/\'',
  ],
]);

table('format', [
  ["format.dns1123Label().validate('my-name')", { optional: undefined }],
  ["format.dns1123Label().validate('a.b').value()", ['must not contain dots']],
  ["format.dns1123LabelPrefix().validate('my-').hasValue()", false],
  ["format.named('uuid').value().validate('x').value()", ['does not match the UUID format']],
  ["format.named('nope').hasValue()", false],
  ["format.byte().validate('').value()", ['invalid base64']],
  ["format.date().validate('2024-02-29').hasValue()", false],
  ["format.date().validate('2023-02-29').value()", ['invalid date']],
  ["format.datetime().validate('2023-01-01t23:59:59z').hasValue()", false],
  ["format.datetime().validate('2023-01-01T24:00:00Z').value()", ['invalid datetime']],
  ["format.uri().validate('x').value()", ['parse "x": invalid URI for request']],
  ["format.uri() == format.named('uri').value()", true],
]);

table('semver', [
  ["semver('1.2.3').minor()", 2n],
  ["semver('v01.2', true)", '1.2.0'],
  ["isSemver('v1.2.3')", false],
  ["isSemver('v1', true)", true],
  ["semver('1.0.0-rc').isLessThan(semver('1.0.0'))", true],
  ["semver('1.0.0+a') == semver('1.0.0+b')", true],
  ["semver('18446744073709551615.0.0').major()", -1n],
  ["semver('1')", 'No Major.Minor.Patch elements found'],
]);

describe('changes by release', () => {
  it.each([
    ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", '1.31', false],
    ["cidr('10.0.0.0/8').containsCIDR('10.0.0.0/16')", '1.31', true],
    ["[quantity('10000000000000000000')].map(q, q.add(q).compareTo(q))", '1.37', [1n]],
    ['[1, 2].includes(2)', '1.37', true],
    ["'a'.includes('b')", '1.37', false],
    ["isURL('http://a:1:2/')", '1.35', true],
    ["isURL('http://a:1:2/')", '1.36', false],
    [`format.labelValue().validate('${'a'.repeat(64)}').value()`, '1.34', ['must be no more than 63 characters']],
    [`format.labelValue().validate('${'a'.repeat(64)}').value()`, '1.35', ['must be no more than 63 bytes']],
  ])('%s in %s', (text, version, expected) => {
    expect(answer(text, release(version))).toEqual(expected);
  });
});
