// Display of issues: sorted, with source line and caret.
import { describe, expect, it } from 'vitest';
import { displayIssues } from '../../../../src/cel/issue/display-issues.ts';
import { type Issue, NO_PLACE } from '../../../../src/cel/issue/issue.ts';

function issue(offset: number, message = 'm'): Issue {
  return { kind: 'check', offset, message };
}

describe('displayIssues', () => {
  it.each([
    ['a + b', [issue(4)], 'ERROR: <input>:1:5: m\n | a + b\n | ....^'],
    ['a +\n\tb', [issue(5)], 'ERROR: <input>:2:2: m\n |  b\n | .^'],
    ['é😀 + b', [issue(5)], 'ERROR: <input>:1:6: m\n | é😀 + b\n | ．．...^'],
    ['a + é', [issue(4)], 'ERROR: <input>:1:5: m\n | a + é\n | ....＾'],
    ['a +', [issue(3)], 'ERROR: <input>:1:4: m\n | a +\n | ...^'],
    ['', [issue(-1)], 'ERROR: <input>:1:0: m'],
    ['a', [issue(-1)], 'ERROR: <input>:1:0: m\n | a\n | ^'],
    ['a', [issue(NO_PLACE)], 'ERROR: <input>:-1:0: m'],
    ['a\r\nb', [issue(3)], 'ERROR: <input>:2:1: m\n | b\n | ^'],
  ])('%j', (text, issues, expected) => {
    expect(displayIssues(text, issues)).toBe(expected);
  });

  it('sorts by location and keeps the order of issues at the same location', () => {
    const shown = displayIssues('ab\nc', [issue(3, 'c'), issue(1, 'b'), issue(0, 'a'), issue(1, 'b2')]);
    expect(shown.match(/m?: \w+$/gm)).toEqual([': a', ': b', ': b2', ': c']);
  });

  it('shows the first hundred and counts the rest', () => {
    const shown = displayIssues(
      'a',
      Array.from({ length: 130 }, () => issue(0)),
    ).split('\n');
    expect(shown).toHaveLength(301);
    expect(shown.at(-1)).toBe('30 more errors were truncated');
  });

  it('omits lines that are too long', () => {
    expect(displayIssues('é'.repeat(8_193), [issue(1)])).toBe('ERROR: <input>:1:2: m');
    expect(displayIssues('é'.repeat(8_192), [issue(1)])).toContain('\n | ．＾');
  });
});
