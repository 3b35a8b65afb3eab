// What evaluations leave for what is said of policies afterwards: kept as plain data where several threads evaluate for one report.

/** Of the same policies, loaded in several threads: where all take part, `add` makes one of them know what a single one would. */
export interface PolicyNotes {
  /** From now on notes are kept for `take`, and nothing else is made of them. */
  keep(): void;
  /** Plain data: those since it was last asked, in their order. */
  take(): readonly unknown[];
  /** What `take` gave for the same policies, in the order of the objects. */
  add(notes: readonly unknown[]): void;
}

/** Notes of one kind of plain data. */
export class NoteBook<Note> implements PolicyNotes {
  readonly #use: (note: Note) => void;
  #kept: Note[] | undefined;

  /** `use`: what becomes of a note where none are kept. */
  constructor(use: (note: Note) => void) {
    this.#use = use;
  }

  note(note: Note): void {
    if (this.#kept === undefined) this.#use(note);
    else this.#kept.push(note);
  }

  keep(): void {
    this.#kept ??= [];
  }

  take(): readonly Note[] {
    const taken = this.#kept ?? NO_NOTES;
    if (taken.length > 0) this.#kept = [];
    return taken;
  }

  add(notes: readonly unknown[]): void {
    for (const note of notes) this.#use(note as Note);
  }
}

const NO_NOTES: never[] = [];
