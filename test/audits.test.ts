// Golden cases of audits: a folder has a repository and commands, expected.txt their output and exit codes.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VERSION } from '../src/version.ts';
import { expectGolden } from './support/bless.ts';
import { runTogether } from './support/printed.ts';

const CASES = join(import.meta.dirname, 'cases', 'audit');

async function run(directory: string, args: readonly string[]): Promise<string> {
  const { status, out } = await runTogether(directory, args, { width: 120, today: '2026-11-24' });
  return `${out}exit code ${status}\n`;
}

test.each(readdirSync(CASES).sort())('%s', async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(CASES, name), folder, { recursive: true });
  const start = join(folder, 'repository');
  let printed = '';
  for (const command of readFileSync(join(CASES, name, 'commands.txt'), 'utf8')
    .trim()
    .split('\n')) {
    const args = (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'));
    printed += `$ preadmit ${command}\n${await run(existsSync(start) ? start : folder, args)}\n`;
  }
  expect(printed).not.toContain(folder);
  expectGolden(join(CASES, name, 'expected.txt'), printed.replaceAll(`"${VERSION}"`, '"VERSION"'));
});
