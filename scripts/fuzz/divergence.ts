// Differences between two engines, and the list of accepted ones.
import { readFileSync } from 'node:fs';
import { classOf, type Outcome } from './outcome.ts';

export interface Divergence {
  readonly engine: string;
  readonly expression: string;
  /** In the form of `classOf`. */
  readonly ours: string;
  readonly theirs: string;
}

/** An investigated difference in which the other engine deviates from cel-go. Patterns are searched in the classes. */
export interface Accepted {
  readonly engine: string;
  readonly ours: string;
  readonly theirs: string;
  /** Restricts the rule to expressions that match this. */
  readonly expression?: string;
  readonly reason: string;
}

export function readAccepted(): readonly Accepted[] {
  const file = new URL('../../test/conformance/divergences.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Accepted[];
}

export interface Group extends Divergence {
  count: number;
}

export function divergenceOf(engine: string, expression: string, ours: Outcome, theirs: Outcome): Divergence {
  const [one, other] = [classOf(ours), classOf(theirs)];
  const detailed = one === other && ours.kind === 'value' && theirs.kind === 'value';
  return { engine, expression, ours: one, theirs: detailed ? `another ${other}` : other };
}

export class AcceptedDivergences {
  readonly #rules: readonly { readonly accepted: Accepted; readonly matches: (divergence: Divergence) => boolean }[];
  readonly #used = new Map<Accepted, number>();

  constructor(accepted: readonly Accepted[]) {
    this.#rules = accepted.map((rule) => {
      const [ours, theirs, expression] = [rule.ours, rule.theirs, rule.expression ?? ''].map(
        (text) => new RegExp(text),
      ) as [RegExp, RegExp, RegExp];
      const matches = (divergence: Divergence): boolean =>
        divergence.engine === rule.engine &&
        ours.test(divergence.ours) &&
        theirs.test(divergence.theirs) &&
        expression.test(divergence.expression);
      return { accepted: rule, matches };
    });
  }

  /** True if a rule matches; its count increases. */
  accept(divergence: Divergence): boolean {
    const rule = this.#rules.find(({ matches }) => matches(divergence));
    if (rule === undefined) return false;
    this.#used.set(rule.accepted, (this.#used.get(rule.accepted) ?? 0) + 1);
    return true;
  }

  counts(): number[] {
    return this.#rules.map(({ accepted }) => this.#used.get(accepted) ?? 0);
  }
}

/** One group per pair of classes, with the shortest expression. */
export class Groups {
  readonly #groups = new Map<string, Group>();

  add(divergence: Divergence, count = 1): void {
    const key = JSON.stringify([divergence.engine, divergence.ours, divergence.theirs]);
    const group = this.#groups.get(key);
    if (group === undefined) {
      this.#groups.set(key, { ...divergence, count });
      return;
    }
    const shorter = divergence.expression.length < group.expression.length ? divergence.expression : group.expression;
    this.#groups.set(key, { ...group, expression: shorter, count: group.count + count });
  }

  /** The most frequent first. */
  all(): Group[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}
