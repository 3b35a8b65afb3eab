// Mutants that change no answer, with the reason. A row matches the file and the changed line.

interface Equivalence {
  readonly file: RegExp;
  readonly line: RegExp;
  readonly reason: string;
}

const EQUIVALENCES: readonly Equivalence[] = [];

/** Undefined if the mutant should be noticed. */
export function equivalenceOf(file: string, line: string): string | undefined {
  return EQUIVALENCES.find((each) => each.file.test(file) && each.line.test(line))?.reason;
}
