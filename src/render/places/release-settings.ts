// Where a declaration says what a release is called and which namespace it goes to: templates ask for both by name.

import type { JsonValue } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Written } from './written.ts';

/** In HelmReleases and Applications, nearest first. */
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

/** `code`: all that a template has as the value of a field. Undefined where it is something else, or nobody wrote it. */
export function releaseSetting(
  code: string,
  value: JsonValue,
  declaration: Written | undefined,
): FieldPath | undefined {
  const [, name = ''] = /^["']?\{\{-?\s*\$?\.Release\.(\w+)\s*(?:\|\s*quote\s*)?-?\}\}["']?$/.exec(code) ?? [];
  if (declaration === undefined) return undefined;
  return SETTINGS.get(name)?.find((path) => valueAt(declaration.value, path) === value);
}
