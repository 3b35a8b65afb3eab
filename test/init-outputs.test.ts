// Golden outputs of `preadmit init` for small repositories, and whether `check` then prints what `init` promises.
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectGolden } from './support/bless.ts';
import { GitFolder } from './support/git-fixture.ts';
import { runTogether } from './support/printed.ts';

const CASES = join(import.meta.dirname, 'cases/init');

function preadmit(directory: string, ...args: readonly string[]) {
  return runTogether(directory, args);
}

it('docs/getting-started.md shows the output for home-ops', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/getting-started.md'), 'utf8');
  const expected = readFileSync(join(CASES, 'home-ops/expected.txt'), 'utf8').split('\n\n');
  const [found = '', ...proposed] = expected;
  const [promised = ''] = proposed.slice(-2);
  for (const part of [found, promised]) expect(page).toContain(`\n${part}\n\`\`\`\n`);
});

it.each(readdirSync(CASES))('%s', { timeout: 300_000 }, async (name) => {
  const folder = new GitFolder();
  try {
    cpSync(join(CASES, name, 'repository'), folder.path, { recursive: true });
    folder.git('config', 'user.email', 'jane@example.com');
    folder.commit('before');
    const { status, out } = await preadmit(folder.path, 'init', '--yes');
    expect(status).toBe(0);
    expectGolden(join(CASES, name, 'expected.txt'), out);
    folder.commit('init');
    const check = await preadmit(folder.path, 'check');
    expect(out).toContain(
      `exits with ${check.status} and ends with this line:\n  ${check.out.trimEnd().split('\n').at(-1)}\n`,
    );
    expect(check.status).toBe(0);
  } finally {
    folder.remove();
  }
});
