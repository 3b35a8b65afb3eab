// What cel-go answers by a Go panic, which ends the evaluation past all `||`.

/** Thrown; the text follows `internal error: `. */
export class Panic {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
