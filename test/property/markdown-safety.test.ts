// Text of a repository stays text in Markdown and in logs, by simplified rules of GitHub's renderer and of the runner.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codeBlock,
  codeSpan,
  escapeHtmlText,
  escapeMarkdown,
  messageMarkdown,
  proseMarkdown,
  untabledCodeSpan,
} from '../../src/diagnostic/markdown.ts';
import { sanitizeLine, sanitizeText } from '../../src/diagnostic/sanitize.ts';
import { hostileText } from '../support/hostile-text.ts';
import { parseCommand } from '../support/runner.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(1000, 20261121);

const MARKUP = [
  ...[
    '[a](//x)',
    '![i](x)',
    '<img src=x>',
    '<!--',
    '**b**',
    '_e_',
    '~~s~~',
    '`c`',
    '```',
    '| c |',
    '\\|',
    '\\',
    '# h',
    '$x$',
  ],
  ...[
    '@octocat',
    '#123',
    'GH-123',
    'gh-1',
    'o/r#1',
    'http://x.y',
    'https:x',
    'www.x.y',
    'a@b.c',
    '1. ',
    '- ',
    '&lt;',
    '&#64;a',
  ],
];
const markupText = fc.oneof(
  hostileText,
  fc.array(fc.constantFrom(...MARKUP, ' ', 'x', '\n'), { maxLength: 10 }).map((pieces) => pieces.join('')),
);

