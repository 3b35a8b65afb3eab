// ARCHITECTURE.md leads a newcomer to the right file, and every folder of src/ says what it holds.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

/** A row of "Where does it belong?": the files it links, and the name to look for in them. */
const ROWS = [
  ...PAGE.slice(PAGE.indexOf('## Where does it belong?')).matchAll(/^\| ([^|]+) \| (\[[^|]+) \| `([^`]+)` \|$/gm),
].map(([, task = '', links = '', name = '']) => ({
  task,
  files: [...links.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file as string),
  name,
}));

describe('"Where does it belong?"', () => {
  it('has twelve newcomer tasks', () => {
    expect(ROWS.length).toBe(12);
  });

  it.each(ROWS)('$task: the first linked file holds $name', ({ files, name }) => {
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(readFileSync(join(ROOT, files[0] as string), 'utf8')).toContain(name);
  });
});

it('names only files and folders that exist', () => {
  const named = [...PAGE.matchAll(/`((?:[a-z-]+\/)+(?:[a-z-]+\.ts)?)`/g)].map(([, path]) => path as string);
  const missing = named.filter((path) => !existsSync(join(ROOT, 'src', path)) && !existsSync(join(ROOT, path)));
  expect(named.length).toBeGreaterThan(40);
  expect(
    missing.filter((path) => !['library/', 'generic/', 'validating/', 'mutating/', 'format/'].includes(path)),
  ).toEqual([]);
});

it('has a README in every folder of src/', () => {
  const folders = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(ROOT, 'src', path)).isDirectory(),
  );
  const silent = folders.filter((folder) => {
    const file = join(ROOT, 'src', folder, 'README.md');
    return !existsSync(file) || !readFileSync(file, 'utf8').startsWith(`# ${folder.replaceAll('\\', '/')}\n\n`);
  });
  expect(folders.length).toBeGreaterThan(100);
  expect(silent).toEqual([]);
});
