// Which room may import which: the rules of ARCHITECTURE.md, kept by this test.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Room → rooms it may import, itself included. The longest matching prefix decides. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/source': ['src/source'],
  'src/diagnostic': ['src/diagnostic', 'src/source'],
  'src/cel': ['src/cel', 'src/source'],
  'src/kubernetes': ['src/kubernetes', 'src/cel', 'src/diagnostic', 'src/source'],
  'src/policy': ['src/policy', 'src/kubernetes', 'src/cel', 'src/diagnostic', 'src/source'],
  'src/engine': ['src/engine', 'src/policy', 'src/kubernetes', 'src/diagnostic', 'src/source'],
  'src/report': ['src/report', 'src/policy', 'src/kubernetes', 'src/cel', 'src/diagnostic', 'src/source'],
  'src/report/format': ['src/report', 'src/diagnostic', 'src/source'],
  'src/render': ['src/render'],
  'src/workspace': ['src/workspace', 'src/render', 'src/diagnostic', 'src/source'],
  'src/github': ['src/github', 'src/report', 'src/diagnostic', 'src/source'],
};

/** Only these rooms and the doors may touch files, processes, the network, the console, the clock or the environment. */
const IMPURE: readonly string[] = ['src/workspace', 'src/github', 'src/door', 'src/cli', 'src/action'];
const PURE_NODE_MODULES = new Set(['node:crypto']);
const DOORS = ['src/cli.ts', 'src/action.ts', 'src/index.ts'];

interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found: Import[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s+)?[^'";]*?from\s+'([^']+)'/gm)) {
    found.push({ from: file, specifier: match[2] as string, typeOnly: match[1] !== undefined });
  }
  for (const match of text.matchAll(/\bimport\('([^']+)'\)|^import\s+'([^']+)'/gm)) {
    found.push({ from: file, specifier: (match[1] ?? match[2]) as string, typeOnly: false });
  }
  return found;
}

function resolve(entry: Import): string {
  return normalize(join(dirname(entry.from), entry.specifier)).replaceAll('\\', '/');
}

function roomOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((room) => file.startsWith(`${room}/`) || file === `${room}.ts`)
    .sort((a, b) => b.length - a.length)[0];
}

describe('architecture', () => {
  it('finds the source files', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
  });

  it('lets rooms import only the rooms below them', () => {
    const wrong = imports
      .filter((entry) => entry.specifier.startsWith('.'))
      .filter((entry) => {
        const room = roomOf(entry.from);
        const target = resolve(entry);
        if (room === undefined) return false;
        return !(MAY_IMPORT[room] as readonly string[]).some((allowed) => target.startsWith(`${allowed}/`));
      })
      .map((entry) => `${entry.from} imports ${resolve(entry)}`);
    expect(wrong).toEqual([]);
  });

  it('lets nothing import a door', () => {
    const wrong = imports.filter((entry) => DOORS.includes(resolve(entry))).map((entry) => entry.from);
    expect(wrong).toEqual([]);
  });

  it('keeps policy languages apart', () => {
    const wrong = imports
      .filter((entry) => /^src\/policy\/(matching|expression)\//.test(entry.from))
      .filter((entry) => /^src\/policy\/(admission|kyverno)\//.test(resolve(entry)))
      .map((entry) => `${entry.from} imports ${resolve(entry)}`);
    const engine = imports
      .filter((entry) => entry.from.startsWith('src/engine/'))
      .filter((entry) => /^src\/policy\/.+\//.test(resolve(entry)))
      .map((entry) => `${entry.from} imports ${resolve(entry)}`);
    expect([...wrong, ...engine]).toEqual([]);
  });

  it('keeps the core pure', () => {
    const wrong = imports
      .filter((entry) => entry.specifier.startsWith('node:') && !PURE_NODE_MODULES.has(entry.specifier))
      .filter((entry) => !IMPURE.some((room) => entry.from.startsWith(`${room}/`) || entry.from === `${room}.ts`))
      .map((entry) => `${entry.from} imports ${entry.specifier}`);
    const ambient = files
      .filter((file) => !IMPURE.some((room) => file.startsWith(`${room}/`) || file === `${room}.ts`))
      .filter((file) =>
        /\b(?:process\.|console\.|Date\.now\(|new Date\(\)|performance\.|Math\.random\()/.test(code(file)),
      );
    expect([...wrong, ...ambient]).toEqual([]);
  });

  it('has no import cycles at run time', () => {
    const graph = new Map<string, string[]>();
    for (const entry of imports) {
      if (entry.typeOnly || !entry.specifier.startsWith('.')) continue;
      graph.set(entry.from, [...(graph.get(entry.from) ?? []), resolve(entry)]);
    }
    expect(findCycles(graph)).toEqual([]);
  });

  it('opens every file with one sentence on its responsibility', () => {
    const wrong = files.filter((file) => !/^(?:#!.*\n)?\/\/ \S.*\.\n/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(wrong).toEqual([]);
  });

  it('stays within 500 lines a file unless the file says it is a table or generated', () => {
    const long = files.filter((file) => {
      const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
      return lines.length > 500 && !/table|generated/i.test(lines[0] as string);
    });
    expect(long).toEqual([]);
  });

  it('has no drawer for everything', () => {
    expect(
      files.filter((file) => /(?:^|[/-])(?:util|utils|helper|helpers|common|misc|manager)(?:[./-])/.test(file)),
    ).toEqual([]);
  });
});

/** Source without comments, so that prose may name what code may not. */
function code(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(file);
    if (seen >= 0) {
      cycles.push([...trail.slice(seen), file].map((name) => relative('src', name)).join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
