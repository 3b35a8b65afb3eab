import { describe, expect, it } from 'vitest';
import {
  compareSemanticVersions,
  formatSemanticVersion,
  normalizeSemanticVersion,
  parseSemanticVersion,
  type SemanticVersion,
} from '../../../../src/go/semver/semantic-version.ts';

function version(text: string): SemanticVersion {
  const parsed = parseSemanticVersion(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

it('orders versions like semver.org, without build metadata', () => {
  const ascending = [
    '0.9.9',
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0',
    '1.0.1',
  ];
  for (const [index, text] of ascending.entries()) {
    for (const [other, otherText] of ascending.entries()) {
      expect(compareSemanticVersions(version(text), version(otherText))).toBe(Math.sign(index - other));
    }
  }
  expect(compareSemanticVersions(version('1.0.0+a'), version('1.0.0+b'))).toBe(0);
});

it('formats a version as it was parsed', () => {
  for (const text of ['1.2.3', '1.2.3-a.1', '1.2.3+b.01', '1.2.3-0-+-']) {
    expect(formatSemanticVersion(version(text))).toBe(text);
  }
});

describe('parseSemanticVersion', () => {
  it.each([
    ['', 'Version string empty'],
    ['1.2', 'No Major.Minor.Patch elements found'],
    ['a.1.2', 'Invalid character(s) found in major number "a"'],
    ['01.1.2', 'Major number must not contain leading zeroes "01"'],
    ['1.2.3.4', 'Invalid character(s) found in patch number "3.4"'],
    ['1..2', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['18446744073709551616.0.0', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
    ['1.2.3-', 'Prerelease is empty'],
    ['1.2.3-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ['1.2.3-é', 'Invalid character(s) found in prerelease "é"'],
    ['1.2.3+', 'Build meta data is empty'],
    ['1.2.3+a_b', 'Invalid character(s) found in build meta data "a_b"'],
  ])('rejects %j', (text, error) => {
    expect(parseSemanticVersion(text)).toEqual({ error });
  });
});

describe('normalizeSemanticVersion', () => {
  it.each([
    ['v1.02.003', '1.2.3'],
    ['1', '1.0.0'],
    ['1.2', '1.2.0'],
    ['00.01.x', '0.1.x'],
    ['1.2.03-x', '1.2.3-x'],
    ['vv1', '0v1.0.0'],
  ])('%s becomes %s', (text, normalized) => {
    expect(normalizeSemanticVersion(text)).toBe(normalized);
  });

  it('rejects metadata in short versions', () => {
    expect(normalizeSemanticVersion('1.2-x')).toEqual({
      error: 'short version cannot contain PreRelease/Build meta data',
    });
  });
});
