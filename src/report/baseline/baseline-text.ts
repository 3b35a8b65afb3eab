// Serializes a baseline with sorted entries and a fixed key order, for readable diffs.

import { jsonString } from '../json/json-text.ts';
import type { BaselineEntry } from './baseline.ts';

export type BaselineContent = Omit<BaselineEntry, 'location' | 'expiresLocation'>;

const HEADER = `# Accepted findings. Each entry applies until its last day; \`preadmit baseline --help\`.
# yaml-language-server: $schema=https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/baseline.schema.json
version: 1
`;

const KEYS = [
  'code',
  'policy',
  'rule',
  'binding',
  'param',
  'resource',
  'field',
  'target',
  'touched',
  'owner',
  'reason',
  'expires',
] as const;
/** Plain YAML scalars that need no quotes. */
const PLAIN = /^[A-Za-z](?:[A-Za-z0-9 ._/[\]-]*[A-Za-z0-9./\]])?$/;
const WORDS = /^(?:y|yes|n|no|on|off|true|false|null)$/i;

export function baselineText(entries: readonly BaselineContent[]): string {
  if (entries.length === 0) return `${HEADER}entries: []\n`;
  const items = [...entries].sort(compare).map((entry) => {
    const lines = KEYS.flatMap((key) => (entry[key] === undefined ? [] : [`${key}: ${scalar(key, entry[key])}`]));
    return `  - ${lines.join('\n    ')}\n`;
  });
  return `${HEADER}entries:\n${items.join('')}`;
}

function scalar(key: string, text: string): string {
  return key !== 'expires' && text.length <= 200 && PLAIN.test(text) && !WORDS.test(text) ? text : jsonString(text);
}

function compare(left: BaselineContent, right: BaselineContent): number {
  for (const key of ['resource', ...KEYS] as const) {
    const [one, other] = [left[key] ?? '', right[key] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
