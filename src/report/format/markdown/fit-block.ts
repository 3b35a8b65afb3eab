// Fits a nested list of texts into a number of bytes: what does not fit is counted, never cut in the middle.
import { byteLength } from '../../wording/cut-text.ts';

export interface Block {
  readonly head: string;
  readonly items: readonly (string | Block)[];
  readonly foot: string;
  /** Number of texts that are left out on purpose; they are counted with those that do not fit. */
  readonly hidden?: number;
  /** Stands for the texts that did not fit; empty in inner blocks, whose rest the outer one counts. */
  readonly more: (rest: number) => string;
}

export interface Fitted {
  /** Empty when neither a text fits nor a count of them all. */
  readonly text: string;
  /** Number of innermost texts in it. */
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
  // `left` is what is over when the longest count is written too, so below zero not even that has room.
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
