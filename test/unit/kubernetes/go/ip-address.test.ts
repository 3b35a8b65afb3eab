import { describe, expect, it } from 'vitest';
import {
  formatIpAddress,
  formatIpPrefix,
  type IpAddress,
  type IpPrefix,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  maskedPrefix,
  parseIpAddress,
  parseIpPrefix,
  prefixContains,
  prefixesOverlap,
} from '../../../../src/go/net/ip-address.ts';

function address(text: string): IpAddress {
  const parsed = parseIpAddress(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

function prefix(text: string): IpPrefix {
  const parsed = parseIpPrefix(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

describe('addresses', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::', '::'],
    ['1::', '1::'],
    ['::1.2.3.4', '::102:304'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
  ])('%s is written %s', (text, canonical) => {
    expect(formatIpAddress(address(text))).toBe(canonical);
  });

  it.each([
    ['', 'ParseAddr(""): unable to parse IP'],
    ['%x', 'ParseAddr("%x"): missing IPv6 address'],
    ['1.2.3', 'ParseAddr("1.2.3"): IPv4 address too short'],
    ['1.2.3.4.5', 'ParseAddr("1.2.3.4.5"): IPv4 address too long'],
    ['1..2.3', 'ParseAddr("1..2.3"): IPv4 field must have at least one digit (at ".2.3")'],
    ['01.2.3.4', 'ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero'],
    ['1.2.3.256', 'ParseAddr("1.2.3.256"): IPv4 field has value >255'],
    ['1.2.é', 'ParseAddr("1.2.é"): unexpected character (at "é")'],
    [':1', 'ParseAddr(":1"): each colon-separated field must have at least one digit (at ":1")'],
    ['1:2', 'ParseAddr("1:2"): address string too short'],
    ['1:', 'ParseAddr("1:"): colon must be followed by more characters (at ":")'],
    ['1::2::3', 'ParseAddr("1::2::3"): multiple :: in address (at ":3")'],
    ['12345::', 'ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")'],
    ['1:2:3:4:5:6:7::8', 'ParseAddr("1:2:3:4:5:6:7::8"): the :: must expand to at least one field of zeros'],
    ['1:2:3:4:5:6:7:8:9', 'ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")'],
    ['::1%', 'ParseAddr("::1%"): zone must be a non-empty string'],
    [
      '1:1.2.3.4',
      'ParseAddr("1:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")',
    ],
  ])('rejects %j', (text, error) => {
    expect(parseIpAddress(text)).toEqual({ error });
  });

  it.each([
    ['0.0.0.0', isUnspecified, true],
    ['::', isUnspecified, true],
    ['127.9.9.9', isLoopback, true],
    ['::1', isLoopback, true],
    ['::2', isLoopback, false],
    ['169.254.0.1', isLinkLocalUnicast, true],
    ['febf::1', isLinkLocalUnicast, true],
    ['224.0.0.9', isLinkLocalMulticast, true],
    ['ff12::1', isLinkLocalMulticast, true],
    ['224.0.1.0', isLinkLocalMulticast, false],
    ['10.0.0.1', isGlobalUnicast, true],
    ['255.255.255.255', isGlobalUnicast, false],
    ['239.0.0.1', isGlobalUnicast, false],
  ])('%s %o', (text, predicate, holds) => {
    expect(predicate(address(text))).toBe(holds);
  });
});

describe('prefixes', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['10.1.2.3/31', '10.1.2.2/31'],
    ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
    ['::1/128', '::1/128'],
  ])('%s masked is %s', (text, masked) => {
    expect(formatIpPrefix(maskedPrefix(prefix(text)))).toBe(masked);
  });

  it.each([
    ['10.0.0.0', 'netip.ParsePrefix("10.0.0.0"): no \'/\''],
    ['x/1', 'netip.ParsePrefix("x/1"): ParseAddr("x"): unable to parse IP'],
    ['10.0.0.0/33', 'netip.ParsePrefix("10.0.0.0/33"): prefix length out of range'],
    ['10.0.0.0/08', 'netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"'],
    ['10.0.0.0/', 'netip.ParsePrefix("10.0.0.0/"): bad bits after slash: ""'],
    ['fe80::%a/1', 'netip.ParsePrefix("fe80::%a/1"): IPv6 zones cannot be present in a prefix'],
  ])('rejects %s', (text, error) => {
    expect(parseIpPrefix(text)).toEqual({ error });
  });

  it('contain and overlap only within one address family', () => {
    expect(prefixContains(prefix('10.1.0.0/8'), address('10.200.0.1'))).toBe(true);
    expect(prefixContains(prefix('0.0.0.0/0'), address('::1'))).toBe(false);
    expect(prefixesOverlap(prefix('10.0.0.0/8'), prefix('10.9.0.0/16'))).toBe(true);
    expect(prefixesOverlap(prefix('10.0.0.0/16'), prefix('10.9.0.0/16'))).toBe(false);
    expect(prefixesOverlap(prefix('::/0'), prefix('0.0.0.0/0'))).toBe(false);
  });
});
