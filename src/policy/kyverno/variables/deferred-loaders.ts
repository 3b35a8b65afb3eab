// Context entries that are loaded when a query names them (`pkg/engine/context/deferred.go`).
import type { RegexCache } from '../../../go/regexp/regex-cache.ts';
import type { VariableError } from './variable-error.ts';

export interface ContextLoader {
  /** Of the context entry. */
  readonly name: string;
  /** Whether it has put its value into a context before. */
  readonly hasLoaded: boolean;
  /** Puts the value into the context, also a second time. */
  load(): VariableError | undefined;
}

interface LeveledLoader {
  readonly loader: ContextLoader;
  /** How many checkpoints there were when it was added. */
  readonly level: number;
  /** No regular expression. */
  readonly isPlain: boolean;
  matched: boolean;
}

/** Only entries that come before an entry can be loaded for it; what is loaded twice by way of others is found once. */
export class DeferredLoaders {
  readonly #regexes: RegexCache;
  #loaders: LeveledLoader[] = [];
  /** While an entry is loaded: its level and position. */
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

  /** Loading inside loading ends both: Kyverno keeps no stack. */
  #load(index: number): VariableError | undefined {
    const { loader, level } = this.#loaders[index] as LeveledLoader;
    this.#loading = { level, index };
    const error = loader.load();
    this.#loading = undefined;
    return error;
  }

  /** After the context went back to a checkpoint, of which `checkpoints` are left. Errors of loading again are passed over. */
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
 * Whether a query mentions an entry: as a word that no dot, digit or letter stands before. The name is part of a regular expression
 * in Kyverno.
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
