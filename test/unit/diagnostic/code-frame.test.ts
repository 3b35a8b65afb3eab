// Frames as users see them: caret position, widths of tabs and wide characters, cuts of long lines.
import { describe, expect, it } from 'vitest';
import { excerptFrame } from '../../../src/diagnostic/code-frame.ts';

function frame(lines: readonly string[], line: number, start: number, end: number, width = 60, endLine = line): string {
  const place = { startLine: line, startColumn: start, endLine, endColumn: end };
  return excerptFrame(place, { firstLine: 8, lines }, width).join('\n');
}

describe('code frame', () => {
  it('puts the caret under the value', () => {
    expect(frame(['spec:', '  replicas: 12', '  selector:'], 9, 13, 15)).toBe(
      ['   8 | spec:', '>  9 |   replicas: 12', '     |             ^^', '  10 |   selector:'].join('\n'),
    );
  });

  it('measures tabs', () => {
    expect(frame(['\ta: b'], 8, 5, 6)).toBe(['> 8 |     a: b', '    |        ^'].join('\n'));
  });

  it('measures wide and combining characters', () => {
    expect(frame(['名: 値x'], 8, 4, 5)).toBe(['> 8 | 名: 値x', '    |     ^^'].join('\n'));
    expect(frame(['e\u0301x: 1'], 8, 3, 4)).toBe(['> 8 | e\u0301x: 1', '    |  ^'].join('\n'));
  });

  it('cuts long lines around the caret', () => {
    const line = `${'a'.repeat(100)}HERE${'b'.repeat(100)}`;
    const [source, caret] = frame([line], 8, 101, 105, 40).split('\n') as [string, string];
    expect(source.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE');
    expect(source).toMatch(/^> 8 \| …a+HEREb+…$/);
    expect(source.length).toBeLessThanOrEqual(40);
  });

  it('cuts the end of long lines when the caret is near the beginning', () => {
    const [source] = frame([`key: ${'v'.repeat(100)}`], 8, 1, 4, 40).split('\n') as [string];
    expect(source).toMatch(/^> 8 \| key: v+…$/);
  });

  it('marks every line of a range and points to its beginning', () => {
    expect(frame(['a: |', '  b', '  c', 'd: 1'], 8, 4, 4, 60, 10)).toBe(
      ['>  8 | a: |', '     |    ^', '>  9 |   b', '> 10 |   c', '  11 | d: 1'].join('\n'),
    );
  });

  it('shows hostile characters as escapes', () => {
    expect(frame(['a: ##[error]x'], 8, 1, 2)).not.toContain('##[');
    expect(frame(['a: \u001b[31m\u202e'], 8, 1, 2)).toContain('a: \\u001b[31m\\u202e');
  });
});
