// The format names in the help match the reporters, in the same order.
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/format/format-names.ts';
import { reporters } from '../../src/report/format/reporters.ts';

test('every format is found by its own name', () => {
  expect([...reporters.keys()]).toEqual(FORMAT_NAMES);
  expect([...reporters.values()].map(({ name }) => name)).toEqual(FORMAT_NAMES);
});
