// Lines and columns of offsets, on short lines and on lines of a whole file.
import { describe, expect, it } from 'vitest';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

describe('positionAt', () => {
  it('counts lines after every kind of line ending', () => {
    const file = new SourceFile('a.yaml', 'a\r\nb\rc\nd');
    expect([0, 3, 5, 7, 99].map((offset) => file.positionAt(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 4, column: 2 },
    ]);
  });

  it('counts columns in code points, wherever surrogate pairs are in a long line', () => {
    const line = `${'a'.repeat(1023)}${'😀'.repeat(3000)}\ud83d`;
    const file = new SourceFile('a.json', `é😀\n${line}\n`);
    const offsets = [0, 1023, 1024, 1025, 2047, 5000, 7022, 7023, 7024];
    const expected = offsets.map((offset) => ({ line: 2, column: [...line.slice(0, offset)].length + 1 }));
    expect(offsets.map((offset) => file.positionAt(4 + offset))).toEqual(expected);
  });
});

describe('lineText', () => {
  it('omits line endings', () => {
    const file = new SourceFile('a.yaml', 'a\r\nb\rc\n');
    expect([1, 2, 3, 4, 5].map((line) => file.lineText(line))).toEqual(['a', 'b', 'c', '', '']);
  });
});
