// The names that help shows are those of the reporters, in one order.
import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/format/format-names.ts';
import { reporters } from '../../src/report/format/reporters.ts';

test('every format is found by the name it gives itself', () => {
  expect([...reporters.keys()]).toEqual(FORMAT_NAMES);
  expect([...reporters.values()].map(({ name }) => name)).toEqual(FORMAT_NAMES);
});
