// Converts between locations in an expression's text: UTF-16 index, code-point offset, line and column.

/** Lines are 1-based, columns 0-based; columns count code points. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

export class SourceText {
  readonly text: string;
  /** Code-point offset of every UTF-16 index; undefined if both are equal. */
  readonly #offsets: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
    this.#offsets = /[\ud800-\udbff][\udc00-\udfff]/.test(text) ? codePointOffsets(text) : undefined;
  }

  /** Length in code points. */
  get length(): number {
    return this.offsetOf(this.text.length);
  }

  /** The code-point offset of a UTF-16 index. */
  offsetOf(index: number): number {
    return this.#offsets === undefined ? index : (this.#offsets[index] as number);
  }

  /** Code-point offsets of line starts, without the first and with one after the end (cel-go `common.Source.LineOffsets`). */
  lineOffsets(): number[] {
    if (this.text === '') return [0];
    const starts: number[] = [];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) {
      starts.push(this.offsetOf(at) + 1);
    }
    starts.push(this.length + 1);
    return starts;
  }
}

/** cel-go `ast.SourceInfo.GetLocationByOffset`. */
export function locate(lineOffsets: readonly number[], offset: number): Location {
  let low = 0;
  let high = lineOffsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lineOffsets[middle] as number) > offset) high = middle;
    else low = middle + 1;
  }
  return { line: low + 1, column: low === 0 ? offset : offset - (lineOffsets[low - 1] as number) };
}

function codePointOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1);
  let offset = 0;
  for (let index = 0; index < text.length; offset++) {
    const width = (text.codePointAt(index) as number) > 0xffff ? 2 : 1;
    offsets.fill(offset, index, index + width);
    index += width;
  }
  offsets[text.length] = offset;
  return offsets;
}
