import { describe, expect, it } from 'vitest';
import { DYN } from '../../../../src/cel/check/type.ts';
import { DEFAULT_VERSION } from '../../../../src/kubernetes/api/version.ts';
import { evaluateKubernetes, release } from '../../../support/kubernetes-cel.ts';

describe('cost of calls', () => {
  it.each([
    ["quantity('12345678901')", 2],
    ["quantity('1').add(quantity('2')).isLessThan(quantity('3'))", 5],
    ["ip('2001:db8::1')", 2],
    ["ip('2001:db8::1') == ip('2001:db8::1')", 5],
    ["ip.isCanonical('10.0.0.100')", 2],
    ["cidr('10.0.0.0/8').ip()", 2],
    ["cidr('10.0.0.0/8').containsIP('10.0.0.100')", 3],
    ["cidr('10.0.0.0/8').containsCIDR('10.0.0.0/16')", 6],
    ["url('https://example.com/')", 2],
    ["'abcdefghij'.find('[a-z]+')", 4],
    ["'abcdefghij'.lowerAscii()", 1],
    ["'abcdefghij'.replace('a', 'b')", 2],
    ["['abcdefghij', 'klmnopqrst'].join()", 4],
    ["['abcdefghij', 'abc'].isSorted()", 1],
    ["format.dns1123Label().validate('abcdefghij')", 17],
    ["format.named('uri')", 1],
    ["semver('1.2.3').major()", 2],
    ['sets.contains([1, 2], [1])', 3],
    ['[3, 1, 2].sort()', 29],
  ])('%s: %i', (text, cost) => {
    expect(evaluateKubernetes(text).cost).toBe(cost);
  });

  it('depends only on the name of the function', () => {
    const object = { name: 'object', type: DYN, value: 'a text of more than ten characters' };
    expect(evaluateKubernetes("object.indexOf('z')", DEFAULT_VERSION, [object]).cost).toBe(4);
    expect(evaluateKubernetes('object.sum()', DEFAULT_VERSION, [object]).cost).toBe(4);
  });

  it("used cel-go's prices before 1.32", () => {
    expect(evaluateKubernetes("quantity('12345678901')", release('1.31')).cost).toBe(1);
    expect(evaluateKubernetes("'abcdefghij'.replace('a', 'b')", release('1.31')).cost).toBe(1);
    expect(evaluateKubernetes('sets.contains([1, 2], [1])', release('1.31')).cost).toBe(3);
  });
});
