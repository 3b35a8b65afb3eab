// docs/library.md: every example is run against the library and gives what stands below it; every public name has a docstring.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROWSER_BUILD } from '../../scripts/dist.ts';
import { needs } from '../support/evidence.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');

const blocks = (language: string): ReadonlyMap<string, string> =>
  new Map(
    [...PAGE.matchAll(new RegExp(`^\`\`\`${language}(?: (\\w+))?\\n([^]*?)^\`\`\`$`, 'gm'))].map(
      ([, name = '', text = '']) => [name, text],
    ),
  );

describe('the examples', () => {
  const examples = blocks('js');
  const outputs = blocks('text');
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'preadmit-library-'));
    const installed = join(folder, 'node_modules/preadmit');
    mkdirSync(join(installed, 'dist'), { recursive: true });
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: unknown };
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'preadmit', type: 'module', exports }));
    for (const file of ['engine.wasm.br', 'engine-licenses.txt'])
      copyFileSync(join(ROOT, 'render', file), join(installed, 'dist', file));
    // Not minified, so that a failure shows where it happened.
    await build({ ...BROWSER_BUILD, minify: false, outfile: join(installed, 'dist/browser.js') });
    await build({
      ...BROWSER_BUILD,
      minify: false,
      entryPoints: ['src/index.ts'],
      outfile: join(installed, 'dist/index.js'),
      platform: 'node',
      define: {},
      banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    });
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('all have an output', () => {
    expect(examples.size).toBeGreaterThan(6);
    expect([...examples.keys()]).toEqual([...outputs.keys()]);
  });

  it.each([...examples])('%s', (name, code) => {
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, code);
    expect(execFileSync(process.execPath, [file], { cwd: ROOT, encoding: 'utf8' })).toBe(outputs.get(name));
  });
});

/** Programs of other runtimes, and how each runs a file without permissions. */
const RUNTIMES = [
  ['deno', ['run', '--no-prompt', '--no-config']],
  ['bun', ['run']],
] as const;

/** The example with the build itself, and values as JSON: each runtime has its own way of showing them. */
function plain(code: string): string {
  const shown = 'values.map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value))).join(" ")';
  return `const tell = (...values) => console.log(${shown});\n${code}`
    .replaceAll('console.log(', 'tell(')
    .replace('=> tell(', '=> console.log(')
    .replaceAll("'preadmit/browser'", "'./browser.js'");
}

for (const [program, args] of RUNTIMES)
  needs(program).describe(`the examples in ${program}`, () => {
    const examples = [...blocks('js')].filter(([, code]) => !code.includes("from 'preadmit'"));
    let folder = '';

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'preadmit-runtime-'));
      await build({ ...BROWSER_BUILD, outfile: join(folder, 'browser.js') });
    }, 120_000);

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(examples)(
      '%s',
      (name, code) => {
        const file = join(folder, `${name}.mjs`);
        writeFileSync(file, plain(code));
        const [there, here] = [
          execFileSync(program, [...args, file], { cwd: folder, encoding: 'utf8' }),
          execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }),
        ];
        expect(there).toBe(here);
        expect(here.trim()).not.toBe('');
      },
      60_000,
    );
  });

/** Names that a door passes on, with the files they are from; `type *` stands for all that a file exports. */
function passedOn(door: string): readonly (readonly [file: string, name: string])[] {
  const text = readFileSync(door, 'utf8');
  return [...text.matchAll(/^export (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)';$/gm)].flatMap(
    ([, names, from = '']) => {
      const file = join(dirname(door), from);
      if (file.endsWith('/browser.ts')) return [];
      const all = names
        ?.split(',')
        .map((name) => name.trim().replace(/^type | as .*$/g, ''))
        .filter((name) => name !== '');
      return (all ?? exportedBy(file)).map((name) => [file, name] as const);
    },
  );
}

function exportedBy(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^export (?:interface|type|const|function|class) (\w+)/gm)].map(([, name = '']) => name);
}

describe('every public name', () => {
  const names = ['src/browser.ts', 'src/index.ts'].flatMap((door) => passedOn(join(ROOT, door)));

  it('is found', () => expect(names.length).toBeGreaterThan(40));

  it('has a docstring', () => {
    const bare = names.filter(([file, name]) => {
      const declared = new RegExp(`\\*/\\nexport (?:interface|type|const|function|class|async function) ${name}\\b`);
      return !declared.test(readFileSync(file, 'utf8'));
    });
    expect(bare.map(([file, name]) => `${relative(ROOT, file)}: ${name}`)).toEqual([]);
  });
});
