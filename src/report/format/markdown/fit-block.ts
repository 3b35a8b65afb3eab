// Fits a nested list of texts into a byte limit: texts that do not fit are counted, never cut.
import { byteLength } from '../../wording/cut-text.ts';

export interface Block {
  readonly head: string;
  readonly items: readonly (string | Block)[];
  readonly foot: string;
  /** Number of intentionally omitted texts, added to the count of those that do not fit. */
  readonly hidden?: number;
  /** Replaces the texts that did not fit; empty in inner blocks, which the outer block counts. */
  readonly more: (rest: number) => string;
}

export interface Fitted {
  /** Empty if neither a text nor the count fits. */
  readonly text: string;
  /** Number of innermost texts included. */
  readonly shown: number;
}

export function fitBlock(block: Block, limit: number): Fitted {
  const total = textsIn(block);
  let left = limit - byteLength(block.head) - byteLength(block.foot) - byteLength(block.more(total));
  let body = '';
  let shown = 0;
  for (const item of block.items) {
    const fitted = typeof item === 'string' ? fitText(item, left) : fitBlock(item, left);
    body += fitted.text;
    left -= byteLength(fitted.text);
    shown += fitted.shown;
    if (fitted.shown < (typeof item === 'string' ? 1 : textsIn(item))) break;
  }
  const more = shown < total ? block.more(total - shown) : '';
  // `left` is the space after the longest possible count; below zero not even the count fits.
  if (body === '' && (more === '' || left < 0)) return { text: '', shown };
  return { text: block.head + body + more + block.foot, shown };
}

function fitText(text: string, limit: number): Fitted {
  return byteLength(text) <= limit ? { text, shown: 1 } : { text: '', shown: 0 };
}

function textsIn(block: Block): number {
  const { items, hidden = 0 } = block;
  return items.reduce((sum: number, item) => sum + (typeof item === 'string' ? 1 : textsIn(item)), hidden);
}
