// Messages between the main thread and the rendering threads.

import type { EngineLimits } from '../../render/engine/render-engine.ts';
import type {
  RenderChance,
  RenderOutcome,
  RenderRequest,
  TemplateRequest,
} from '../../render/engine/render-request.ts';
import type { EngineModule } from '../../sandbox/web-assembly.ts';
import type { EntryKind, FileTree, Question } from '../../source/tree/file-tree.ts';

export interface WorkerStart {
  /** Compiled once for all threads. */
  readonly module: EngineModule;
  readonly limits: EngineLimits;
  /** An Int32Array; see `signalCells`. */
  readonly signals: SharedArrayBuffer;
  /** The cell is shared memory. */
  readonly budget: { readonly milliseconds: number; readonly cell: Int32Array<ArrayBufferLike> };
  /** 0-based index of the thread. */
  readonly index: number;
}

/**
 * The first cell counts messages sent by threads. Each thread has three more: messages sent to it, how often it read
 * the clock, and the number of the order that it is rendering (0 for none).
 */
export function signalCells(index: number): { readonly sent: number; readonly beat: number; readonly order: number } {
  return { sent: 1 + index * 3, beat: 2 + index * 3, order: 3 + index * 3 };
}

export const ANSWERED = 0;

export type WorkerOrder =
  | {
      readonly type: 'tree';
      readonly tree: number;
      /** All files and links of the tree with their kinds; absent: the tree is queried path by path. */
      readonly paths?: readonly string[];
      readonly kinds?: readonly EntryKind[];
    }
  | { readonly type: 'content'; readonly tree: number; readonly path: string; readonly bytes: SharedArrayBuffer }
  | {
      readonly type: 'render';
      /** 1-based. */
      readonly order: number;
      readonly tree: number;
      readonly request: RenderRequest | TemplateRequest;
      readonly overlay: ReadonlyMap<string, string> | undefined;
      readonly chance: RenderChance;
    }
  /** The answer to the thread's last question. */
  | { readonly type: 'answer'; readonly answer: ReturnType<FileTree[keyof FileTree]> };

/** Messages from a rendering thread; `outcome` is undefined if it could not render. */
export type WorkerReply =
  | { readonly type: 'ask'; readonly tree: number; readonly question: Question }
  | {
      readonly type: 'rendered';
      readonly order: number;
      readonly outcome: RenderOutcome | undefined;
      readonly questions: readonly Question[];
    };
