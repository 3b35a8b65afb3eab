// Runs kustomize and Helm in WebAssembly. One instance answers many requests; a stopped or crashed instance is replaced.

import { type GoProgram, repeatableBytes, startProgram } from '../../sandbox/go-program.ts';
import { SandboxFiles } from '../../sandbox/sandbox-files.ts';
import { EngineStop } from '../../sandbox/system-imports.ts';
import type { EngineModule } from '../../sandbox/web-assembly.ts';
import type { FileTree, Question } from '../../source/tree/file-tree.ts';
import { decodeAnswer, encodeRequest, unmounted } from './engine-exchange.ts';
import { BUDGET_SPENT, type RenderBudget } from './render-budget.ts';
import type { RenderChance, RenderFailure, RenderOutcome, RenderRequest, TemplateRequest } from './render-request.ts';

export interface EngineLimits {
  /** CPU time for one request. Checked when the engine reads the time, which it does at every garbage collection. */
  readonly milliseconds: number;
  /** Wall-clock time for one request. Only an overloaded machine reaches it first. */
  readonly patience: number;
  /** Opened files and folders for one request, repeats included. A count gives the same result on every machine. */
  readonly opens: number;
  /** Total for all objects of one request. */
  readonly outputBytes: number;
  /** The maximum that `limitMemory` gave the module. */
  readonly memoryPages: number;
}

export const ENGINE_LIMITS: EngineLimits = {
  milliseconds: 8_000,
  patience: 900_000,
  opens: 10_000,
  outputBytes: 64 * 1024 * 1024,
  memoryPages: 12 * 1024,
};

/** How much memory an engine holds between requests and while it renders. It does not change results. */
export interface EngineMemory {
  /**
   * Initial pages of 64 KiB. Untouched pages take no memory. Starting large avoids growth: each time a memory grows, V8 scans all live
   * objects for references to the old one.
   */
  readonly initialPages: number;
  /** The memory of an instance never shrinks. Above this size the instance is replaced after a request. */
  readonly keptBytes: number;
  /** Settings of Go's garbage collector, as its runtime reads them. */
  readonly environment: readonly string[];
  /** True for programs that idle after they load the engine; the memory that loading took is freed then. */
  readonly hasPauses: boolean;
}

/**
 * For programs that render and end. Go collects garbage before it exceeds GOMEMLIMIT, because growing a memory costs more than collecting.
 * It does not collect much earlier, because scanning live objects each time took a fifth of the run.
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
  /** Synchronous. Never throws because of the content of a tree or request. */
  readonly render: (request: RenderRequest | TemplateRequest, tree: FileTree, chance: RenderChance) => RenderOutcome;
  /**
   * Announces upcoming requests so that they can be rendered in parallel. Results are in the order of the orders; undefined for an order
   * that was not started. Absent if the engine never renders in parallel.
   */
  readonly begin?: (orders: readonly RenderOrder[]) => readonly (BegunRendering | undefined)[];
}

export interface RenderOrder {
  readonly request: RenderRequest;
  readonly tree: FileTree;
  /** Replacement texts for files of the tree, by path. */
  readonly overlay: ReadonlyMap<string, string> | undefined;
  readonly chance: RenderChance;
  /** Paths of files and folders that the rendering will probably read. */
  readonly reads: Iterable<string>;
}

/** Waits for the rendering on the first call. Undefined if it could not run in parallel; call `render` instead. */
export type BegunRendering = () => RenderedAside | undefined;

export interface RenderedAside {
  readonly outcome: RenderOutcome;
  /** Each distinct query to the tree and its overlay. */
  readonly questions: readonly Question[];
}

export interface EngineOptions {
  /** Compiled from bytes that `limitMemory` edited. */
  readonly module: EngineModule;
  readonly limits?: EngineLimits;
  readonly memory?: EngineMemory;
  /** Absent: requests have their own limits only. */
  readonly budget?: RenderBudget;
  /** Milliseconds since any fixed start; monotonic. */
  readonly elapsed: () => number;
  /** Milliseconds of CPU time used by this program; monotonic. */
  readonly spent: () => number;
}

/** Milliseconds between two readings of the CPU time. */
const SPENT_PAUSE = 200;
const MAXIMUM_PRINTED = 64 * 1024;

