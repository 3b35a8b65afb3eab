// Loads the `schemas` of the configuration from repository files and, if allowed, from URLs.
import { trimRight } from '../../go/strings/trim.ts';
import {
  kindsWithoutSchema,
  type MissingKind,
  type SchemaPlace,
  schemaPlaces,
  schemaSource,
} from '../../pipeline/check/catalogue-schemas.ts';
import type { PolicySourceState } from '../../pipeline/state/policy-sources.ts';
import type { StateOptions } from '../../pipeline/state/state-content.ts';
import { isSchemaAddress } from '../../settings/schema-location.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { fetchSchemas } from '../../workspace/schemas/fetch-schemas.ts';
import type { SchemaOptions } from './fetch-access.ts';

/** Limit of files per schema folder. */
const MAX_FILES = 5000;

/** `root`: root of the checked files. `states`: states whose kinds need schemas, with their file trees. Throws WorkspaceError. */
export async function schemaSources(
  states: readonly (StateOptions & { readonly tree: FileTree })[],
  fetching: SchemaOptions | undefined,
  root: string,
): Promise<readonly PolicySourceState[]> {
  const [first] = states;
  const locations = first?.configuration.schemas ?? [];
  // Without files to read, the kinds are not needed.
  if (first === undefined || (fetching === undefined && locations.every(isSchemaAddress))) return [];
  const kinds = new Map<string, MissingKind>();
  for (const state of states) {
    for (const kind of kindsWithoutSchema(state)) kinds.set([kind.group, kind.version, kind.kind].join('/'), kind);
  }
  const places = schemaPlaces(locations, [...kinds.values()]);
  const addresses = places.filter(({ path }) => isSchemaAddress(path)).map(({ path }) => path);
  const fetched = fetching === undefined ? undefined : await fetchSchemas(addresses, { ...fetching, root });
  const found = places.flatMap((place): readonly { readonly place: SchemaPlace; readonly text: string }[] => {
    const text = fetched?.get(place.path);
    if (isSchemaAddress(place.path)) return text === undefined ? [] : [{ place, text }];
    // The last state is the checked one.
    const { tree } = states.at(-1) ?? first;
    return filesAt(tree, trimRight(place.path, '/').replace(/^\.\//, '')).map((each) => ({ place, text: each }));
  });
  const source = schemaSource(found, [...kinds.values()]);
  return source === undefined ? [] : [source];
}

/** Does not follow symbolic links. */
function filesAt(tree: FileTree, top: string): readonly string[] {
  const texts: string[] = [];
  const pending = [top === '.' ? '' : top];
  for (let path = pending.pop(); path !== undefined && texts.length < MAX_FILES; path = pending.pop()) {
    const kind = tree.kind(path);
    if (kind === 'folder') for (const name of tree.list(path)) pending.push(path === '' ? name : `${path}/${name}`);
    const bytes = kind === 'file' && /\.(?:ya?ml|json)$/.test(path) ? tree.read(path) : undefined;
    if (bytes !== undefined) texts.push(new TextDecoder().decode(bytes));
  }
  return texts;
}
