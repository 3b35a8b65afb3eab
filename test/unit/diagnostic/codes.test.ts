// Every code has a page that starts with its name, and every page has a code.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CODES } from '../../../src/diagnostic/code-table.ts';

const PAGES = join(import.meta.dirname, '../../../docs/codes');

it('has a page for every code and no other', () => {
  const pages = readdirSync(PAGES).map((file) => file.replace(/\.md$/, ''));
  expect(pages.sort()).toEqual(Object.keys(CODES).sort());
});

it.each(Object.keys(CODES))('%s: the page starts with the code, has an example and explains the fix', (code) => {
  const page = readFileSync(join(PAGES, `${code}.md`), 'utf8');
  expect(page.startsWith(`# ${code}\n\n`)).toBe(true);
  expect(page).toContain('\n## Example\n');
  expect(page).toContain('\n## How to fix it\n');
});
