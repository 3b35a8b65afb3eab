// Decides whether the kind and name of a kustomization's objects can be read from files without a build.
import type { JsonValue } from '../../source/json/json.ts';
import { objectItems } from '../../source/json/json-field.ts';
import type { TransformerFile } from './transformer-settings.ts';
import { objectIdentity } from './written.ts';

/** Fields that only a rename changes. */
export const IDENTITY_PATHS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata\0name']);

/** Fields of kustomizations that rename objects or create objects in their own way. */
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
