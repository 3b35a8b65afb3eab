// Reads the starter policies shipped with the program, to copy them into a repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SourceFile } from '../../../source/text/source-file.ts';
import { WorkspaceError } from '../../../workspace/workspace-error.ts';

/** Relative to the bundles, to their chunks, and to this source file. */
const PLACES = ['../policies/', '../../policies/', '../../../../policies/'];

/** With their paths in the target repository. Throws WorkspaceError if they are not installed. */
export function starterPolicies(name: string): readonly SourceFile[] {
  const folder = PLACES.map((place) => new URL(`${place}${name}/`, import.meta.url)).find((url) => existsSync(url));
  if (folder === undefined) {
    throw new WorkspaceError('path-not-found', 'the starter policies are not installed next to the program', {
      hint: 'install the whole package',
    });
  }
  return readdirSync(fileURLToPath(folder))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => new SourceFile(`policies/${name}/${file}`, readFileSync(new URL(file, folder), 'utf8')));
}
