// Pieces of a text to be replaced by others, put together without touching what is between.
import type { SourceFile } from '../text/source-file.ts';

export interface TextSplice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface FileEdit {
  readonly file: SourceFile;
  readonly splices: readonly TextSplice[];
}

/** Undefined where two of them want the same text. Of those at one place, the first comes first. */
export function spliced(text: string, splices: readonly TextSplice[]): string | undefined {
  let result = '';
  let position = 0;
  for (const { start, end, text: piece } of inOrder(splices)) {
    if (start < position) return undefined;
    result += text.slice(position, start) + piece;
    position = end;
  }
  return result + text.slice(position);
}

function inOrder(splices: readonly TextSplice[]): readonly TextSplice[] {
  const order = new Map(splices.map((splice, index) => [splice, index]));
  const rank = (splice: TextSplice): number => order.get(splice) ?? 0;
  return splices.toSorted((a, b) => a.start - b.start || a.end - b.end || rank(a) - rank(b));
}
