// The text of one document as kubectl passes it to the YAML reader, and the mapping of its offsets to the file.
import type { SourceRange } from './source-file.ts';

/** kubectl reads line by line, so every line ends with a single LF, including the last one. */
export class DocumentText {
  readonly text: string;
  readonly #start: number;
  readonly #end: number;
  /** Offsets in `text` of the LFs before which a CR was dropped. */
  readonly #droppedBefore: readonly number[];

  constructor(fileText: string, start: number, end: number) {
    this.#start = start;
    this.#end = end;
    const written = fileText.slice(start, end);
    const dropped: number[] = [];
    for (let at = written.indexOf('\r\n'); at >= 0; at = written.indexOf('\r\n', at + 2))
      dropped.push(at - dropped.length);
    const lines = dropped.length === 0 ? written : written.replaceAll('\r\n', '\n');
    this.text = lines.endsWith('\n') ? lines : `${lines}\n`;
    this.#droppedBefore = dropped;
  }

  rangeInFile(start: number, end: number): SourceRange {
    return { start: this.offsetInFile(start), end: this.offsetInFile(end) };
  }

  /** Offset in `text` for an offset in the file: the inverse of `offsetInFile`. */
  offsetOf(inFile: number): number {
    const wanted = inFile - this.#start;
    let low = 0;
    let high = this.#droppedBefore.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#droppedBefore[middle] as number) + middle < wanted) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, Math.min(wanted - low, this.text.length));
  }

  offsetInFile(offset: number): number {
    let low = 0;
    let high = this.#droppedBefore.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#droppedBefore[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return Math.min(this.#start + offset + low, this.#end);
  }
}
