// The Markdown pages hold together: links lead somewhere, and commands have the options that they are shown with.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/door/cli/options/command-table.ts';
import { parseArguments } from '../../src/door/cli/options/parse-arguments.ts';

const ROOT = join(import.meta.dirname, '../..');

const PAGES = [
  ...pagesIn(ROOT, false),
  ...['docs', 'bench', 'test', 'scripts', 'examples'].flatMap((folder) => pagesIn(join(ROOT, folder), true)),
];

function pagesIn(folder: string, deep: boolean): readonly string[] {
  return readdirSync(folder, { recursive: deep, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('golden'))
    .map((name) => join(folder, name));
}

function withoutCode(page: string): string {
  return page.replace(/^( *)```[\s\S]*?^\1```$/gm, '').replace(/`[^`\n]*`/g, '`');
}

/** As GitHub names the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = page.match(/^#+ .+$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it('docs/README.md lists every page of docs', () => {
  const listed = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(pages.filter((name) => !listed.includes(`](${name})`))).toEqual([]);
});

describe.each(PAGES.map((path) => [relative(ROOT, path), path] as const))('%s', (_name, path) => {
  const page = readFileSync(path, 'utf8');

  it('has links that lead somewhere', () => {
    const links = [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
    const dead = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(target)) return true;
      return (
        anchor !== undefined && (statSync(target).isDirectory() || !anchorsOf(readFileSync(target, 'utf8')).has(anchor))
      );
    });
    expect(dead).toEqual([]);
  });

  it('shows commands as they can be given', () => {
    const shown = [...page.matchAll(/^ *(?:\$ )?(?:npx )?preadmit ([a-z]+)((?: [^\n#]*)?)/gm)].map(
      ([, name, rest]) => [name as string, (rest ?? '').split(/ (?:[<>|#] |\[options\])/)[0] as string] as const,
    );
    const wrong = shown.flatMap(([name, rest]) => {
      const command = COMMANDS.find((known) => known.name === name);
      if (command === undefined) return [`preadmit ${name}`];
      const words = rest.match(/'[^']*'|\S+/g) ?? [];
      const parsed = parseArguments(words, command.options);
      return 'problems' in parsed ? parsed.problems : [];
    });
    expect(wrong).toEqual([]);
  });
});
