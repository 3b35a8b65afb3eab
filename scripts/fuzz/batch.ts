// Evaluates expressions with all engines and reports differences.
import { AcceptedDivergences, type Divergence, divergenceOf, type Group, Groups, readAccepted } from './divergence.ts';
import { sampleExpressions } from './grammar.ts';
import { bufbuildEngine, marcbachmannEngine } from './other-engines.ts';
import { agree, type Engine } from './outcome.ts';
import { preadmitEngine } from './preadmit-engine.ts';

export interface BatchRequest {
  readonly seed: number;
  readonly count: number;
}

export interface BatchReport {
  readonly seed: number;
  readonly groups: readonly Group[];
  readonly crashes: readonly { readonly expression: string; readonly message: string }[];
  /** Number of occurrences of each accepted divergence, in the order of the file. */
  readonly acceptedCounts: readonly number[];
  readonly values: number;
}

export class BatchRunner {
  readonly #own = preadmitEngine();
  readonly #others = [bufbuildEngine(), marcbachmannEngine()];

  run({ seed, count }: BatchRequest): BatchReport {
    const accepted = new AcceptedDivergences(readAccepted());
    const groups = new Groups();
    const crashes: { expression: string; message: string }[] = [];
    let values = 0;
    for (const text of sampleExpressions(seed, count)) {
      const ours = this.#own.evaluate(text);
      if (ours.kind === 'value') values++;
      if (ours.kind === 'crash') crashes.push({ expression: text, message: ours.message });
      for (const engine of this.#others) {
        const theirs = engine.evaluate(text);
        if (agree(ours, theirs) || accepted.accept(divergenceOf(engine.name, text, ours, theirs))) continue;
        const divergence = this.#smallest(engine, text) ?? divergenceOf(engine.name, text, ours, theirs);
        if (!accepted.accept(divergence)) groups.add(divergence);
      }
    }
    return { seed, groups: groups.all(), crashes, acceptedCounts: accepted.counts(), values };
  }

  /** The difference in the shortest subexpression that shows one. */
  #smallest(engine: Engine, text: string): Divergence | undefined {
    for (const part of this.#own.parts(text)) {
      const ours = this.#own.evaluate(part);
      const theirs = engine.evaluate(part);
      if (!agree(ours, theirs)) return divergenceOf(engine.name, part, ours, theirs);
    }
    return undefined;
  }
}
