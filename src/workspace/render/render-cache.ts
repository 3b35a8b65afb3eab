// Caches rendered output between runs, by request and by the content of everything that the engine read. Entries can be lost without harm.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RenderBudget } from '../../render/engine/render-budget.ts';
import {
  ENGINE_LIMITS,
  LITTLE_MEMORY,
  type RenderEngine,
  type RenderedAside,
} from '../../render/engine/render-engine.ts';
import type {
  FailureClass,
  RenderChance,
  RenderOutcome,
  RenderRequest,
  TemplateRequest,
} from '../../render/engine/render-request.ts';
import { overlaid, RecordedTree } from '../../render/sources/root/recorded-tree.ts';
import type { FileTree, Question } from '../../source/tree/file-tree.ts';
import { cacheFolder } from '../cache/cache-folder.ts';
import { EnginePool } from './engine-pool.ts';
import { lazyEngine, readEngine } from './load-engine.ts';

export interface RenderCacheOptions {
  readonly folder: string;
  /** Root of the checked repository. The cache is trusted, so a change must not be able to write it. */
  readonly root: string;
  /** Version of the program; entries of other versions are ignored. */
  readonly version: string;
  /** Limit for all entries together; the oldest are removed first. */
  readonly maximumBytes?: number;
}

/** Bump this to discard caches written by other versions. */
const FORMAT = 1;
const MAXIMUM_BYTES = 256 * 1024 * 1024;
const MAXIMUM_ENTRY_BYTES = 32 * 1024 * 1024;
/** Cached states per entry point: base, head and one earlier state. */
const MAXIMUM_STATES = 3;
const QUESTIONS: ReadonlySet<unknown> = new Set<keyof FileTree>(['kind', 'read', 'target', 'list']);
/** A time limit may not be reached in the next run. */
const FLEETING: ReadonlySet<string> = new Set<FailureClass>(['limit', 'busy', 'budget']);
const ENDING = '.rendered.json';

/** One state of the inputs of a request, and its rendered output. */
interface Entry {
  readonly questions: readonly Question[];
  /** Digest of the answers to `questions`. */
  readonly digest: string;
  readonly outcome: RenderOutcome;
}

/**
 * Wraps an engine with the cache; loads the engine only on a cache miss. Throws WorkspaceError for a folder that cannot
 * be created or is inside the repository.
 */
export function cachedEngine(engine: () => RenderEngine, options: RenderCacheOptions): () => RenderEngine {
  const store = new EntryStore(options);
  const digests = new AnswerDigests();
  let build: string | undefined;
  const placeOf = (request: RenderRequest | TemplateRequest, tree: FileTree, chance: RenderChance): EntryPlace => {
    build ??= sha256(readEngine());
    const key = sha256(JSON.stringify([FORMAT, options.version, build, ENGINE_LIMITS, chance, request]));
    const entries = store.read(key);
    return { key, entries, known: entries.find(({ questions, digest }) => digests.of(tree, questions) === digest) };
  };
  const keep = ({ key, entries }: EntryPlace, tree: FileTree, { outcome, questions }: RenderedAside): void => {
    if ('failure' in outcome && FLEETING.has(outcome.failure)) return;
    const entry = { questions, digest: digests.of(tree, questions), outcome };
    store.write(key, [entry, ...entries.slice(0, MAXIMUM_STATES - 1)]);
  };
  const render: RenderEngine['render'] = (request, tree, chance) => {
    const place = placeOf(request, tree, chance);
    if (place.known !== undefined) return place.known.outcome;
    const recorded = new RecordedTree(tree);
    const outcome = engine().render(request, recorded, chance);
    keep(place, tree, { outcome, questions: recorded.questions() });
    return outcome;
  };
  const begin: RenderEngine['begin'] = (orders) => {
    const places = orders.map(({ request, tree, overlay, chance }) =>
      placeOf(request, overlaid(tree, overlay), chance),
    );
    const missing = orders.flatMap((order, index) => (places[index]?.known === undefined ? [order] : []));
    const begun = (missing.length === 0 ? undefined : engine().begin?.(missing))?.values();
    return orders.map(({ tree, overlay }, index) => {
      const place = places[index] as EntryPlace;
      const { known } = place;
      if (known !== undefined) return () => known;
      const wait = begun?.next().value;
      return (
        wait &&
        (() => {
          const aside = wait();
          if (aside !== undefined) keep(place, overlaid(tree, overlay), aside);
          return aside;
        })
      );
    });
  };
  return () => ({ render, begin });
}

/** The cached entries of a request, and the entry that matches the current tree. */
interface EntryPlace {
  readonly key: string;
  readonly entries: readonly Entry[];
  readonly known: Entry | undefined;
}

export interface EngineUse {
  /** Absent: rendered output is not cached. */
  readonly cache: RenderCacheOptions | undefined;
  /** Maximum number of threads besides the calling one; absent: none. */
  readonly workers?: number | undefined;
  /** The process runs for long, so the engine of the calling thread should hold little memory. */
  readonly runsLong?: boolean;
  /** Processor time for all renderings, in milliseconds; absent: the default. A process that runs long has no budget. */
  readonly budget?: number | undefined;
}

