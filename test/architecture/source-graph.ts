// The files of src/ and their imports, from disk or from a test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, join as joinPosix } from 'node:path/posix';

/** Text by path from the root of the project, e.g. `src/cel/value/trace.ts`. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  /** A path from the root of the project, or the name of a package or Node module. */
  readonly to: string;
  readonly isLocal: boolean;
  /** A type-only import, which does not exist at run time. */
  readonly typeOnly: boolean;
  /** The imported names; `*` for all of them. */
  readonly names: readonly string[];
}

export interface SourceGraph {
  readonly sources: Sources;
  readonly imports: readonly Import[];
  importsOf(file: string): readonly Import[];
}

const ROOT = join(import.meta.dirname, '../..');

export function readSources(...folders: readonly string[]): Sources {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules')),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** By file, then by text: tests plant violations in one file and keep the others. */
const parsed = new Map<string, Map<string, readonly Import[]>>();

export function sourceGraph(sources: Sources): SourceGraph {
  const byFile = new Map<string, readonly Import[]>();
  for (const [file, text] of sources) {
    const ofFile = parsed.get(file) ?? new Map<string, readonly Import[]>();
    parsed.set(file, ofFile);
    const imports = ofFile.get(text) ?? parseImports(file, text);
    ofFile.set(text, imports);
    byFile.set(file, imports);
  }
  return {
    sources,
    imports: [...byFile.values()].flat(),
    importsOf: (file) => byFile.get(file) ?? [],
  };
}

const STATEMENT =
  /^(?:import|export)\s+(type\s)?\s*(\*(?:\s+as\s+\w+)?|[\w$]+(?:\s*,\s*\{[^}]*\})?|\{[^}]*\})\s*from\s+['"]([^'"]+)['"]/gm;
/** Imports without names: for side effects, and dynamic ones. */
const BARE =
  /^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|\b(?:require|getBuiltinModule)\(\s*['"]([^'"]+)['"]/gm;

function parseImports(file: string, text: string): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean, names: readonly string[]): void => {
    const isLocal = specifier.startsWith('.');
    const to = isLocal ? joinPosix(dirname(file), specifier) : specifier;
    found.push({ from: file, to, isLocal, typeOnly, names });
  };
  for (const [, type, clause = '', specifier = ''] of text.matchAll(STATEMENT)) {
    const listed =
      /\{([^}]*)\}/
        .exec(clause)?.[1]
        ?.split(',')
        .map((name) => name.trim()) ?? [];
    const names = listed.filter((name) => name !== '');
    const typeOnly = type !== undefined || (names.length > 0 && names.every((name) => name.startsWith('type ')));
    const taken = names.map((name) => name.replace(/^type /, '').replace(/ as .*$/, ''));
    add(specifier, typeOnly, clause.startsWith('*') ? ['*'] : clause.startsWith('{') ? taken : ['default', ...taken]);
  }
  for (const [, plain, dynamic, required] of text.matchAll(BARE)) {
    add(plain ?? dynamic ?? required ?? '', false, ['*']);
  }
  return found;
}

/**
 * All files that the given files reach, each with the file that leads to it first; the given files lead to themselves. `follow` selects the
 * imports.
 */
export function closureOf(
  graph: SourceGraph,
  files: Iterable<string>,
  follow: (entry: Import) => boolean,
): ReadonlyMap<string, string> {
  const reached = new Map<string, string>();
  const pending: string[] = [];
  for (const file of files) {
    reached.set(file, file);
    pending.push(file);
  }
  for (let file = pending.shift(); file !== undefined; file = pending.shift()) {
    for (const entry of graph.importsOf(file)) {
      if (!follow(entry) || reached.has(entry.to)) continue;
      reached.set(entry.to, file);
      if (entry.isLocal) pending.push(entry.to);
    }
  }
  return reached;
}

/** The import path to a file of a closure: `a → b → c`. */
export function wayTo(file: string, closure: ReadonlyMap<string, string>): string {
  const way = [file];
  for (let at = file; ; ) {
    const before = closure.get(at);
    if (before === undefined || before === at) return way.reverse().join(' → ');
    way.push(before);
    at = before;
  }
}

/** Each cycle once, as its nodes in order. */
export function cyclesOf(next: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(node);
    if (seen >= 0) {
      cycles.push([...trail.slice(seen), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const following of next.get(node) ?? []) visit(following, [...trail, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return cycles;
}
