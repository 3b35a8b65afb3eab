// One text of the repository, under its path: at hand, or kept elsewhere until somebody asks.
import { LinedText, type Position } from './lined-text.ts';
import type { OwnText } from './own-text.ts';

/** Half-open range of UTF-16 offsets into a file's text. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A range in a file; what diagnostics and findings carry until the moment of output. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly range: SourceRange;
}

/** A place that is looked for when somebody asks for it, and once. */
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

/** A text that takes less room while nobody asks for it. */
export interface KeptText {
  /** In UTF-16 units. */
  readonly length: number;
  /** The same text every time; for whom to remember it is the keeper's to say. */
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

/** A text and what it is called. Everything that is found in it is told by this path. */
export class SourceFile {
  /** Path from the repository root, always with `/`. */
  readonly path: string;
  readonly #kept: LinedText | KeptText;
  /** Derivations, each followed by its result. Few, and most files have one. */
  #derived = NOTHING_DERIVED;

  constructor(path: string, text: string | KeptText) {
    this.path = path;
    this.#kept = typeof text === 'string' ? new LinedText(text) : text;
  }

  /** The decoded text, byte-order mark included if the file has one. Made again for a large repository; a part of it that is kept for long is an `OwnText`. */
  get text(): string {
    return linedText(this.#kept).text;
  }

  /** Of the text, in UTF-16 units; known without asking for it. */
  get length(): number {
    return this.#kept instanceof LinedText ? this.#kept.text.length : this.#kept.length;
  }

  /** Offset of the first character of every line; `\n`, `\r\n` and lone `\r` end a line. */
  get lineStarts(): readonly number[] {
    return linedText(this.#kept).lineStarts;
  }

  /** Line and column of an offset; offsets past the end are taken as the end. */
  positionAt(offset: number): Position {
    return linedText(this.#kept).positionAt(offset);
  }

  /** Text of a line (from 1) without its line ending; empty for lines that do not exist. */
  lineText(line: number): OwnText {
    return linedText(this.#kept).lineText(line);
  }

  /** What the derivation makes of the file, made once. */
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
