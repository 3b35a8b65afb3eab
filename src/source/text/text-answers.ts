// What was asked of texts and answered: each question is asked of a text once, and of one that an earlier run knew not at all.
import type { SourceFile } from './source-file.ts';

/** Further questions are asked each time: a column takes a byte for each text. */
const MAXIMUM_QUESTIONS = 256;
const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Answers to yes-or-no questions about texts, of which nothing but the text decides. */
export interface KeptAnswers {
  /** By the digest of a text its number. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By question, for each number: 0 where nobody asked, 1 for no, 2 for yes. */
  readonly columns: ReadonlyMap<string, Uint8Array>;
  /** The same for the same text. */
  digestOf(file: SourceFile): string;
}

/** Answers for one text: what is found out if nobody knows. */
export type AskText = (file: SourceFile, find: (text: string) => boolean) => boolean;

export class TextAnswers {
  readonly #kept: KeptAnswers | undefined;
  readonly #numbers = new Map<SourceFile, number>();
  readonly #files: SourceFile[] = [];
  /** Of each text of this run the number that it had in the earlier one. */
  readonly #earlier: (number | undefined)[] = [];
  readonly #columns = new Map<string, Uint8Array>();
  #hasFound = false;

  /** Without `kept` nothing is known before it is asked. */
  constructor(kept?: KeptAnswers) {
    this.#kept = kept;
  }

  /** True if something was asked that no earlier run knew. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** The texts of this run, and what was asked of them; in each column as many answers as there are texts, or fewer. */
  get all(): { readonly files: readonly SourceFile[]; readonly columns: ReadonlyMap<string, Uint8Array> } {
    return { files: this.#files, columns: this.#columns };
  }

  /** For a question that is asked of many texts. */
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

  /** What an earlier run was told. */
  #before(column: Uint8Array | undefined, number: number): number {
    const earlier = column && this.#earlier[number];
    return earlier === undefined ? UNKNOWN : (column?.[earlier] ?? UNKNOWN);
  }
}
