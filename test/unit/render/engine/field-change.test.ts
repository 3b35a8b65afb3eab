// The deciding step of a field: the longest path, and the last step for equal paths.
import { expect, test } from 'vitest';
import { changesBelow, decidingChange } from '../../../../src/render/engine/field-change.ts';
import type { FieldChange } from '../../../../src/render/engine/render-request.ts';

const CHANGES: readonly FieldChange[] = [
  { step: 0, path: ['spec'] },
  { step: 3, path: ['spec', 'paused'], removed: true },
  { step: 1, path: ['spec', 'containers', 0] },
  { step: 2, path: ['spec', 'containers', 0, 'image'] },
];

test.each([
  [['metadata', 'name'], undefined],
  [['spec'], 0],
  [['spec', 'replicas'], 0],
  [['spec', 'paused'], 3],
  [['spec', 'containers', 0, 'args', 1], 1],
  [['spec', 'containers', 0, 'image'], 2],
  [['spec', 'containers', 1, 'image'], 0],
] as const)('%j was decided by step %s', (path, step) => {
  expect(decidingChange(CHANGES, path)?.step).toBe(step);
});

test('changes below a field', () => {
  expect(changesBelow(CHANGES, ['spec', 'containers']).map(({ step }) => step)).toEqual([1, 2]);
});
