// Builds dist/: the bundles and their licences. `--check` only compares them with the committed ones. `--types` adds the declarations of
// the library, which only the npm package has.
// The release runs this before `npm pack`, not as `prepack`: pre-commit reads the standard
// output of `npm pack` as the name of the package.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { partsPlugin, readPartsNow } from './parts.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** CommonJS packages inside an ES module still call `require`. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** The library without Node: one file. An import of a Node module is an error. */
export const BROWSER_BUILD: BuildOptions = {
  absWorkingDir: ROOT,
  entryPoints: ['src/browser.ts'],
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  // A package reads an environment variable when it is loaded, for which Deno requires a permission.
  define: { process: 'undefined' },
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/**
 * Settings for fast loading: no whitespace, and ASCII only. V8 stores ASCII text in one byte per character, and a single other character
 * doubles that. Names are kept for the stacks of internal errors.
 */
export const READ_FAST: BuildOptions = { minifyWhitespace: true, minifySyntax: true, charset: 'ascii' };

/** Start file of threads: small, and the same program in every location. */
export const WORKER_BUILD: BuildOptions = {
  absWorkingDir: ROOT,
  entryPoints: ['src/workspace/render/render-worker.ts'],
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.11',
  ...READ_FAST,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** Bundles and their entry points. */
const ENTRIES: readonly (readonly [bundle: string, source: string])[] = [
  ['cli', 'src/cli.ts'],
  ['action', 'src/action.ts'],
  ['index', 'src/index.ts'],
];

/** The WebAssembly programs, with the licences of what they link. */
const PROGRAMS = [
  'render/engine.wasm.br',
  'render/engine-licenses.txt',
  'validation/validation.wasm.br',
  'validation/validation-licenses.txt',
];

/** Writes the content of dist/ to an empty folder. Equal sources give equal bytes. */
export async function buildDist(folder: string): Promise<void> {
  const metafile = await buildParts({
    entryPoints: ENTRIES.map(([out, source]) => ({ in: source, out })),
    outdir: folder,
  });
  const worker = await build({ ...WORKER_BUILD, outfile: join(folder, 'render-worker.cjs') });
  const cli = join(folder, 'cli.js');
  if (existsSync(cli)) chmodSync(cli, 0o755);
  const browser = await build({ ...BROWSER_BUILD, outdir: folder });
  writeFileSync(
    join(folder, 'licenses.txt'),
    licences(metafile, browser.metafile as Metafile, worker.metafile as Metafile),
  );
  for (const file of PROGRAMS) copyFileSync(join(ROOT, file), join(folder, basename(file)));
}

/** Bundles for Node that share common code and load rarely used code on demand. */
export async function buildParts(options: BuildOptions): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.11',
    banner: { js: REQUIRE },
    ...READ_FAST,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [partsPlugin(ROOT)],
    ...options,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, readPartsNow(text));
  }
  return metafile as Metafile;
}

function buildTypes(folder: string): void {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const project = join(ROOT, 'scripts/tsconfig.types.json');
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', join(folder, 'types')], { stdio: 'inherit' });
}

/** Paths with different content, or in only one of the folders; empty if the folders are equal. */
export function differences(left: string, right: string): string[] {
  const files = new Set([...filesIn(left), ...filesIn(right)]);
  return [...files].sort().filter((file) => {
    const [one, other] = [join(left, file), join(right, file)];
    return !existsSync(one) || !existsSync(other) || !readFileSync(one).equals(readFileSync(other));
  });
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((file) => !file.startsWith('types/'))
    .sort();
}

/** The licence of every package that contributes to a bundle. */
function licences(...metafiles: readonly Metafile[]): string {
  const packages = new Map<string, string>();
  for (const output of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (folder !== undefined && bytesInOutput > 0) packages.set(folder, licence(join(ROOT, folder)));
    }
  }
  const texts = [...new Set(packages.values())].sort();
  return `Licences of the packages bundled here; made by scripts/dist.ts.\n\n${texts.join('\n')}`;
}

function licence(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:[.-]|$)/i.test(name));
  if (file === undefined) throw new Error(`${about['name']} has no licence file`);
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `${about['name']} ${about['version']} (${about['license']})\n\n${text}\n\n${'-'.repeat(80)}\n`;
}

async function main(): Promise<void> {
  const check = process.argv.includes('--check');
  const folder = check ? mkdtempSync(join(tmpdir(), 'preadmit-dist-')) : DIST;
  if (!check) rmSync(DIST, { recursive: true, force: true });
  try {
    await buildDist(folder);
    for (const file of filesIn(folder)) {
      console.log(`${String(statSync(join(folder, file)).size).padStart(9)}  ${file}`);
    }
    if (process.argv.includes('--types')) buildTypes(folder);
    if (!check) return;
    const stale = differences(DIST, folder);
    if (stale.length === 0) return;
    console.error(`dist/ does not match the sources; run \`npm run dist\` and commit:\n  ${stale.join('\n  ')}`);
    process.exitCode = 1;
  } finally {
    if (check) rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.filename === process.argv[1]) await main();
