// What tests need besides Node and the files of the project. `PREADMIT_WITHOUT` lists what a run in CI may lack.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasSchemas } from './format-schemas.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The folder beside the project. */
export const SHARED: string = process.env['PREADMIT_SHARED'] ?? join(ROOT, '../shared');

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** If `PREADMIT_CHROMIUM` names a file that does not exist, tests fail instead of being skipped. */
export const CHROMIUM = process.env['PREADMIT_CHROMIUM'] ?? BROWSERS.find((path) => existsSync(path));

interface Need {
  readonly what: string;
  readonly isThere: () => boolean;
}

const program = (name: string, ...args: readonly string[]): Need => ({
  what: `the program ${name} on the PATH`,
  isThere: () => spawnSync(name, args).status === 0,
});

/** Tests may pass a narrower `isThere`, such as one for their own file. */
export const EVIDENCE = {
  recordings: {
    what: 'answers recorded beside the project, in ../shared or the folder PREADMIT_SHARED',
    isThere: () => existsSync(join(SHARED, 'conformance')),
  },
  corpus: {
    what: 'public repositories in ../shared/corpus or the folder PREADMIT_CORPUS',
    isThere: () => existsSync(join(SHARED, 'corpus')),
  },
  'unpacked-corpus': {
    what: 'unpacked public repositories in the folder PREADMIT_CORPUS, or corpus in the temporary folder',
    isThere: () => existsSync(process.env['PREADMIT_CORPUS'] ?? ''),
  },
  schemas: { what: 'published schemas of report formats: npx tsx scripts/format-schemas.ts', isThere: hasSchemas },
  browser: {
    what: `Chromium at ${BROWSERS.join(', ')} or PREADMIT_CHROMIUM`,
    isThere: () => CHROMIUM !== undefined,
  },
  bash: program('bash', '-c', 'true'),
  zsh: program('zsh', '-c', 'true'),
  fish: program('fish', '-c', 'true'),
  'pre-commit': program('pre-commit', '--version'),
  deno: program('deno', '--version'),
  bun: program('bun', '--version'),
  clone: { what: 'a Git clone of the project', isThere: () => existsSync(join(ROOT, '.git')) },
  /** Only test/commits.test.ts knows which commits. */
  history: { what: 'the commits that test/commits.test.ts reads', isThere: () => false },
  root: { what: 'the user root', isThere: () => process.getuid?.() === 0 },
  unprivileged: { what: 'a user other than root', isThere: () => process.getuid?.() !== 0 },
  'full-device': { what: 'the device /dev/full', isThere: () => existsSync('/dev/full') },
  'require-module': {
    what: 'Node 20.19, 22.12 or newer',
    isThere: () => (process.features as { readonly require_module?: boolean }).require_module === true,
  },
} as const satisfies Readonly<Record<string, Need>>;

export type Evidence = keyof typeof EVIDENCE;

/** What this run may lack: outside CI everything. Throws if the list has an unknown name. */
export function mayLack({ CI = '', PREADMIT_WITHOUT = '' }: NodeJS.ProcessEnv = process.env): ReadonlySet<Evidence> {
  const known = Object.keys(EVIDENCE) as Evidence[];
  const listed = PREADMIT_WITHOUT.split(',').filter((name) => name !== '');
  const unknown = listed.filter((name) => !(known as string[]).includes(name));
  if (unknown.length > 0) {
    throw new Error(`PREADMIT_WITHOUT: unknown name ${unknown.join(', ')}; known names are ${known.join(', ')}`);
  }
  return new Set(CI === '' || CI === 'false' ? known : (listed as Evidence[]));
}

/** Ends the title of a skipped suite or test. */
export function absenceSuffix(name: Evidence): string {
  return ` (not run: no ${name})`;
}

/** The evidence that a title names as absent. */
export function absenceIn(title: string): Evidence | undefined {
  return / \(not run: no ([\w-]+)\)$/.exec(title)?.[1] as Evidence | undefined;
}
