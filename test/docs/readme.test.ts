// The commands that README.md shows to begin with do what it says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runPrinted } from '../support/printed.ts';

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const SHOWN = [...README.matchAll(/^node dist\/cli\.js (.+)$/gm)].map(([, words = '']) => words);

function run(words: string) {
  const args = words.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  return runPrinted(ROOT, args);
}

it('the first screen leads to the playground, at the address where one command shows it', () => {
  const first = README.slice(0, README.indexOf('\n## '));
  expect(first).toContain('`npm ci && npm run site -- --serve`');
  const [, port] = /\[the playground\]\(http:\/\/127\.0\.0\.1:(\d+)\/\)/.exec(first) ?? [];
  expect(readFileSync(join(ROOT, 'site/build.ts'), 'utf8')).toContain(`serveSite(OUT, ${port})`);
});

it('the first screen shows check, why and test', () => {
  expect(SHOWN.map((words) => words.split(' ')[0])).toEqual(['check', 'why', 'test']);
});

it.each(SHOWN)('%s', async (words) => {
  const expected = {
    check: { status: 1, out: 'at most 6 replicas are allowed here, not 12' },
    why: { status: 0, out: 'object.spec.replicas <= variables.limit → false' },
    test: { status: 0, out: ' tests passed, 0 failed' },
  }[words.split(' ')[0] as string];
  const { status, out } = await run(words);
  expect({ status, out }).toEqual({ status: expected?.status, out: expect.stringContaining(expected?.out ?? '\0') });
});
