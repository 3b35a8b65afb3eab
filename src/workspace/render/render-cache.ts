// What the engine rendered in earlier runs, in a folder: found by the request and by the content of all it read, lost without harm.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FileTree, Question } from '../../render/engine/file-tree.ts';
import {
  ENGINE_LIMITS,
  LITTLE_MEMORY,
  type RenderEngine,
  type RenderedAside,
} from '../../render/engine/render-engine.ts';
import type {
  RenderChance,
  RenderOutcome,
  RenderRequest,
  TemplateRequest,
} from '../../render/engine/render-request.ts';
import { overlaid, RecordedTree } from '../../render/sources/recorded-tree.ts';
import { cacheFolder } from '../cache/cache-folder.ts';
import { EnginePool } from './engine-pool.ts';
import { lazyEngine, readEngine } from './load-engine.ts';

export interface RenderCacheOptions {
  readonly folder: string;
  /** Top of the repository that is checked: what a change can write is no place for what is believed. */
  readonly root: string;
  /** Of the program: what another one wrote is not read. */
  readonly version: string;
  /** Of all entries together; the oldest go first. */
  readonly maximumBytes?: number;
}

/** Other numbers: what other versions wrote is not read. */
const FORMAT = 1;
const MAXIMUM_BYTES = 256 * 1024 * 1024;
const MAXIMUM_ENTRY_BYTES = 32 * 1024 * 1024;
/** States of one root that are kept beside each other: base, head and the one before. */
const MAXIMUM_STATES = 3;
const QUESTIONS: ReadonlySet<unknown> = new Set<keyof FileTree>(['kind', 'read', 'target', 'list']);
const ENDING = '.rendered.json';

/** One state of what a request reads, and what was rendered of it. */
interface Entry {
  readonly questions: readonly Question[];
  /** Of the answers. */
  readonly digest: string;
  readonly outcome: RenderOutcome;
}

/**
 * An engine that asks the folder first, and loads the other one when it must. Throws WorkspaceError for a folder that cannot be made, or
 * that lies in the repository.
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
    // A limit may be met today and not tomorrow.
    if ('failure' in outcome && (outcome.failure === 'limit' || outcome.failure === 'busy')) return;
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

/** Where a request's entries are, and the one that holds for the tree that was asked about. */
interface EntryPlace {
  readonly key: string;
  readonly entries: readonly Entry[];
  readonly known: Entry | undefined;
}

export interface EngineUse {
  /** With a folder, what the engine rendered is kept there. */
  readonly cache: RenderCacheOptions | undefined;
  /** Most threads that render beside the one that asks; absent: none. */
  readonly workers?: number | undefined;
  /** The engine that is asked without threads holds little memory. */
  readonly runsLong?: boolean;
}

export interface OpenedEngine {
  readonly engine: () => RenderEngine;
  /** Ends the threads. */
  close(): void;
}

/** Throws WorkspaceError as `cachedEngine` does. */
export function startEngine({ cache, workers = 0, runsLong = false }: EngineUse): OpenedEngine {
  const pool = workers > 1 ? new EnginePool({ workers }) : undefined;
  const engine = pool === undefined ? lazyEngine(runsLong ? LITTLE_MEMORY : undefined) : () => pool.engine;
  return { engine: cache === undefined ? engine : cachedEngine(engine, cache), close: () => pool?.close() };
}

/** Each text is digested once. */
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

/** Files of entries, each with its own digest before it: what is damaged is as if it were not there. */
class EntryStore {
  readonly #folder: string;
  readonly #maximum: number;
  /** Of what lies in the folder; undefined before the first writing. */
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

  /** What cannot be written is rendered again the next time. */
  write(key: string, entries: readonly Entry[]): void {
    if (!this.#mayWrite) return;
    const content = JSON.stringify(entries);
    const text = `${sha256(content)}\n${content}`;
    if (text.length > Math.min(MAXIMUM_ENTRY_BYTES, this.#maximum)) return;
    const file = this.#file(key);
    try {
      // Another run may read it at the same time.
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

  /** To three quarters, so that it is not done again at once. */
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

/** The digest before them says that they are as they were written; what wrote them may have been another program. */
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
