// Differences between a port and its original that are understood and remain. Each row says why.
import type { Answer, Call } from './port.ts';

export interface LedgerRow {
  readonly ports: readonly string[];
  readonly reason: string;
  readonly applies: (call: Call, theirs: Answer, ours: Answer) => boolean;
}

export const LEDGER: readonly LedgerRow[] = [];

export function explanationOf(port: string, call: Call, theirs: Answer, ours: Answer): LedgerRow | undefined {
  return LEDGER.find(({ ports, applies }) => ports.includes(port) && applies(call, theirs, ours));
}
