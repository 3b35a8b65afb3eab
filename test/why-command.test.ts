// `preadmit why` on the folders of test/cases/why: asked.txt has one question per line, expected.txt the answers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectGolden } from './support/bless.ts';
import { GitFolder } from './support/git-fixture.ts';
import { runTogether } from './support/printed.ts';

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
    const { status, out } = await runTogether(repository.path, ['why', ...question.split(' ')]);
    answers += out;
    expect(status).toBe(0);
    answers += '\n';
  }
  expectGolden(join(folder, 'expected.txt'), answers);
});
