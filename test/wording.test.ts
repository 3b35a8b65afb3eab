// Phrases that must not come back into comments, messages, documents and test titles, and a test of that test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from './architecture/source-graph.ts';
import { NOT_REWRITTEN, PHRASES, wordingProblems } from './architecture/wording.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`),
];
const TEXTS = new Map([
  ...readSources('src'),
  ...[...readSources('test')].filter(([path]) => path.endsWith('.test.ts')),
  ...PAGES.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
]);

it('the English of every room keeps to the word list', () => {
  expect(wordingProblems(TEXTS, NOT_REWRITTEN)).toEqual([]);
});

it('rooms that are not rewritten exist', () => {
  const paths = [...TEXTS.keys()];
  const isThere = (room: string): boolean => paths.some((path) => path === room || path.startsWith(`${room}/`));
  expect(NOT_REWRITTEN.filter((room) => !isThere(room))).toEqual([]);
});

describe('a phrase', () => {
  const found = (path: string, text: string) => wordingProblems(new Map([[path, text]]), []);

  it('is seen in comments, strings and templates, with its line', () => {
    expect(found('src/a.ts', "// One.\nexport const a = 'Nobody is here';")).toEqual([
      'src/a.ts:2: "Nobody": write who it is: "no user", "no caller"',
    ]);
    expect(found('src/a.ts', 'const a = `the mildest one`;')).toHaveLength(1);
  });

  it('is seen across the lines of a comment', () => {
    expect(found('src/a.ts', '/**\n * The server is\n * told.\n */')).toEqual([
      'src/a.ts:2: "is told": write "gets", "receives"; of messages "is reported"',
    ]);
  });

  it('is seen in titles of tests, and not in their code', () => {
    const code = "const fixture = 'of ours';\nit.each(ROWS)('is told by %s', () => {});";
    expect(found('test/a.test.ts', code)).toEqual([
      'test/a.test.ts:2: "is told": write "gets", "receives"; of messages "is reported"',
    ]);
  });

  it('is not seen in code, and not in generated files', () => {
    expect(found('src/a.ts', 'const nobody = mends(NOBODY);')).toEqual([]);
    expect(found('src/a.ts', 'const a = /\'`/, nobody = /[/"]/;')).toEqual([]);
    expect(found('src/a.generated.ts', '// nobody')).toEqual([]);
  });

  it.each(PHRASES)('$phrase has an alternative', ({ instead }) => expect(instead).not.toBe(''));
});
