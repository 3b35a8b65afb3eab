// What the thread that asks and those that render tell each other.
import type { EntryKind, FileTree, Question } from '../../render/engine/file-tree.ts';
import type { EngineLimits } from '../../render/engine/render-engine.ts';
import type {
  RenderChance,
  RenderOutcome,
  RenderRequest,
  TemplateRequest,
} from '../../render/engine/render-request.ts';
import type { EngineModule } from '../../render/engine/web-assembly.ts';

/** What a thread is started with. */
export interface WorkerStart {
  /** Compiled once, for all threads. */
  readonly module: EngineModule;
  readonly limits: EngineLimits;
  /** Of Int32: see `signalCells`. */
  readonly signals: SharedArrayBuffer;
  /** Which thread it is, from 0. */
  readonly index: number;
}

/**
 * The first cell counts what threads have sent. Each thread has three: what was sent to it, how often it asked for the time, and the
 * number of the order that it renders; 0 for none.
 */
export function signalCells(index: number): { readonly sent: number; readonly beat: number; readonly order: number } {
  return { sent: 1 + index * 3, beat: 2 + index * 3, order: 3 + index * 3 };
}

export const ANSWERED = 0;

/** To a thread that renders. */
export type WorkerOrder =
  | {
      readonly type: 'tree';
      readonly tree: number;
      /** Every file and link of the tree with what it is; absent: it is asked about piece by piece. */
      readonly paths?: readonly string[];
      readonly kinds?: readonly EntryKind[];
    }
  /** The content of a file of a tree. */
  | { readonly type: 'content'; readonly tree: number; readonly path: string; readonly bytes: SharedArrayBuffer }
  | {
      readonly type: 'render';
      /** From 1. */
      readonly order: number;
      readonly tree: number;
      readonly request: RenderRequest | TemplateRequest;
      readonly overlay: ReadonlyMap<string, string> | undefined;
      readonly chance: RenderChance;
    }
  /** To what it asked last. */
  | { readonly type: 'answer'; readonly answer: ReturnType<FileTree[keyof FileTree]> };

/** From a thread that renders; `outcome` is undefined where it could not. */
export type WorkerReply =
  | { readonly type: 'ask'; readonly tree: number; readonly question: Question }
  | {
      readonly type: 'rendered';
      readonly order: number;
      readonly outcome: RenderOutcome | undefined;
      readonly questions: readonly Question[];
    };
