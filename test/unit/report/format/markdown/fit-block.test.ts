// Nested texts fitted into a byte limit: fully, partly, not at all.
import { expect, test } from 'vitest';
import { type Block, fitBlock } from '../../../../../src/report/format/markdown/fit-block.ts';

const inner = (head: string, items: readonly string[]): Block => ({ head, items, foot: ')', more: () => '' });
const list: Block = {
  head: '[',
  items: [inner('a(', ['1', '2', '3']), inner('b(', ['ß', '5'])],
  foot: ']',
  more: (rest) => `+${rest}`,
};

test.each([
  [100, '[a(123)b(ß5)]', 5],
  [16, '[a(123)b(ß5)]', 5],
  [15, '[a(123)b(ß)+1]', 4],
  [13, '[a(123)+2]', 3],
  [9, '[a(12)+3]', 2],
  [8, '[a(1)+4]', 1],
  [7, '[+5]', 0],
  [4, '[+5]', 0],
  [3, '', 0],
])('%i bytes', (limit, text, shown) => {
  expect(fitBlock(list, limit)).toEqual({ text, shown });
});
