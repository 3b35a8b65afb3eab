// Folders that the Applications of an ApplicationSet may use, if some of its parameters are unknown.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, optionalTextField } from '../../source/json/json-field.ts';
import { combinedPaths } from '../sources/declaration/possible-paths.ts';
import { generatorKinds } from './generators.ts';
import { withDefaults } from './merge-values.ts';
import { sourcePaths, type ThisRepository } from './repository-url.ts';

const PLACEHOLDER = /^\{\{-?\s*\.?([A-Za-z0-9_.-]+)\s*-?\}\}$/;
const PATCHED_PATH = /^[ \t-]*path:(.*)$/gm;

/** Paths with `ANY_PART` for unknown parts. Parameters that only the generators' `values` and lists set have these values in any cluster. */
export function possibleFolders(spec: JsonObject, repository: ThisRepository): readonly string[] {
  const generators = objectItems(spec.get('generators'));
  const values = new Map<string, Set<string>>();
  for (const generator of generators) collect(generator, values);
  const templates = generators.flatMap((generator) =>
    generatorKinds(generator).map(({ template }) => withDefaults(template, objectOrEmpty(spec.get('template')))),
  );
  const named = templates
    .flatMap((template) => sourcePaths(objectOrEmpty(template.get('spec'))))
    .filter(({ url }) => url === '' || repository.isNamedBy(url) || repository.mayBe(url))
    .map(({ path }) => path);
  const patched = [...(optionalTextField(spec, 'templatePatch') ?? '').matchAll(PATCHED_PATH)].map(([, path = '']) =>
    path.trim().replace(/^["']|["']$/g, ''),
  );
  const paths = [...named, ...patched].filter((path) => path !== '');
  return paths.flatMap((path) => combinedPaths(path, (placeholder) => values.get(nameIn(placeholder))));
}

function nameIn(placeholder: string): string {
  return PLACEHOLDER.exec(placeholder)?.[1] ?? '';
}

/** Adds the texts of all `values` and list elements below a generator. A text with a placeholder stands for unknown texts. */
function collect(value: JsonValue, found: Map<string, Set<string>>): void {
  if (isJsonArray(value)) for (const item of value) collect(item, found);
  if (!isJsonObject(value)) return;
  for (const [key, field] of value) {
    if (key === 'values') addAll(objectOrEmpty(field), 'values.', found);
    else if (key === 'elements') {
      for (const element of objectItems(value.get('elements'))) {
        addAll(element, '', found);
        addAll(objectOrEmpty(element.get('values')), 'values.', found);
      }
    } else collect(field, found);
  }
}

function addAll(fields: JsonObject, prefix: string, found: Map<string, Set<string>>): void {
  for (const [key, text] of fields) {
    if (typeof text !== 'string') continue;
    const name = `${prefix}${key}`;
    const known = found.get(name);
    if (known === undefined) found.set(name, new Set([text]));
    else known.add(text);
  }
}
