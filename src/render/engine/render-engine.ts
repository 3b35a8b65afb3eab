// Runs kustomize and Helm in WebAssembly: one instance answers many requests; one that was stopped or crashed is replaced.
import { decodeAnswer, encodeRequest, unmounted } from './engine-exchange.ts';
import type { FileTree, Question } from './file-tree.ts';
import { treeOf } from './file-tree.ts';
import type { RenderChance, RenderFailure, RenderOutcome, RenderRequest, TemplateRequest } from './render-request.ts';
import { SandboxFiles } from './sandbox-files.ts';
import { EngineStop, type EngineSystem, systemImports } from './system-imports.ts';
import { type EngineExports, type EngineModule, webAssembly } from './web-assembly.ts';

export interface EngineLimits {
  /** Of the processor's time, for one request; measured when the engine asks for the time, which it does whenever it collects garbage. */
  readonly milliseconds: number;
  /** Of the clock's time, for one request: only a machine that has too much to do comes to it first. */
  readonly patience: number;
  /** How often files and folders are opened for one request, the same one as often as it is: counted, so that it is the same on every machine. */
  readonly opens: number;
  /** Of all objects of one request together. */
  readonly outputBytes: number;
  /** The maximum the module was given by `limitMemory`. */
  readonly memoryPages: number;
}

export const ENGINE_LIMITS: EngineLimits = {
  milliseconds: 60_000,
  patience: 900_000,
  opens: 10_000,
  outputBytes: 64 * 1024 * 1024,
  memoryPages: 12 * 1024,
};

/** How much memory an engine holds between requests and while it renders; what it renders is the same. */
export interface EngineMemory {
  /**
   * Pages of 64 KiB that it begins with, which nothing takes before they are written to. Whenever a memory grows, V8 looks through all that
   * is alive for the sake of the memory that was.
   */
  readonly initialPages: number;
  /** What one rendering needs may be far above what the next one does, and memory is never given back: above it the engine begins anew. */
  readonly keptBytes: number;
  /** When Go collects garbage, as its runtime reads it. */
  readonly environment: readonly string[];
  /** True for programs that come to a pause after they loaded the engine: what that took is given back then. */
  readonly hasPauses: boolean;
}

/**
 * For programs that render and end. Go collects garbage before it takes more memory than this, as growing a memory costs more than
 * collecting; and not much earlier, as looking through what is alive each time was a fifth of the time.
 */
export const AMPLE_MEMORY: EngineMemory = {
  initialPages: 4096,
  keptBytes: 384 * 1024 * 1024,
  environment: ['GOMEMLIMIT=192MiB', 'GOGC=400'],
  hasPauses: false,
};

/** For programs that run for hours beside others. */
export const LITTLE_MEMORY: EngineMemory = {
  initialPages: 0,
  keptBytes: 128 * 1024 * 1024,
  environment: ['GOMEMLIMIT=64MiB', 'GOGC=200'],
  hasPauses: true,
};

export interface RenderEngine {
  /** Never throws for what a tree or request holds. Synchronous. */
  readonly render: (request: RenderRequest | TemplateRequest, tree: FileTree, chance: RenderChance) => RenderOutcome;
  /**
   * Told what is going to be asked, so that it can be rendered beside other work; in the order of the orders, undefined for what is not
   * begun. Absent: nothing ever is.
   */
  readonly begin?: (orders: readonly RenderOrder[]) => readonly (BegunRendering | undefined)[];
}

/** What is going to be asked of an engine. */
export interface RenderOrder {
  readonly request: RenderRequest;
  readonly tree: FileTree;
  /** Texts over the tree, by path. */
  readonly overlay: ReadonlyMap<string, string> | undefined;
  readonly chance: RenderChance;
  /** Paths of files and folders that will probably be read. */
  readonly reads: Iterable<string>;
}

/** Waits until it is rendered, the first time; undefined: it could not be done beside other work, and has to be asked of `render`. */
export type BegunRendering = () => RenderedAside | undefined;

export interface RenderedAside {
  readonly outcome: RenderOutcome;
  /** What was asked of the tree with its overlay, each once. */
  readonly questions: readonly Question[];
}

export interface EngineOptions {
  /** Compiled from bytes that went through `limitMemory`. */
  readonly module: EngineModule;
  readonly limits?: EngineLimits;
  readonly memory?: EngineMemory;
  /** Milliseconds from any start; never goes back. */
  readonly elapsed: () => number;
  /** Milliseconds of the processor's time that were spent on this; never goes back. */
  readonly spent: () => number;
}

/** Milliseconds. */
const SPENT_PAUSE = 200;
const MAXIMUM_PRINTED = 64 * 1024;

interface Instance {
  readonly exports: EngineExports;
  readonly system: EngineSystem;
  readonly exchange: Exchange;
}

interface Exchange {
  request: Uint8Array;
  answer: Uint8Array[];
  answerBytes: number;
}

