// The policies that are shipped with the program, to be copied into a repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SourceFile } from '../../../source/text/source-file.ts';
import { WorkspaceError } from '../../../workspace/workspace-error.ts';

/** From the bundles, from their chunks, and from here. */
const PLACES = ['../policies/', '../../../../policies/'];

/** With the paths that they get in a repository. Throws WorkspaceError where they are not installed. */
export function starterPolicies(name: string): readonly SourceFile[] {
  const folder = PLACES.map((place) => new URL(`${place}${name}/`, import.meta.url)).find((url) => existsSync(url));
  if (folder === undefined) {
    throw new WorkspaceError('path-not-found', 'the starter policies are not beside the program', {
      hint: 'install the whole package',
    });
  }
  return readdirSync(fileURLToPath(folder))
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => new SourceFile(`policies/${name}/${file}`, readFileSync(new URL(file, folder), 'utf8')));
}
