// Compares two answers. Maps of Go have no order, so the entries of tagged maps are sorted.
import { isDeepStrictEqual } from 'node:util';
import { explanationOf } from './ledger.ts';
import type { Answer, Call, Port } from './port.ts';

/** `explained`: the difference is in the ledger, or this project knows that it cannot know. */
export type Comparison = 'same' | 'explained' | 'different';

export function compare(port: Port, call: Call, theirs: Answer, ours: Answer): Comparison {
  if (isSame(port, theirs, ours)) return 'same';
  if (theirs['unsteady'] === true || ours['undecided'] !== undefined) return 'explained';
  return explanationOf(port.name, call, theirs, ours) === undefined ? 'different' : 'explained';
}

function isSame({ compared }: Port, theirs: Answer, ours: Answer): boolean {
  return isDeepStrictEqual(plain(theirs, compared), plain(ours, compared));
}

/** As parsed from JSON, because answers of this project may contain undefined fields. */
function plain(answer: Answer, compared: Port['compared']): unknown {
  const fields = compared === undefined ? answer : Object.fromEntries(compared.map((name) => [name, answer[name]]));
  return sorted(JSON.parse(JSON.stringify(fields)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const inner = sorted(member);
      return [key, key === 'map' && Array.isArray(inner) ? inner.toSorted(byText) : inner];
    }),
  );
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}

/** False if the original's answer depends on Go's map order. */
export function isSteady(answer: Answer): boolean {
  return answer['unsteady'] !== true;
}

/** The error without its variable parts, or the type and size of a value. */
export function kindOf(answer: Answer): string {
  const error = answer['error'] ?? answer['programError'] ?? answer['panic'] ?? answer['compileError'];
  if (typeof error === 'string') return error.replaceAll(/"[^"]*"|'[^']*'|\d+|\n.*/gs, '…');
  return `${JSON.stringify(answer['value'] ?? null).replaceAll(/[\p{L}\p{N} ]+/gu, 'x')}`;
}
