// Which files use something that is neither given to them nor imported: the clock, chance, the process, the console, Node's globals.
import { transform } from 'esbuild';

const NAMES = [
  'process',
  'console',
  'performance',
  'navigator',
  'crypto',
  'fetch',
  'Buffer',
  'global',
  'globalThis',
  'window',
  'self',
  'require',
  '__dirname',
  '__filename',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'Math.random',
  'Date.now',
  'Date',
  'import.meta.url',
  'import.meta.dirname',
  'import.meta.filename',
];

/** The compiler puts these in place of a name only where no declaration in scope has the name. */
const MARKS = {
  ...Object.fromEntries(NAMES.map((name) => [name, `__ambient.${name.replaceAll('.', '$')}`])),
  // Part of every runtime, and without state; TypeScript's types of the language leave it out.
  'globalThis.WebAssembly': 'WebAssembly',
};

const known = new Map<string, readonly string[]>();

/** The names a text uses, each once: `process`, `Date.now`, `new Date()`. Comments, strings and types are no use. */
export async function ambientState(text: string): Promise<readonly string[]> {
  const before = known.get(text);
  if (before !== undefined) return before;
  const { code } = await transform(text, { loader: 'ts', define: MARKS, format: 'esm', target: 'es2023' });
  const used = [...code.matchAll(/(new )?__ambient\.([\w$]+)(\(\))?/g)].flatMap(([, created, name = '', call]) => {
    if (name !== 'Date') return [name.replaceAll('$', '.')];
    // A moment made from given numbers or text is no clock.
    return call === undefined ? [] : [created === undefined ? 'Date()' : 'new Date()'];
  });
  const names = [...new Set(used)];
  known.set(text, names);
  return names;
}
