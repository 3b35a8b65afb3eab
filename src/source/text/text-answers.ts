// Caches answers to yes-or-no questions about texts, within a run and across runs.
import type { SourceFile } from './source-file.ts';

/** Questions beyond this number are not cached: each one takes a byte per text. */
const MAXIMUM_QUESTIONS = 256;
const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Answers of an earlier run. Nothing but the text decides them. */
export interface KeptAnswers {
  /** Number of texts. */
  readonly count: number;
  /** Number of the text, from 0; undefined for a text that was not known. */
  readonly numberOf: (file: SourceFile) => number | undefined;
  /** By question, for each number: 0 where it was not asked, 1 for no, 2 for yes. */
  readonly columns: ReadonlyMap<string, Uint8Array>;
}

/** Answers one question about a text; `find` computes an answer that is not cached. */
export type AskText = (file: SourceFile, find: (text: string) => boolean) => boolean;

const NOTHING: KeptAnswers = { count: 0, numberOf: () => undefined, columns: new Map() };

export class TextAnswers {
  readonly #kept: KeptAnswers;
  readonly #numbers = new Map<SourceFile, number>();
  readonly #columns = new Map<string, Uint8Array>();
  readonly #questions = new Map<string, AskText>();
  #count: number;
  #hasFound = false;

  constructor(kept = NOTHING) {
    this.#kept = kept;
    this.#count = kept.count;
  }

  /** True if this run computed an answer that no earlier run had. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** The texts of this run and their answers. A column may be shorter than the list of texts. */
  get all(): { readonly files: readonly SourceFile[]; readonly columns: ReadonlyMap<string, Uint8Array> } {
    const numbers = [...this.#numbers.values()];
    const columns = [...this.#columns].map(
      ([question, column]) => [question, Uint8Array.from(numbers, (number) => column[number] ?? UNKNOWN)] as const,
    );
    return { files: [...this.#numbers.keys()], columns: new Map(columns) };
  }

  /** Returns the function that answers one question for many texts. */
  to(question: string): AskText {
    const known = this.#questions.get(question);
    if (known !== undefined) return known;
    const ask: AskText = (file, find) => {
      const number = this.#numberOf(file);
      let column = this.#columns.get(question);
      if (column === undefined && this.#columns.size >= MAXIMUM_QUESTIONS) return find(file.text);
      if (column === undefined || number >= column.length) {
        const known = column ?? this.#kept.columns.get(question) ?? [];
        column = new Uint8Array(Math.max(64, 2 * known.length, this.#count));
        column.set(known);
        this.#columns.set(question, column);
      }
      if (column[number] === UNKNOWN) {
        column[number] = find(file.text) ? YES : NO;
        this.#hasFound = true;
      }
      return column[number] === YES;
    };
    this.#questions.set(question, ask);
    return ask;
  }

  #numberOf(file: SourceFile): number {
    let number = this.#numbers.get(file);
    if (number === undefined) {
      number = this.#kept.numberOf(file) ?? this.#count++;
      this.#numbers.set(file, number);
    }
    return number;
  }
}
