// Caches answers to yes-or-no questions about texts, within a run and across runs.
import type { SourceFile } from './source-file.ts';

/** Questions beyond this number are not cached: each one takes a byte per text. */
const MAXIMUM_QUESTIONS = 256;
const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Answers of an earlier run. Each answer depends only on the question and the text. */
export interface KeptAnswers {
  /** Number of a text by its digest. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By question, then by text number: 0 unknown, 1 no, 2 yes. */
  readonly columns: ReadonlyMap<string, Uint8Array>;
  /** Equal for equal texts. */
  digestOf(file: SourceFile): string;
}

/** Answers one question about a text; `find` computes an answer that is not cached. */
export type AskText = (file: SourceFile, find: (text: string) => boolean) => boolean;

export class TextAnswers {
  readonly #kept: KeptAnswers | undefined;
  readonly #numbers = new Map<SourceFile, number>();
  readonly #files: SourceFile[] = [];
  /** Text number in the earlier run, by text number in this run. */
  readonly #earlier: (number | undefined)[] = [];
  readonly #columns = new Map<string, Uint8Array>();
  #hasFound = false;

  /** Without `kept`, starts with an empty cache. */
  constructor(kept?: KeptAnswers) {
    this.#kept = kept;
  }

  /** True if this run computed an answer that no earlier run had. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** The texts of this run and their answers. A column may be shorter than the list of texts. */
  get all(): { readonly files: readonly SourceFile[]; readonly columns: ReadonlyMap<string, Uint8Array> } {
    return { files: this.#files, columns: this.#columns };
  }

  /** Returns the function that answers one question for many texts. */
  to(question: string): AskText {
    return (file, find) => {
      const number = this.#numberOf(file);
      let column = this.#columns.get(question);
      if (column === undefined && this.#columns.size >= MAXIMUM_QUESTIONS) return find(file.text);
      if (column === undefined || number >= column.length) column = this.#enlarged(question, column);
      let answer = column[number];
      if (answer === UNKNOWN) {
        answer = find(file.text) ? YES : NO;
        column[number] = answer;
        this.#hasFound = true;
      }
      return answer === YES;
    };
  }

  #numberOf(file: SourceFile): number {
    let number = this.#numbers.get(file);
    if (number === undefined) {
      number = this.#files.push(file) - 1;
      this.#numbers.set(file, number);
      this.#earlier.push(this.#kept?.numbers.get(this.#kept.digestOf(file)));
      for (const [question, column] of this.#columns) {
        if (number < column.length) column[number] = this.#before(this.#kept?.columns.get(question), number);
      }
    }
    return number;
  }

  #enlarged(question: string, column: Uint8Array | undefined): Uint8Array {
    const enlarged = new Uint8Array(Math.max(64, 2 * (column?.length ?? 0), this.#files.length));
    if (column !== undefined) enlarged.set(column);
    const kept = this.#kept?.columns.get(question);
    for (let number = column?.length ?? 0; number < this.#files.length; number++) {
      enlarged[number] = this.#before(kept, number);
    }
    this.#columns.set(question, enlarged);
    return enlarged;
  }

  #before(column: Uint8Array | undefined, number: number): number {
    const earlier = column && this.#earlier[number];
    return earlier === undefined ? UNKNOWN : (column?.[earlier] ?? UNKNOWN);
  }
}
