// Yes-or-no questions about texts: each is asked of a text once, and of a text that an earlier run knew not at all.
import type { SourceFile } from './source-file.ts';

/** Further questions are asked each time: a column takes a byte for each text. */
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

/** Answers for one text; `find` works out an answer that is not known. */
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

  /** True if an answer was worked out. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** The texts of this run, and by question an answer for each of them. */
  get all(): { readonly files: readonly SourceFile[]; readonly columns: ReadonlyMap<string, Uint8Array> } {
    const numbers = [...this.#numbers.values()];
    const columns = [...this.#columns].map(
      ([question, column]) => [question, Uint8Array.from(numbers, (number) => column[number] ?? UNKNOWN)] as const,
    );
    return { files: [...this.#numbers.keys()], columns: new Map(columns) };
  }

  /** For a question that is asked of many texts. */
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