describe('escapeMarkdown', () => {
  test('leaves no character that can start markup', () => {
    fc.assert(
      fc.property(markupText, (text) => {
        const escaped = escapeMarkdown(text);
        expect(escaped.replace(/\\[!-/:-@[-`{-~]|&(?:amp|lt|gt);/g, 'x')).not.toMatch(
          /[\n\r\\`*_{}[\]<>|~$&]|^\s*(?:[-+#]|\d+\.)\s/,
        );
      }),
      RUNS,
    );
  });

  test('leaves no pattern that GitHub searches for in the result', () => {
    fc.assert(
      fc.property(markupText, (text) => {
        const shown = rendered(escapeMarkdown(text));
        expect(shown).not.toMatch(/@[a-z0-9]|#\d|\bGH-\d|\b(?:https?|ftp|mailto):|\bwww\./i);
        expect(shown.replaceAll('\u200b', '')).toBe(sanitizeLine(text).replaceAll('\u200b', ''));
      }),
      RUNS,
    );
  });
});

describe('messageMarkdown', () => {
  test.each([
    ['see https://wiki.example.com/limits.', 'see <https://wiki.example.com/limits>.'],
    ['(https://a.example/x_y#z)', '\\(<https://a.example/x_y#z>\\)'],
    ['https://github.com/o/r/issues/1', escapeMarkdown('https://github.com/o/r/issues/1')],
    ['https://user@evil.example', escapeMarkdown('https://user@evil.example')],
    ['javascript:alert(1) ftp://a.example', escapeMarkdown('javascript:alert(1) ftp://a.example')],
  ])('writes %j', (text, written) => expect(messageMarkdown(text)).toBe(written));

  test('is escaped text, with links that show their target', () => {
    fc.assert(
      fc.property(markupText, (text) => {
        const rest = messageMarkdown(text).replace(/<https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.~:/?#!$&'*+,;=%-]*)?>/g, 'x');
        expect(rest.replace(/\\[!-/:-@[-`{-~]|&(?:amp|lt|gt);/g, 'x')).not.toMatch(
          /[\n\r\\`*_{}[\]<>|~$&]|^\s*(?:[-+#]|\d+\.)\s/,
        );
      }),
      RUNS,
    );
  });
});

describe('codeSpan', () => {
  test('contains only the text', () => {
    fc.assert(
      fc.property(markupText, (text) => {
        const span = codeSpan(text);
        const fence = /^`+/.exec(span)?.[0] as string;
        const inner = span.slice(fence.length, -fence.length);
        expect(span.endsWith(fence)).toBe(true);
        expect(inner.match(/`+/g) ?? []).not.toContain(fence);
        expect(/^`|`$|[\n\r]/.test(inner)).toBe(false);
        // An escaped pipe does not end a cell.
        expect(/(?:^|[^\\])\|/.test(inner)).toBe(false);
      }),
      RUNS,
    );
  });
});

describe('untabledCodeSpan', () => {
  test('contains only the unchanged text', () => {
    fc.assert(
      fc.property(markupText, (text) => {
        const span = untabledCodeSpan(text);
        const fence = /^`+/.exec(span)?.[0] as string;
        const inner = span.slice(fence.length, -fence.length);
        expect(span.endsWith(fence)).toBe(true);
        expect(inner.match(/`+/g) ?? []).not.toContain(fence);
        expect(inner.trim()).toBe(sanitizeLine(text).trim());
      }),
      RUNS,
    );
  });
});

describe('codeBlock', () => {
  test('ends only at its own fence', () => {
    fc.assert(
      fc.property(fc.array(markupText, { minLength: 1, maxLength: 5 }), (lines) => {
        const written = codeBlock(lines, 'yaml').split('\n');
        const fence = /^`{3,}(?=yaml$)/.exec(written[0] as string)?.[0] as string;
        expect(written).toHaveLength(lines.length + 3);
        expect(written.at(-2)).toBe(fence);
        for (const line of written.slice(1, -2)) expect(line).not.toContain(fence);
        expect(written.join('')).not.toMatch(/[\0-\x08\v-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u);
      }),
      RUNS,
    );
  });
});

describe('escapeHtmlText', () => {
  test('is one line without elements or patterns that GitHub searches for', () => {
    fc.assert(
      fc.property(markupText, (text) => {
        const escaped = escapeHtmlText(text);
        expect(escaped.replace(/&#\d+;/g, 'x')).not.toMatch(/[\n\r&<>"'`*_[\]\\|~$]/);
        const shown = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
        expect(shown).not.toMatch(/@[a-z0-9]|#\d|\bGH-\d|\b(?:https?|ftp|mailto):|\bwww\./i);
        expect(shown.replaceAll('\u200b', '')).toBe(sanitizeLine(text).replaceAll('\u200b', ''));
      }),
      RUNS,
    );
  });
});

describe('proseMarkdown', () => {
  test('has closed code spans, and no markup outside them', () => {
    fc.assert(
      fc.property(markupText, (text) => {
        const prose = proseMarkdown(text);
        const tokens = prose.match(/\\[!-~]|`[^`]+`|[^\\`]/g) ?? [];
        expect(tokens.join('')).toBe(prose);
        const outside = tokens.map((token) => (token.startsWith('`') ? 'x' : token)).join('');
        expect(outside.replace(/\\[!-/:-@[-`{-~]|&(?:amp|lt|gt);/g, 'x')).not.toMatch(
          /[\n\r\\`*_{}[\]<>|~$&]|^\s*(?:[-+#]|\d+\.)\s/,
        );
        expect(rendered(outside)).not.toMatch(/@[a-z0-9]|#\d|\bGH-\d|\b(?:https?|ftp|mailto):|\bwww\./i);
      }),
      RUNS,
    );
  });

  test('turns text between backquotes into code', () => {
    expect(proseMarkdown('the binding `a-b` names `c|d`')).toBe('the binding `a-b` names `c\\|d`');
    expect(proseMarkdown('one ` alone, and `` none')).toBe('one \\` alone, and \\`\\` none');
  });
});

describe('sanitizeLine and sanitizeText', () => {
  test('contain no command at any position in a line', () => {
    fc.assert(
      fc.property(fc.constantFrom('', ' ', 'error: ', '  at '), hostileText, (before, text) => {
        expect(parseCommand(before + sanitizeLine(text))).toBeUndefined();
        for (const line of sanitizeText(text).split('\n')) expect(parseCommand(before + line)).toBeUndefined();
      }),
      RUNS,
    );
  });

  test('leave no control character and only one line', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(sanitizeLine(text)).not.toMatch(/[\0-\x08\n-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u);
        expect(sanitizeText(text)).not.toMatch(/[\0-\x08\v-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u);
      }),
      RUNS,
    );
  });
});

/** The visible text, without backslash escapes and character references. */
function rendered(markdown: string): string {
  return markdown
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
