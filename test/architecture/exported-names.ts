// Checks exported names: names used for two purposes, and names without a use.
import { LANGUAGES } from './rooms.ts';
import { type SourceGraph, type Sources, sourceGraph } from './source-graph.ts';

interface Export {
  readonly file: string;
  readonly name: string;
  readonly isType: boolean;
}

const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;

function exportsOf(file: string, text: string): readonly Export[] {
  const found = new Map<string, Export>();
  for (const [, kind, name = ''] of text.matchAll(DECLARATION)) {
    found.set(name, { file, name, isType: kind === 'interface' || kind === 'type' });
  }
  return [...found.values()];
}

/**
 * E.g. `Target: src/engine/target/target.ts, src/settings/configuration.ts`. Re-exports are not duplicates. Policy languages never import each
 * other, so each may export its own version of an API term.
 */
export function sharedNames(sources: Sources): readonly string[] {
  const files = new Map<string, string[]>();
  for (const [file, text] of sources) {
    for (const { name } of exportsOf(file, text)) files.set(name, [...(files.get(name) ?? []), file]);
  }
  return [...files].filter(([, of]) => canMeet(of)).map(([name, of]) => `${name}: ${of.join(', ')}`);
}

function canMeet(files: readonly string[]): boolean {
  const languages = files.map((file) => LANGUAGES.find((language) => file.startsWith(`src/${language}/`)));
  return files.length > 1 && (languages.includes(undefined) || new Set(languages).size < files.length);
}

/**
 * Exports of src/ without a use in the program: nothing imports them, or only tests do and the file itself does not use them. A type may be
 * exported because an exported function uses it.
 */
export function unusedExports(program: Sources, tests: Sources): readonly string[] {
  const taken = takenNames(sourceGraph(program));
  const tested = takenNames(sourceGraph(tests));
  const unused: string[] = [];
  for (const [file, text] of program) {
    const names = taken.get(file);
    if (!file.startsWith('src/') || names?.has('*')) continue;
    for (const { name, isType } of exportsOf(file, text)) {
      if (names?.has(name)) continue;
      const isOwn = occurrences(text, name) > 1;
      if (!isOwn)
        unused.push(
          `${file} exports ${name}, which ${tested.get(file)?.has(name) ? 'only tests use' : 'nothing uses'}`,
        );
      else if (!isType && !tested.get(file)?.has(name))
        unused.push(`${file} exports ${name}, which no other file uses`);
    }
  }
  return unused;
}

function takenNames({ imports }: SourceGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const taken = new Map<string, Set<string>>();
  for (const { to, names } of imports) {
    const of = taken.get(to) ?? new Set();
    for (const name of names) of.add(name);
    taken.set(to, of);
  }
  return taken;
}

function occurrences(text: string, name: string): number {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return code.match(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))?.length ?? 0;
}

/** Files of src/ that no entry point or script reaches. */
export function unreachedFiles(sources: Sources, starts: readonly string[]): readonly string[] {
  const graph = sourceGraph(sources);
  const reached = new Set<string>(starts);
  const pending = [...starts];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const { to } of graph.importsOf(file)) {
      if (reached.has(to) || !sources.has(to)) continue;
      reached.add(to);
      pending.push(to);
    }
  }
  return [...sources.keys()].filter((file) => file.startsWith('src/') && !reached.has(file));
}
