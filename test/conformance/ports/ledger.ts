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
  {
    ports: ['kyverno-cel'],
    reason: 'a struct of Go, whose fields the Go program does not write',
    applies: (_, theirs, ours) => theirs['type'] === 'user.ServiceAccount' && ours['type'] === theirs['type'],
  },
  {
    ports: ['cel', 'kyverno-cel'],
    reason:
      'the time zone files of the host: names of folders, doubled slashes, and another release of the time zone database',
    applies: (call) => /\.get[A-Z]\w+\(/.test(text(call)) && /\/\/|Pacific|EST5EDT|Etc|object/.test(text(call)),
  },
  {
    ports: ['kyverno-cel'],
    reason: 'Math.pow and Go differ in the last bit of powers of ten',
    applies: (call) => call.function === 'math.round' && text(call).includes(', '),
  },
  {
    ports: ['kyverno-cel'],
    reason: 'from cel-go 0.28, a comparison with NaN is false; here it is the error of 0.26',
    applies: (call, _, ours) => /NaN/.test(text(call)) && ours['error'] === 'NaN values cannot be ordered',
  },
  {
    ports: ['globs'],
    reason: 'gobwas/glob crashes, or mistakes the length, for an empty alternative',
    applies: (call) => call.function === 'argo.glob' && /\{\}|\{,|,\}|,,|\{$|,$/.test(String(call.arguments[0])),
  },
  {
    ports: ['kyverno-rules'],
    reason: "Go's map order: of several wrong variables, Kyverno names one",
    applies: (_, theirs, ours) =>
      [theirs, ours].every(({ refused }) => /variable .+ must match regex/.test(String(refused))),
  },
  {
    ports: ['kyverno-rules'],
    reason: "the client of Kyverno's command line knows only the kinds of the given objects, and crashes for others",
    applies: (call, theirs) =>
      call.function === 'mutate.targets' && /coding error|not found/.test(JSON.stringify(theirs)),
  },
];

function text(call: Call): string {
  return call.arguments.join(' ');
}

function unordered(answer: Answer): string {
  return [...JSON.stringify(answer)].sort().join('');
}

export function explanationOf(port: string, call: Call, theirs: Answer, ours: Answer): LedgerRow | undefined {
  return LEDGER.find(({ ports, applies }) => ports.includes(port) && applies(call, theirs, ours));
}

/** cel-go's deprecated names of operators. Expressions cannot write them. */
const OLD_OPERATORS = ['__not_strictly_false__', '_in_', 'in'];

/** Functions or overloads of an original that this project does not declare, by port. */
export const MISSING: Readonly<Record<string, readonly string[]>> = {
  cel: OLD_OPERATORS,
  'kyverno-cel': [
    ...OLD_OPERATORS,
    // Written by cel-go's optimizer only.
    'cel.@block',
    // Not ported yet.
    'json.encode',
  ],
};

/** Functions or overloads that this project declares and the recorded original does not, by port. */
export const OWN: Readonly<Record<string, readonly string[]>> = {
  // The Go program leaves out the libraries that read a cluster, a registry or a server.
  'kyverno-cel': 'Client Get GetMetadata List Post ToGVR client get getMetadata list post toGVR'.split(' '),
  // go-jmespath registers its own functions in a table that it does not export.
  jmespath:
    `abs avg ceil contains ends_with floor join keys length map max max_by merge min min_by not_null reverse sort sort_by starts_with
    to_array to_number to_string type values`.split(/\s+/),
};
