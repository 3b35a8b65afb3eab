import { describe, expect, it } from 'vitest';
import {
  compareLevels,
  formatLevelVersion,
  isEquivalent,
  parsePodSecurityLevel,
  parsePodSecurityVersion,
  podSecurityVersion,
} from '../../../../src/kubernetes/pod-security/level-version.ts';

describe('parsePodSecurityVersion', () => {
  it.each(['latest', 'v1.0', 'v1.9', 'v1.36', 'v1.9223372036854775807'])('reads %s', (text) => {
    expect(parsePodSecurityVersion(text)?.text).toBe(text);
  });

  it.each([
    '',
    'Latest',
    '1.36',
    'v1.036',
    'v1',
    'v2.0',
    'v1.36.0',
    'v1.36\n',
    ' v1.36',
    'v1.-1',
    'v1.9223372036854775808',
    'v1.99999999999999999999',
  ])('refuses %j', (text) => {
    expect(parsePodSecurityVersion(text)).toBeUndefined();
  });
});

describe('levels', () => {
  it('are three lower-case names', () => {
    expect(parsePodSecurityLevel('baseline')).toBe('baseline');
    expect(parsePodSecurityLevel('Baseline')).toBeUndefined();
    expect(parsePodSecurityLevel('')).toBeUndefined();
  });

  it('are ordered', () => {
    expect(compareLevels('privileged', 'baseline')).toBeLessThan(0);
    expect(compareLevels('restricted', 'baseline')).toBeGreaterThan(0);
    expect(compareLevels('baseline', 'baseline')).toBe(0);
  });

  it('are equivalent across versions only without checks', () => {
    const [old, young] = [podSecurityVersion(20), podSecurityVersion(30)];
    expect(isEquivalent({ level: 'privileged', version: old }, { level: 'privileged', version: young })).toBe(true);
    expect(isEquivalent({ level: 'baseline', version: old }, { level: 'baseline', version: young })).toBe(false);
    expect(isEquivalent({ level: 'baseline', version: old }, { level: 'baseline', version: old })).toBe(true);
    expect(formatLevelVersion({ level: 'restricted', version: young })).toBe('restricted:v1.30');
  });
});
