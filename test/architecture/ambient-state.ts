// Finds files that use ambient state instead of parameters or imports: clock, random numbers, process, console, Node's globals.
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

/** esbuild substitutes these names only if no declaration in scope has the name. */
const MARKS = {
  ...Object.fromEntries(NAMES.map((name) => [name, `__ambient.${name.replaceAll('.', '$')}`])),
  // Part of every runtime, and stateless; TypeScript's ES library does not declare it.
  'globalThis.WebAssembly': 'WebAssembly',
};

const known = new Map<string, readonly string[]>();

/** The distinct names that a text uses: `process`, `Date.now`, `new Date()`. Comments, strings and types are ignored. */
export async function ambientState(text: string): Promise<readonly string[]> {
  const before = known.get(text);
  if (before !== undefined) return before;
  const { code } = await transform(text, { loader: 'ts', define: MARKS, format: 'esm', target: 'es2023' });
  const used = [...code.matchAll(/(new )?__ambient\.([\w$]+)(\(\))?/g)].flatMap(([, created, name = '', call]) => {
    if (name !== 'Date') return [name.replaceAll('$', '.')];
    // A date from given numbers or text does not read the clock.
    return call === undefined ? [] : [created === undefined ? 'Date()' : 'new Date()'];
  });
  const names = [...new Set(used)];
  known.set(text, names);
  return names;
}
