// `preadmit why` on the folders of test/cases/why: asked.txt has one question per line, expected.txt the answers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from '../src/door/cli/command-line.ts';
import { expectGolden } from './support/bless.ts';
import { GitFolder } from './support/git-fixture.ts';

const CASES = join(import.meta.dirname, 'cases', 'why');

test.each(readdirSync(CASES).sort())('%s', async (name) => {
  const folder = join(CASES, name);
  const repository = new GitFolder();
  onTestFinished(() => repository.remove());
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.yaml'))) {
    repository.write(file, readFileSync(join(folder, file), 'utf8'));
  }
  repository.commit();
  let answers = '';
  for (const question of readFileSync(join(folder, 'asked.txt'), 'utf8').trim().split('\n')) {
    answers += `$ preadmit why ${question}\n`;
    const status = await runCommandLine(['why', ...question.split(' ')], {
      directory: repository.path,
      color: false,
      width: 100,
      interactive: false,
      out: (text) => {
        answers += text;
      },
      err: (text) => {
        answers += text;
      },
      now: () => 0,
      today: '2026-11-22',
      lines: async function* () {},
      input: async function* () {},
    });
    expect(status).toBe(0);
    answers += '\n';
  }
  expectGolden(join(folder, 'expected.txt'), answers);
});
