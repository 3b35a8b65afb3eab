// docs/how-a-verdict-is-made.md shows what its commands print; `BLESS=1` updates the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectGolden } from '../support/bless.ts';
import { runPrinted } from '../support/printed.ts';

const ROOT = join(import.meta.dirname, '../..');
const PATH = join(ROOT, 'docs/how-a-verdict-is-made.md');

async function output(words: string): Promise<string> {
  const args = words.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  return (await runPrinted(ROOT, args)).out;
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