export interface OpenedEngine {
  readonly engine: () => RenderEngine;
  close(): void;
}

/** Throws WorkspaceError like `cachedEngine`. */
export function startEngine({ cache, workers = 0, runsLong = false, budget }: EngineUse): OpenedEngine {
  const pool = workers > 1 ? new EnginePool({ workers, budget }) : undefined;
  const own = runsLong ? lazyEngine({ memory: LITTLE_MEMORY }) : lazyEngine({ budget: new RenderBudget(budget) });
  const engine = pool === undefined ? own : () => pool.engine;
  return { engine: cache === undefined ? engine : cachedEngine(engine, cache), close: () => pool?.close() };
}

/** Caches the digest of each text. */
class AnswerDigests {
  readonly #known = new WeakMap<Uint8Array, string>();

  of(tree: FileTree, questions: readonly Question[]): string {
    const hash = createHash('sha256');
    for (const [about, name] of questions)
      hash.update(`${JSON.stringify([about, name, this.#answer(tree, about, name)])}\n`);
    return hash.digest('hex');
  }

  #answer(tree: FileTree, about: keyof FileTree, name: string): unknown {
    if (about === 'list') return [...tree.list(name)].sort();
    if (about !== 'read') return tree[about](name) ?? null;
    const bytes = tree.read(name);
    if (bytes === undefined) return null;
    let digest = this.#known.get(bytes);
    if (digest === undefined) {
      digest = sha256(bytes);
      this.#known.set(bytes, digest);
    }
    return digest;
  }
}

/** Files with entries, each preceded by its digest. Damaged files count as missing. */
class EntryStore {
  readonly #folder: string;
  readonly #maximum: number;
  /** Total size of the folder; undefined before the first write. */
  #bytes: number | undefined;
  #mayWrite = true;

  constructor({ folder, root, maximumBytes = MAXIMUM_BYTES }: RenderCacheOptions) {
    this.#folder = cacheFolder(folder, root);
    this.#maximum = maximumBytes;
  }

  read(key: string): readonly Entry[] {
    try {
      const text = readFileSync(this.#file(key), 'utf8');
      const end = text.indexOf('\n');
      const content = text.slice(end + 1);
      if (text.slice(0, end) !== sha256(content)) return [];
      const entries: unknown = JSON.parse(content);
      return Array.isArray(entries) && entries.every(isEntry) ? entries : [];
    } catch {
      return [];
    }
  }

  /** A write error is ignored; the output is then rendered again. */
  write(key: string, entries: readonly Entry[]): void {
    if (!this.#mayWrite) return;
    const content = JSON.stringify(entries);
    const text = `${sha256(content)}\n${content}`;
    if (text.length > Math.min(MAXIMUM_ENTRY_BYTES, this.#maximum)) return;
    const file = this.#file(key);
    try {
      // Another run may read the file at the same time.
      writeFileSync(`${file}.${process.pid}`, text);
      renameSync(`${file}.${process.pid}`, file);
      this.#bytes = (this.#bytes ?? this.#sizes().reduce((sum, { size }) => sum + size, 0)) + text.length;
      if (this.#bytes > this.#maximum) this.#shrink();
    } catch {
      this.#mayWrite = false;
    }
  }

  #file(key: string): string {
    return path.join(this.#folder, `${key}${ENDING}`);
  }

  #sizes(): readonly { readonly file: string; readonly size: number; readonly written: number }[] {
    const names = readdirSync(this.#folder).filter((name) => name.includes(ENDING));
    return names.flatMap((name) => {
      const file = path.join(this.#folder, name);
      const status = statSync(file, { throwIfNoEntry: false });
      return status === undefined ? [] : [{ file, size: status.size, written: status.mtimeMs }];
    });
  }

  /** Shrinks to three quarters of the limit, so that the next write does not shrink again. */
  #shrink(): void {
    const files = [...this.#sizes()].sort((one, other) => one.written - other.written);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files) {
      if (bytes <= (this.#maximum * 3) / 4) break;
      rmSync(file, { force: true });
      bytes -= size;
    }
    this.#bytes = bytes;
  }
}

/** The digest proves that the entry is undamaged, but another program may have written it. */
function isEntry(value: unknown): value is Entry {
  const { questions, digest, outcome } = (value ?? {}) as Partial<Record<keyof Entry, unknown>>;
  const areQuestions =
    Array.isArray(questions) &&
    questions.every((each) => Array.isArray(each) && QUESTIONS.has(each[0]) && typeof each[1] === 'string');
  return areQuestions && typeof digest === 'string' && isOutcome(outcome);
}

function isOutcome(value: unknown): value is RenderOutcome {
  const { failure, message, objects, warnings } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(warnings)) return false;
  if (typeof failure === 'string') return typeof message === 'string';
  return Array.isArray(objects) && objects.every((object) => typeof object?.text === 'string');
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
