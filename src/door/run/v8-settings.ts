// Limits V8's optimization for short runs: compiling a function pays off only if it is called often.
import { setFlagsFromString } from 'node:v8';

/**
 * Limit of bytecode inlined into one optimized function, a sixth of Node 20's default. In a check of 10,000 objects, optimizing some 500
 * functions was a third of the CPU time; this limit saves a sixth of the total.
 */
const INLINED_BYTECODE = 150;

/** Less inlining makes optimized code slower, so from some 40,000 objects on a check would take longer. */
const MAXIMUM_CHARACTERS = 16 * 1024 * 1024;

/**
 * Bytecode that a function executes before Node 20 considers optimizing it, some five times the default. Most code of a change, or of a
 * check of a few thousand objects, runs too rarely: compiling it took a fifth of the run.
 */
const INTERRUPT_BUDGET = 400_000;

/** Some 4,000 objects. */
const FEW_CHARACTERS = 4 * 1024 * 1024;

/** `characters`: total size of the input. */
export function optimizeForCheck(characters: number): void {
  if (!isOfNode20()) return;
  if (characters < MAXIMUM_CHARACTERS) setInlined();
  if (characters < FEW_CHARACTERS) setBudget();
}

/** For a process that compares two states. */
export function optimizeForChange(): void {
  setInlined();
  if (isOfNode20()) setBudget();
}

function setBudget(): void {
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}

function setInlined(): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODE}`);
}

/** Later versions optimize in more tiers and count calls instead of bytecode; a check gains nothing there. */
function isOfNode20(): boolean {
  return process.versions.v8.startsWith('11.');
}