export function createRenderEngine(options: EngineOptions): RenderEngine {
  const { module, elapsed, budget, limits = ENGINE_LIMITS, memory = AMPLE_MEMORY } = options;
  const spent = throttledClock(options.spent, elapsed);
  let program: GoProgram | undefined;
  return {
    render: (request, tree, chance) => {
      const printed = new Printed();
      const left = budget?.left ?? Number.POSITIVE_INFINITY;
      if (left <= 0) return { failure: 'budget', message: BUDGET_SPENT, warnings: [] };
      const start = { spent: options.spent(), elapsed: elapsed() };
      try {
        const { environment } = memory;
        program ??= startProgram({
          module,
          clocks: { elapsed, spent },
          outputBytes: limits.outputBytes,
          environment,
          print: printed.add,
        });
        const { system } = program;
        const watched = watchedTree(tree);
        system.files = new SandboxFiles(watched.tree);
        system.now = chance.now;
        system.random = repeatableBytes(chance.seed);
        system.usedChance = false;
        system.readClock = false;
        system.print = printed.add;
        system.deadline = {
          spent: start.spent + Math.min(limits.milliseconds, left),
          elapsed: start.elapsed + limits.patience,
        };
        system.opens = limits.opens;
        const outcome = decodeAnswer(
          request,
          program.call('render', encodeRequest(request, chance)),
          printed.lines(),
          system.usedChance || (system.readClock && mayReadTime(watched.read, request)),
        );
        if (program.memoryBytes > memory.keptBytes) program = undefined;
        return outcome;
      } catch (error) {
        program = undefined;
        const isTime = error instanceof EngineStop && error.reason === 'time';
        if (isTime && left < limits.milliseconds) return { failure: 'budget', message: BUDGET_SPENT, warnings: [] };
        return stopped(error, printed.lines());
      } finally {
        // Other threads add to the processor time of the program, but not to the elapsed time.
        budget?.spend(Math.min(options.spent() - start.spent, elapsed() - start.elapsed));
      }
    },
  };
}

/** Caches the CPU time: the engine reads it at every garbage collection, and the system call is slow. */
function throttledClock(spent: () => number, elapsed: () => number): () => number {
  let asked = Number.NEGATIVE_INFINITY;
  let known = 0;
  return () => {
    const now = elapsed();
    if (now - asked >= SPENT_PAUSE) [asked, known] = [now, spent()];
    return known;
  };
}

const TIME_WORDS = /\b(?:now|ago|date)\b/;
/** Kustomize uses templates and generated release names only for charts. */
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

/**
 * Archives are not searched, so each one may read the time. Kustomize without charts has no templates, so these words mean nothing there.
 */
function mayReadTime(read: ReadonlyMap<string, Uint8Array>, request: RenderRequest | TemplateRequest): boolean {
  const decoder = new TextDecoder();
  const words = request.engine === 'kustomize' ? CHART_WORDS : TIME_WORDS;
  return (
    words.test(JSON.stringify(request)) ||
    [...read].some(([path, bytes]) => path.endsWith('.tgz') || words.test(decoder.decode(bytes)))
  );
}

/** The engine was stopped, or ran out of memory or stack. Classified as a limit regardless of the message. */
function stopped(error: unknown, printed: readonly string[]): RenderFailure {
  const crash = printed.find((line) => /^(?:fatal error|panic|runtime): /.test(line));
  const warnings = printed.filter((line) => line === crash || !/^goroutine |^\s|^$/.test(line)).slice(0, 3);
  const isBusy = error instanceof EngineStop && error.reason === 'busy';
  return { failure: isBusy ? 'busy' : 'limit', message: stopMessage(error, crash), warnings };
}

function stopMessage(error: unknown, crash: string | undefined): string {
  if (error instanceof EngineStop && error.reason !== 'exit') return error.message;
  if (error instanceof RangeError || /stack/.test(crash ?? '')) return 'rendering nests too deeply';
  if (/memory/.test(crash ?? '')) return 'rendering exceeds the memory limit';
  const words = error instanceof Error ? error.message : String(error);
  return `the engine crashed: ${crash ?? words}`;
}

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
