// Differences between a port and its original that are understood and remain. Each row says why.
import type { Answer, Call } from './port.ts';

export interface LedgerRow {
  readonly ports: readonly string[];
  readonly reason: string;
  readonly applies: (call: Call, theirs: Answer, ours: Answer) => boolean;
}

/** The functions whose results, or whose errors, list the members of an object. */
const MAP_ORDER = /\b(keys|values|items|to_array|macro|map|filter|merge|syntax|transform|exists|all)/;

export const LEDGER: readonly LedgerRow[] = [
  {
    ports: ['jmespath', 'cel', 'kyverno-cel'],
    reason: "Go's map order: the same members in another order",
    applies: (call, theirs, ours) =>
      (MAP_ORDER.test(call.function) || String(call.arguments[0]).includes('*')) &&
      unordered(theirs) === unordered(ours),
  },
];

function unordered(answer: Answer): string {
  return [...JSON.stringify(answer)].sort().join('');
}

export function explanationOf(port: string, call: Call, theirs: Answer, ours: Answer): LedgerRow | undefined {
  return LEDGER.find(({ ports, applies }) => ports.includes(port) && applies(call, theirs, ours));
}

/** Functions or overloads of an original that this project does not declare, by port. */
export const MISSING: Readonly<Record<string, readonly string[]>> = {};

/** Functions or overloads that this project declares and the recorded original does not, by port. */
export const OWN: Readonly<Record<string, readonly string[]>> = {};
