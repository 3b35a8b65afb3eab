// One text of the repository with its path. The text is in memory or kept elsewhere until it is read.
import { LinedText, type Position } from './lined-text.ts';
import type { OwnText } from './own-text.ts';

/** Half-open range of UTF-16 offsets into a file's text. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A range in a file. Diagnostics and findings carry it unchanged until output. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly range: SourceRange;
}

/** A location that is computed on first access. */
export function locationFoundBy(find: () => SourceLocation): SourceLocation {
  let found: SourceLocation | undefined;
  const location = (): SourceLocation => {
    found ??= find();
    return found;
  };
  return {
    get file() {
      return location().file;
    },
    get range() {
      return location().range;
    },
  };
}

/** A text kept compressed or on disk until it is read. */
export interface KeptText {
  /** In UTF-16 units. */
  readonly length: number;
  /** Returns the same text every time. The implementation decides whether to cache it. */
  read(): LinedText;
}

/**
 * A function of a file alone, whose result the file remembers as long as it lives. The result must not hold the text. Each derivation has
 * its own result, so one that is made for a run is shared by everything in the run.
 */
export class Derivation<T> {
  readonly of: (file: SourceFile) => T;

  constructor(of: (file: SourceFile) => T) {
    this.of = of;
  }
}

/** A text and its path. Every location in the text is reported with this path. */
export class SourceFile {
  /** Path from the repository root, always with `/`. */
  readonly path: string;
  readonly #kept: LinedText | KeptText;
  /** Alternates functions and their results. A list, because most files have one entry. */
  #derived = NOTHING_DERIVED;

  constructor(path: string, text: string | KeptText) {
    this.path = path;
    this.#kept = typeof text === 'string' ? new LinedText(text) : text;
  }

  /**
   * The decoded text, including a byte-order mark. In a large repository each read allocates it again, and a kept
   * substring keeps all of it alive.
   */
  get text(): string {
    return linedText(this.#kept).text;
  }

  /** Length of the text in UTF-16 units; does not load the text. */
  get length(): number {
    return this.#kept instanceof LinedText ? this.#kept.text.length : this.#kept.length;
  }

  /** Offset of the first character of every line; `\n`, `\r\n` and lone `\r` end a line. */
  get lineStarts(): readonly number[] {
    return linedText(this.#kept).lineStarts;
  }

  /** Line and column of an offset. An offset past the end gives the end of the text. */
  positionAt(offset: number): Position {
    return linedText(this.#kept).positionAt(offset);
  }

  /** Text of a line (from 1) without its line ending; empty for lines that do not exist. */
  lineText(line: number): OwnText {
    return linedText(this.#kept).lineText(line);
  }

  /** Caches the result of `make` for this file. Only the first call's `given` is used. The result should not hold the text. */
  derived<T>(derivation: Derivation<T>): T {
    const known = this.#derived.indexOf(derivation);
    if (known >= 0) return this.#derived[known + 1] as T;
    const made = derivation.of(this);
    // A list that grows would have room for many more.
    this.#derived = [...this.#derived, derivation, made];
    return made;
  }
}

const NOTHING_DERIVED: readonly unknown[] = [];

function linedText(kept: LinedText | KeptText): LinedText {
  return kept instanceof LinedText ? kept : kept.read();
}
