// Mutants that change no answer, with the reason. A row matches the file and the changed line.

interface Equivalence {
  readonly file: RegExp;
  readonly line: RegExp;
  readonly reason: string;
}

const EQUIVALENCES: readonly Equivalence[] = [
  {
    file: /./,
    line: /\bspend\([^)]*⟦|⟦[^⟧]*⟧[^(]*\.spend\(/,
    reason: 'the limit of work stops a call long after the sizes of the sample',
  },
  { file: /./, line: /\[.*\w+ = ⟦"[^"]*" → "[^"]*~"⟧[,\]]/, reason: 'the element of the list always exists' },
  {
    file: /jmespath/,
    line: /[oO]rigins?\b.*⟦|⟦.*[oO]rigins?\b/,
    reason: 'origins locate findings, and change no value',
  },
  {
    file: /^src\/go\/regexp\/native\.ts/,
    line: /\b(?:fixed|perCharacter|firstTests|effort|Effort|NOTHING_MORE|one\[i\]|other\[j)/,
    reason: 'the estimate of time chooses between two matchers with the same answers',
  },
  { file: /sha256/, line: /const (?:majority|choice) = /, reason: 'the terms have no bit in common' },
  { file: /float-text/, line: /Number\.isFinite\(.*value\d* > ⟦0 → 1⟧/, reason: 'the value is infinite' },
  { file: /arithmetic/, line: /shift\d* (?:>= ⟦0 → 1⟧|⟦>= → >⟧ 0)/, reason: 'both branches are equal for 0' },
  { file: /./, line: /\bname: ⟦"cel\.lib\./, reason: 'no message names the library' },
];

/** Undefined if the mutant should be noticed. */
export function equivalenceOf(file: string, line: string): string | undefined {
  return EQUIVALENCES.find((each) => each.file.test(file) && each.line.test(line))?.reason;
}
