// Locates a release's name and namespace in its declaration; templates use both.

import type { JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Written } from './written.ts';

/** Paths in HelmReleases and Applications, highest precedence first. */
const SETTINGS: ReadonlyMap<string, readonly FieldPath[]> = new Map<string, readonly FieldPath[]>([
  [
    'Namespace',
    [
      ['spec', 'targetNamespace'],
      ['spec', 'source', 'helm', 'namespace'],
      ['spec', 'destination', 'namespace'],
    ],
  ],
  [
    'Name',
    [
      ['spec', 'releaseName'],
      ['spec', 'source', 'helm', 'releaseName'],
    ],
  ],
]);

/**
 * `code`: the whole template text of a field's value. Undefined if it is anything but a release setting, or if the declaration does not set
 * it.
 */
export function releaseSetting(
  code: string,
  value: JsonValue,
  declaration: Written | undefined,
): FieldPath | undefined {
  const [, name = ''] = /^["']?\{\{-?\s*\$?\.Release\.(\w+)\s*(?:\|\s*quote\s*)?-?\}\}["']?$/.exec(code) ?? [];
  if (declaration === undefined) return undefined;
  return SETTINGS.get(name)?.find((path) => valueAt(declaration.value, path) === value);
}
