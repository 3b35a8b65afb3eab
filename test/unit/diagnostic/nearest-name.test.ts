// Suggestions for misspelled names.
import { expect, it } from 'vitest';
import { nearestName } from '../../../src/diagnostic/nearest-name.ts';

const NAMES = ['include', 'exclude', 'fail-on', 'format', 'kubernetes-version'];

it.each([
  ['inlcude', 'include'],
  ['EXCLUDE', 'exclude'],
  ['failon', 'fail-on'],
  ['kubernets-version', 'kubernetes-version'],
  ['formta', 'format'],
  ['zzz', undefined],
  ['', undefined],
])('%s → %s', (written, meant) => {
  expect(nearestName(written, NAMES)).toBe(meant);
});
