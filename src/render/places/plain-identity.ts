// What tells of an object's kind and name in a kustomization without asking the engine: which fields give names, and which never do.
import type { JsonValue } from '../../source/json/json.ts';
import { objectItems } from '../../source/json/json-field.ts';
import type { TransformerFile } from './transformer-settings.ts';
import { objectIdentity } from './written.ts';

/** What nothing but a new name changes. */
export const IDENTITY_PATHS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata\0name']);

/** Fields of kustomizations that give objects other names, or make objects in ways of their own. */
const RENAMING_FIELDS: readonly string[] = [
  'namePrefix',
  'nameSuffix',
  'replacements',
  'transformers',
  'generators',
  'validators',
  'helmCharts',
  'helmChartInflationGenerator',
];

export function mayRename(file: TransformerFile): boolean {
  const patches = file.field(['patches'])?.value;
  const changesNames = objectItems(patches).some((patch) => patch.get('options') !== undefined);
  return changesNames || RENAMING_FIELDS.some((field) => file.field([field]) !== undefined);
}

export function identityKey(value: JsonValue): string {
  const { apiVersion, kind, name } = objectIdentity(value);
  return [apiVersion, kind, name].join('\0');
}
