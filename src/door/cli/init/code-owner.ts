// Finds the owner for new baseline entries: the owners of all files in CODEOWNERS, otherwise the Git user.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitRepository } from '../../../workspace/git/git-repository.ts';

/** In the order in which GitHub looks for the file. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];

export async function ownerOf(root: string): Promise<string | undefined> {
  for (const place of PLACES) {
    const text = await readFile(join(root, place), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const owners = ownersOfAll(text);
    if (owners !== undefined) return owners;
    break;
  }
  const repository = await GitRepository.open(root);
  return (await repository?.setting('user.email')) ?? (await repository?.setting('user.name'));
}

/** Owners of the last rule for `*`; GitHub applies the last matching rule. Undefined if no rule covers all files. */
function ownersOfAll(text: string): string | undefined {
  const rules = text.split('\n').map((line) =>
    line
      .replace(/\s*#.*$/, '')
      .trim()
      .split(/\s+/),
  );
  const [, ...owners] = rules.findLast(([pattern]) => pattern === '*') ?? [];
  return owners.length === 0 ? undefined : owners.join(' ');
}
