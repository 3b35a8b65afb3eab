// Regenerates every table about built-in kinds from the newest patch release of each minor, and measures the tables (see README.md).
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../src/kubernetes/api/version.ts';

const MODULE = 'k8s.io/kubernetes';
const ROOT = new URL('../..', import.meta.url).pathname;

interface Release {
  readonly minor: number;
  /** E.g. `1.36.3`. */
  readonly version: string;
  /** Folder of the module's sources. */
  readonly folder: string;
  /** Build folder of the programs. */
  readonly scratch: string;
}

const [target = '', ...asked] = process.argv.slice(2);
if (target === '') throw new Error('usage: refresh.ts <folder outside of this repository> [1.<minor>.<patch> …]');
mkdirSync(target, { recursive: true });

const releases = (asked.length > 0 ? asked : newestReleases()).map(prepare);
for (const release of releases) build(release);
const folders = releases.map(({ minor, folder }) => `1.${minor}=${folder}`);
script('resources', folders);
script('default-roles', folders);
script(
  'structs',
  releases.map(({ minor, folder, scratch }) => `1.${minor}=${folder},${join(scratch, 'fields.json')}`),
);
for (const { minor, scratch } of releases) {
  script('measure', [`1.${minor}`, join(scratch, 'stages.bin')]);
  script('compare-names', [`1.${minor}`, join(scratch, 'names.bin')]);
}
script('compare-published', folders);
console.log(`generated from ${releases.map(({ version }) => version).join(', ')}`);

/** The newest patch release of each supported minor on the module proxy. A newer minor is only reported. */
function newestReleases(): readonly string[] {
  const listed = execFileSync('go', ['list', '-m', '-versions', MODULE], { encoding: 'utf8', cwd: target });
  const patches = new Map<number, number>();
  for (const [, minor, patch] of listed.matchAll(/ v1\.(\d+)\.(\d+)(?=\s)/g)) {
    patches.set(Number(minor), Math.max(Number(patch), patches.get(Number(minor)) ?? 0));
  }
  for (const minor of patches.keys()) {
    if (minor > NEWEST_VERSION.minor) console.log(`1.${minor} is released and not supported yet`);
  }
  const count = NEWEST_VERSION.minor - OLDEST_VERSION.minor + 1;
  return Array.from({ length: count }, (_, index) => {
    const minor = OLDEST_VERSION.minor + index;
    const patch = patches.get(minor);
    if (patch === undefined) throw new Error(`the module proxy lists no release of 1.${minor}`);
    return `1.${minor}.${patch}`;
  });
}

function prepare(version: string): Release {
  const minor = Number(version.split('.')[1]);
  const downloaded = execFileSync('go', ['mod', 'download', '-json', `${MODULE}@v${version}`], {
    encoding: 'utf8',
    cwd: target,
  });
  const { Dir: folder } = JSON.parse(downloaded) as { readonly Dir: string };
  return { minor, version, folder, scratch: join(target, `1.${minor}`) };
}

function build({ version, folder, scratch }: Release): void {
  script('scratch', [`${version}=${folder}`, scratch]);
  const env = { ...process.env, GOFLAGS: '-mod=mod' };
  const go = (args: readonly string[]) => execFileSync('go', args, { cwd: scratch, env, stdio: 'inherit' });
  go(['mod', 'tidy']);
  for (const program of ['fields', 'names', 'stages']) go(['build', '-o', `${program}.bin`, `./${program}`]);
  const fields = execFileSync(join(scratch, 'fields.bin'), { maxBuffer: 2 ** 30 });
  writeFileSync(join(scratch, 'fields.json'), fields);
  console.log(`built for ${version}`);
}

function script(name: string, args: readonly string[]): void {
  const file = join(ROOT, 'scripts/schema', `${name}.ts`);
  execFileSync(process.execPath, ['--import', 'tsx', file, ...args], { cwd: ROOT, stdio: 'inherit' });
}
