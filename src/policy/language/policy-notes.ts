// Notes that evaluations leave for later diagnostics. Plain data, so that threads can exchange them for one report.

/** Exchanges notes between copies of the same policies in several threads. `add` gives one copy the knowledge of all. */
export interface PolicyNotes {
  /** Collects notes for `take` from now on instead of using them. */
  keep(): void;
  /** Notes since the last call, in order, as plain data. */
  take(): readonly unknown[];
  /** Results of `take` from other threads, in the order of the objects. */
  add(notes: readonly unknown[]): void;
}

/** Notes of one plain data type. */
export class NoteBook<Note> implements PolicyNotes {
  readonly #use: (note: Note) => void;
  #kept: Note[] | undefined;

  /** `use` receives a note when none are collected. */
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
