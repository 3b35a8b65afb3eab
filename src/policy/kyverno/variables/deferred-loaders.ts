// Context entries that load when a query names them (`pkg/engine/context/deferred.go`).
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import type { VariableError } from './variable-error.ts';

export interface ContextLoader {
  readonly name: string;
  /** True after the first load. */
  readonly hasLoaded: boolean;
  /** Adds the value to the context. May be called again. */
  load(): VariableError | undefined;
}

interface LeveledLoader {
  readonly loader: ContextLoader;
  /** Number of checkpoints when the entry was added. */
  readonly level: number;
  /** True if the name is not a regular expression. */
  readonly isPlain: boolean;
  matched: boolean;
}

/** While an entry loads, only earlier entries can load. An entry that several others need is found once. */
export class DeferredLoaders {
  readonly #regexes: RegexCache;
  #loaders: LeveledLoader[] = [];
  /** Level and index of the entry that is loading. */
  #loading: { readonly level: number; readonly index: number } | undefined;

  constructor(regexes: RegexCache) {
    this.#regexes = regexes;
  }

  add(loader: ContextLoader, level: number): void {
    this.#loaders.push({ loader, level, isPlain: PLAIN_NAME.test(loader.name), matched: false });
  }

  get isEmpty(): boolean {
    return this.#loaders.length === 0;
  }

  loadMatching(query: string, checkpoints: number): VariableError | undefined {
    if (this.#loaders.length === 0) return undefined;
    const level = this.#loading?.level ?? checkpoints;
    const end = this.#loading?.index ?? this.#loaders.length;
    for (;;) {
      const index = this.#match(query, level, end);
      if (index < 0) return undefined;
      const error = this.#load(index);
      if (error !== undefined) return error;
    }
  }

  #match(query: string, level: number, end: number): number {
    for (let index = 0; index < Math.min(end, this.#loaders.length); index++) {
      const entry = this.#loaders[index] as LeveledLoader;
      if (entry.matched || entry.loader.hasLoaded || entry.level > level) continue;
      if (entry.isPlain && !query.includes(entry.loader.name)) continue;
      if (!namesEntry(query, entry.loader.name, this.#regexes)) continue;
      entry.matched = true;
      return index;
    }
    return -1;
  }

  /** A nested load ends both: Kyverno keeps no stack. */
  #load(index: number): VariableError | undefined {
    const entry = this.#loaders[index] as LeveledLoader;
    this.#loading = { level: entry.level, index };
    let isDone = false;
    try {
      const error = entry.loader.load();
      isDone = true;
      return error;
    } finally {
      this.#loading = undefined;
      // An entry that depends on an open field throws on each access.
      if (!isDone) entry.matched = false;
    }
  }

  /** Call after returning to a checkpoint; `checkpoints` remain. Ignores errors of loading again. */
  reset(isRestore: boolean, checkpoints: number): void {
    for (const entry of this.#loaders) entry.matched = false;
    for (let index = 0; index < this.#loaders.length; index++) {
      const { loader, level } = this.#loaders[index] as LeveledLoader;
      let isKept = level <= checkpoints;
      if (isKept && loader.hasLoaded) {
        if (isRestore || level < checkpoints) this.#load(index);
        isKept = level !== checkpoints;
      } else if (!isRestore && level === checkpoints) isKept = false;
      if (!isKept) this.#loaders.splice(index--, 1);
    }
  }
}

const PLAIN_NAME = /^[A-Za-z0-9_-]+$/;

/**
 * True if a query contains the entry's name as a word, without a dot, digit or letter before it. Kyverno uses the name
 * as a regular expression.
 */
export function namesEntry(query: string, name: string, regexes: RegexCache): boolean {
  if (!PLAIN_NAME.test(name)) {
    const regex = regexes.compile(`(?:\\A|\\z|\\s|[^.0-9A-Za-z])${name}\\b`);
    return !('error' in regex) && regex.matches(query);
  }
  for (let at = query.indexOf(name); at >= 0; at = query.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isStart = at === 0 || !/[.0-9A-Za-z]/.test(query.charAt(at - 1));
    if (isStart && isWord(query.charAt(end - 1)) !== isWord(query.charAt(end))) return true;
  }
  return false;
}

function isWord(character: string): boolean {
  return /^[0-9A-Za-z_]$/.test(character);
}