export function createRenderEngine(options: EngineOptions): RenderEngine {
  const { module, elapsed, limits = ENGINE_LIMITS, memory = AMPLE_MEMORY } = options;
  const spent = askedSeldom(options.spent, elapsed);
  let instance: Instance | undefined;
  return {
    render: (request, tree, chance) => {
      const printed = new Printed();
      try {
        instance ??= instantiate(module, { elapsed, spent }, limits, memory.environment, printed.add);
        const { system, exchange } = instance;
        const watched = watchedTree(tree);
        system.files = new SandboxFiles(watched.tree);
        system.now = chance.now;
        system.random = randomBytes(chance.seed);
        system.usedChance = false;
        system.readClock = false;
        system.print = printed.add;
        system.deadline = { spent: spent() + limits.milliseconds, elapsed: elapsed() + limits.patience };
        system.opens = limits.opens;
        exchange.request = encodeRequest(request, chance);
        exchange.answer = [];
        exchange.answerBytes = 0;
        instance.exports.render();
        const outcome = decodeAnswer(
          request,
          exchange.answer,
          printed.lines(),
          system.usedChance || (system.readClock && mayTellTime(watched.read, request)),
        );
        if (instance.exports.memory.buffer.byteLength > memory.keptBytes) instance = undefined;
        return outcome;
      } catch (error) {
        instance = undefined;
        return stopped(error, printed.lines());
      }
    },
  };
}

/** The engine asks for the time each time it collects garbage, and what a process has spent takes longer to say. */
function askedSeldom(spent: () => number, elapsed: () => number): () => number {
  let asked = Number.NEGATIVE_INFINITY;
  let known = 0;
  return () => {
    const now = elapsed();
    if (now - asked >= SPENT_PAUSE) [asked, known] = [now, spent()];
    return known;
  };
}

/** Words of templates. */
const TIME_WORDS = /\b(?:now|ago|date)\b/;
/** Where kustomize runs templates, or calls a release by the time; nothing else of it asks for either. */
const CHART_WORDS = /\b(?:helmCharts|[hH]elmChartInflationGenerator)\b/;

function watchedTree(tree: FileTree): { readonly tree: FileTree; readonly read: Map<string, Uint8Array> } {
  const read = new Map<string, Uint8Array>();
  const watched = (path: string): Uint8Array | undefined => {
    const bytes = tree.read(path);
    if (bytes !== undefined) read.set(path, bytes);
    return bytes;
  };
  return {
    tree: {
      kind: (path) => tree.kind(path),
      target: (path) => tree.target(path),
      list: (path) => tree.list(path),
      read: watched,
    },
    read,
  };
}

/** What is in an archive nobody sees here. Kustomize without charts has no templates: its words are words. */
function mayTellTime(read: ReadonlyMap<string, Uint8Array>, request: RenderRequest | TemplateRequest): boolean {
  const decoder = new TextDecoder();
  const words = request.engine === 'kustomize' ? CHART_WORDS : TIME_WORDS;
  return (
    words.test(JSON.stringify(request)) ||
    [...read].some(([path, bytes]) => path.endsWith('.tgz') || words.test(decoder.decode(bytes)))
  );
}

function instantiate(
  module: EngineModule,
  clocks: Pick<EngineSystem, 'elapsed' | 'spent'>,
  limits: EngineLimits,
  environment: readonly string[],
  print: (text: string) => void,
): Instance {
  const system: EngineSystem = {
    files: new SandboxFiles(treeOf({ files: new Map() })),
    now: 0,
    ...clocks,
    deadline: { spent: Number.POSITIVE_INFINITY, elapsed: Number.POSITIVE_INFINITY },
    opens: 0,
    random: randomBytes(0),
    usedChance: false,
    readClock: false,
    print,
  };
  const exchange: Exchange = { request: new Uint8Array(), answer: [], answerBytes: 0 };
  const memory = (): ArrayBuffer => exports.memory.buffer;
  const { exports } = new webAssembly.Instance(module, {
    wasi_snapshot_preview1: systemImports(system, memory, environment),
    preadmit: {
      request_length: () => exchange.request.length,
      request: (into: number) => new Uint8Array(memory()).set(exchange.request, into),
      answer: (from: number, length: number) => {
        exchange.answerBytes += length;
        if (exchange.answerBytes > limits.outputBytes) {
          throw new EngineStop('output', `more than ${limits.outputBytes} bytes were rendered`);
        }
        exchange.answer.push(new Uint8Array(memory(), from, length).slice());
      },
    },
  });
  exports._initialize();
  return { exports, system, exchange };
}

/** The engine was stopped, or ran out of memory or stack: a limit, whatever the words. */
function stopped(error: unknown, printed: readonly string[]): RenderFailure {
  const crash = printed.find((line) => /^(?:fatal error|panic|runtime): /.test(line));
  const warnings = printed.filter((line) => line === crash || !/^goroutine |^\s|^$/.test(line)).slice(0, 3);
  const isBusy = error instanceof EngineStop && error.reason === 'busy';
  return { failure: isBusy ? 'busy' : 'limit', message: stopMessage(error, crash), warnings };
}

function stopMessage(error: unknown, crash: string | undefined): string {
  if (error instanceof EngineStop && error.reason !== 'exit') return error.message;
  if (error instanceof RangeError || /stack/.test(crash ?? '')) return 'rendering nests too deeply';
  if (/memory/.test(crash ?? '')) return 'rendering needs more memory than it may have';
  const words = error instanceof Error ? error.message : String(error);
  return `the engine crashed: ${crash ?? words}`;
}

/** What the engine printed, up to a limit. */
class Printed {
  #text = '';

  readonly add = (text: string): void => {
    if (this.#text.length < MAXIMUM_PRINTED) this.#text += text;
  };

  lines(): readonly string[] {
    return unmounted(this.#text)
      .split('\n')
      .filter((line) => line !== '');
  }
}

/** xorshift: repeatable, and random enough for names; nothing secret is made with it. */
function randomBytes(seed: number): (bytes: Uint8Array) => void {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      state >>>= 0;
      bytes[i] = (state >>> 11) & 0xff;
    }
  };
}
