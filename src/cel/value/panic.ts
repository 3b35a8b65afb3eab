// Represents a Go panic in cel-go, which ends the evaluation; `||` does not absorb it.

/** Thrown. The message follows `internal error: `. */
export class Panic {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
