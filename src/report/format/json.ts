// The Report itself as JSON, described by docs/schema/report.schema.json.
import { jsonText } from '../json-text.ts';
import type { Reporter } from '../reporter.ts';

/** Reading order of the Report's keys, whatever order they were set in; unknown ones follow by name. */
const KEY_ORDER = [
  'schemaVersion',
  'preadmit',
  'unusable',
  'verdict',
  'coverage',
  'targets',
  'policySources',
  'findings',
  'unlisted',
  'diagnostics',
  'comparison',
  'notCompared',
  'blastRadius',
  'shard',
  'conclusion',
  'failOn',
  'code',
  'fingerprint',
  'status',
  'target',
  'derivedFrom',
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
  'serverTells',
  'operation',
  'resource',
  'fieldPath',
  'changedBy',
  'mayBeChangedBy',
  'defaulted',
  'roots',
  'primary',
  'role',
  'place',
  'related',
  'help',
  'excuse',
  'by',
  'owner',
  'expires',
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
  'unknownKinds',
  'bindings',
  'matched',
  'denied',
  'warned',
  'additions',
  'mutatedAway',
  'objects',
  'examples',
  'stricter',
  'worse',
  'stored',
  'before',
  'after',
  'added',
  'removed',
  'audited',
  'errors',
];

const RANKS: ReadonlyMap<string, number> = new Map(KEY_ORDER.map((key, index) => [key, index]));

export const json: Reporter = {
  name: 'json',
  extension: 'json',
  render: (report) => {
    // Findings have their keys in common.
    const known = new Map<string, readonly string[]>();
    return jsonText(report, (keys) => {
      const which = keys.join('\0');
      const order = known.get(which) ?? inReadingOrder(keys);
      known.set(which, order);
      return order;
    });
  },
};

function inReadingOrder(keys: readonly string[]): readonly string[] {
  const rank = (key: string): number => RANKS.get(key) ?? KEY_ORDER.length;
  return [...keys].sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1));
}
