// Replaces pieces of a text and leaves the rest unchanged.
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

/** Undefined if two splices overlap. Splices at the same offset apply in list order. */
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
