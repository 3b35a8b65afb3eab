// Line hashes equal those of github/codeql-action, which produced the expected values.
import { expect, test } from 'vitest';
import { lineHashes } from '../../../../src/report/location/line-hash.ts';

test.each([
  ['the empty text has one line', '', ['c129715d7a2bc9a3:1']],
  [
    'spaces and tabs do not count',
    ' a\nb\n  \t\tc\n d',
    ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1'],
  ],
  [
    'every kind of line ending is one',
    ' hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n',
    [
      'e9496ae3ebfced30:1',
      'fb7c023a8b9ccb3f:1',
      'ce8ba1a563dcdaca:1',
      'e20e36e16fcb0cc8:1',
      'b3edc88f2938467e:1',
      'c8e28b0b4002a3a0:1',
      'c129715d7a2bc9a3:1',
    ],
  ],
  [
    'equal lines are numbered',
    'Lorem ipsum dolor sit amet.\n'.repeat(10),
    [
      'a7f2ff13bc495cf2:1',
      'a7f2ff13bc495cf2:2',
      'a7f2ff13bc495cf2:3',
      'a7f2ff13bc495cf2:4',
      'a7f2ff13bc495cf2:5',
      'a7f2ff13bc495cf2:6',
      'a7f2ff1481e87703:1',
      'a9cf91f7bbf1862b:1',
      '55ec222b86bcae53:1',
      'cc97dc7b1d7d8f7b:1',
      'c129715d7a2bc9a3:1',
    ],
  ],
])('%s', (_title, text, expected) => {
  const hashes = lineHashes(text);
  expect(Array.from({ length: hashes.count }, (_, index) => hashes.of(index + 1))).toEqual(expected);
  expect([hashes.of(0), hashes.of(expected.length + 1)]).toEqual([undefined, undefined]);
});
