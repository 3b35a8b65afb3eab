// The package of the VS Code extension: vsce rejects one without a licence, and its page is shown outside the repository.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'editors/vscode');
const REPOSITORY = 'https://github.com/preadmit/preadmit/blob/main/';

test('has the licence of the project', () => {
  expect(readFileSync(join(FOLDER, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
});

test('links lead into the package or to the repository', () => {
  const page = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(0);
  const dead = links.filter((link) => {
    if (link.startsWith(REPOSITORY)) return !existsSync(join(ROOT, link.slice(REPOSITORY.length)));
    return link.includes('..') || !existsSync(join(FOLDER, link));
  });
  expect(dead).toEqual([]);
});
