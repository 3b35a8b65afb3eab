import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  formatVersion,
  isAtLeast,
  isSupportedVersion,
  parseKubernetesVersion,
  previousVersion,
} from '../../../../src/kubernetes/api/version.ts';

describe('parseKubernetesVersion', () => {
  it.each([
    ['1.36', { major: 1, minor: 36 }],
    ['v1.36', { major: 1, minor: 36 }],
    ['1.36.3', { major: 1, minor: 36 }],
    ['v1.31.4-gke.1183000', { major: 1, minor: 31 }],
    ['v1.30.5+k3s1', { major: 1, minor: 30 }],
    ['1', undefined],
    ['1.', undefined],
    ['1.36.', undefined],
    ['1.36 ', undefined],
    ['latest', undefined],
    ['1.9999', undefined],
  ])('%s', (text, version) => {
    expect(parseKubernetesVersion(text)).toEqual(version);
  });
});

describe('comparison', () => {
  it('compares major, then minor', () => {
    expect(compareVersions({ major: 1, minor: 9 }, { major: 1, minor: 30 })).toBeLessThan(0);
    expect(compareVersions({ major: 2, minor: 0 }, { major: 1, minor: 99 })).toBeGreaterThan(0);
    expect(compareVersions({ major: 1, minor: 36 }, { major: 1, minor: 36 })).toBe(0);
  });

  it('compares with a release as text', () => {
    expect(isAtLeast({ major: 1, minor: 30 }, '1.30')).toBe(true);
    expect(isAtLeast({ major: 1, minor: 29 }, '1.30')).toBe(false);
  });
});

it('supports 1.28 to 1.37', () => {
  const supported = [27, 28, 36, 37, 38].filter((minor) => isSupportedVersion({ major: 1, minor }));
  expect(supported).toEqual([28, 37 - 1, 37]);
});

it('returns the previous release', () => {
  expect(formatVersion(previousVersion({ major: 1, minor: 36 }))).toBe('1.35');
});
