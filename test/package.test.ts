// The installed npm package: no dependencies, no network, and types without further packages.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

let folder = '';
const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });

/** Like the release: builds the declarations, here in a copy, and packs. Like pre-commit, takes all of `npm pack`'s output as the file's name. */
function pack(to: string): string {
  const staged = join(to, 'staged');
  mkdirSync(staged);
  for (const name of ['package.json', ...manifest.files])
    cpSync(join(ROOT, name), join(staged, name), { recursive: true });
  run(
    process.execPath,
    [TSC, '-p', join(ROOT, 'scripts/tsconfig.types.json'), '--outDir', join(staged, 'dist/types')],
    ROOT,
  );
  return join(to, run('npm', ['pack', '--pack-destination', to], staged).trim());
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-package-'));
  const tarball = pack(folder);
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name":"project","private":true,"type":"module"}\n');
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict'];
  run('npm', ['install', ...options, tarball], project);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('has no dependencies', () => {
  const installed = readdirSync(join(folder, 'project/node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed).toEqual(['preadmit']);
});

test("compiles without Node's types", () => {
  const project = join(folder, 'project');
  writeFileSync(
    join(project, 'main.ts'),
    `import { checkRepository, reporters, type CheckOptions, type Report } from 'preadmit';
import { checkState, compileExpression, defaultConfiguration, evaluate, type Finding, SourceFile } from 'preadmit/browser';

export async function check(options: CheckOptions): Promise<Report> {
  const { report } = await checkRepository(options);
  return report;
}

export function checkText(text: string): Report {
  const files = [{ file: new SourceFile('a.yaml', text), selected: true }];
  return checkState({ files, paths: new Set(['a.yaml']), notRead: [], configuration: defaultConfiguration() });
}

export function judge(object: object): readonly Finding[] {
  return evaluate({ policies: '', object, user: { username: 'jane' } }).findings;
}

const compiled = compileExpression('1 + 1');
export const two: unknown = compiled.issues ? compiled.text : compiled.evaluate().cost;

export const formats: readonly string[] = Object.keys(reporters);
`,
  );
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: 'out',
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  run(process.execPath, [TSC, '-p', '.'], project);
  const script =
    "const { checkText } = await import('./out/main.js'); console.log(checkText('a: 1').verdict.conclusion, (await import('preadmit')).WorkspaceError.name)";
  expect(run(process.execPath, ['--input-type=module', '-e', script], project)).toBe(
    'nothing-checked WorkspaceError\n',
  );
}, 120_000);
