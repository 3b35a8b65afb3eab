// docs/how-a-verdict-is-made.md shows what its commands print; `BLESS=1` updates the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/door/cli/command-line.ts';
import { expectGolden } from '../support/bless.ts';

const ROOT = join(import.meta.dirname, '../..');
const PATH = join(ROOT, 'docs/how-a-verdict-is-made.md');

async function output(words: string): Promise<string> {
  let out = '';
  const args = words.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  await runCommandLine(args, {
    directory: ROOT,
    color: false,
    width: 100,
    interactive: false,
    out: (text) => {
      out += text;
    },
    err: () => {},
    now: () => 0,
    today: '2026-11-21',
    lines: async function* () {},
    input: async function* () {},
  });
  return out;
}

it('shows what its commands print', async () => {
  let page = readFileSync(PATH, 'utf8');
  const commands = [...page.matchAll(/^npm start -- ((\w+) .*)$/gm)];
  expect(commands.map(([, , name]) => name)).toEqual(['check', 'why']);
  for (const [, words = '', name] of commands) {
    const printed = await output(words);
    page = page.replace(
      new RegExp(`^\`\`\`text ${name}\\n[^]*?^\`\`\`$`, 'm'),
      () => `\`\`\`text ${name}\n${printed}\`\`\``,
    );
  }
  expectGolden(PATH, page);
});
