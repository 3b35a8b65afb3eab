// The Report itself as JSON, described by docs/schema/report.schema.json.
import type { Reporter } from '../reporter.ts';
import { jsonText } from './json-text.ts';

/** Reading order of the Report's keys, whatever order they were set in; unknown ones follow by name. */
const KEY_ORDER = [
  'schemaVersion',
  'preadmit',
  'verdict',
  'coverage',
  'targets',
  'findings',
  'diagnostics',
  'shard',
  'conclusion',
  'failOn',
  'code',
  'fingerprint',
  'target',
  'severity',
  'result',
  'actions',
  'policy',
  'binding',
  'param',
  'rule',
  'field',
  'expression',
  'message',
  'serverMessage',
  'reason',
  'meaning',
  'count',
  'httpStatus',
  'operation',
  'resource',
  'fieldPath',
  'defaulted',
  'primary',
  'place',
  'related',
  'help',
  'apiVersion',
  'kind',
  'namespace',
  'name',
  'kubernetesVersion',
  'user',
  'path',
  'line',
  'detail',
  'startLine',
  'startColumn',
  'endLine',
  'endColumn',
  'excerpt',
  'firstLine',
  'lines',
  'lineHash',
  'files',
  'found',
  'evaluated',
  'notEvaluated',
  'skipped',
  'policies',
  'unknowns',
  'bindings',
  'matched',
  'denied',
  'warned',
  'audited',
  'errors',
];

const RANKS: ReadonlyMap<string, number> = new Map(KEY_ORDER.map((key, index) => [key, index]));

export const json: Reporter = {
  name: 'json',
  extension: 'json',
  render: (report) => jsonText(report, inReadingOrder),
};

function inReadingOrder(keys: readonly string[]): readonly string[] {
  const rank = (key: string): number => RANKS.get(key) ?? KEY_ORDER.length;
  return [...keys].sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}
