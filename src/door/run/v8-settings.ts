// How much V8 optimizes in a process that ends after seconds: compiling a function well pays only if it is called often enough.
import { setFlagsFromString } from 'node:v8';

/**
 * Bytecode that is taken into one function while it is optimized, a sixth of what Node 20 takes by itself. A check of 10,000 objects optimizes
 * some five hundred functions, which was a third of its processor time; with this it takes a sixth less in all.
 */
const INLINED_BYTECODE = 150;

/** What has been optimized runs slower with it, so that from some 40,000 objects on a check would take longer. */
const MAXIMUM_CHARACTERS = 16 * 1024 * 1024;

/**
 * Bytecode that a function runs through before Node 20 considers it for optimizing, some five times what it is by itself. Most of a change, and
 * of a check of a few thousand objects, is done too seldom: compiling it took a fifth of the run.
 */
const INTERRUPT_BUDGET = 400_000;

/** Some 4,000 objects. */
const FEW_CHARACTERS = 4 * 1024 * 1024;

/** `characters`: of what is read. */
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

/** Later versions optimize in more steps: a check gains nothing there, and they count calls instead of bytecode. */
function isOfNode20(): boolean {
  return process.versions.v8.startsWith('11.');
}
