// Folders that a controller may build, although the repository does not contain all parts of their paths.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { normalizePath } from '../../../source/text/repository-path.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';

/** Stands for an unknown part of a path. */
export const ANY_PART = '\0';

const PATH_FIELD = /^[ \t-]*path:[ \t]*["']?([^\s"']+)/gm;
/** `{{name}}` of Argo CD and Helm, `${VAR}` of Flux, `<< inputs.name >>` of the Flux operator. */
const OPEN = /\{\{[\s\S]*?\}\}|<<[\s\S]*?>>|\$\{[^}]*\}/g;

/** The text with `ANY_PART` for each placeholder. */
export function openPath(text: string): string {
  if (text.length > MAXIMUM_LENGTH) return ANY_PART;
  return text.replace(OPEN, ANY_PART);
}

/** Longer than a path can be. */
const MAXIMUM_LENGTH = 4_096;
/** More combinations are replaced by one path with unknown parts. */
const MAXIMUM_COMBINATIONS = 1_000;

/** `valuesOf`: the known values of a placeholder; undefined if it may have others. */
export function combinedPaths(
  text: string,
  valuesOf: (placeholder: string) => ReadonlySet<string> | undefined,
): readonly string[] {
  if (text.length > MAXIMUM_LENGTH) return [ANY_PART];
  let paths = [''];
  let end = 0;
  for (const found of text.matchAll(OPEN)) {
    const before = text.slice(end, found.index);
    const values = [...(valuesOf(found[0]) ?? [ANY_PART])];
    if (paths.length * values.length > MAXIMUM_COMBINATIONS) return [openPath(text)];
    paths = paths.flatMap((path) => values.map((value) => `${path}${before}${value}`));
    end = found.index + found[0].length;
  }
  return paths.map((path) => openPath(`${path}${text.slice(end)}`));
}

export class PossiblePaths {
  readonly #exact = new Set<string>();
  readonly #open = new Set<string>();
  /** Many files have the same folders above. */
  readonly #known = new Map<string, boolean>();

  /** Paths from the top of the repository, with `ANY_PART` for unknown parts. */
  add(paths: Iterable<string>): void {
    for (const path of paths) {
      const clean = normalizePath(`/${path}`).replace(/^\/+|\/+$/g, '') || '.';
      if (clean.includes(ANY_PART)) this.#open.add(clean);
      else this.#exact.add(clean);
    }
    this.#known.clear();
  }

  has(folder: string): boolean {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const has = this.#exact.has(folder) || [...this.#open].some((path) => matches(folder, path.split(ANY_PART)));
    this.#known.set(folder, has);
    return has;
  }
}

/** True if the text contains the parts in this order, and begins and ends with the first and the last. Linear, unlike an expression. */
function matches(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= text.length;
}

/** Folders of the repository that `path` fields of the value name, also in texts, such as the values of a chart that is elsewhere. */
export function namedFolders(value: JsonValue, tree: FileTree): readonly string[] {
  const paths = pathFields(value).map((path) => normalizePath(`/${path}`).replace(/^\/+|\/+$/g, ''));
  return paths.filter((path) => path !== '' && tree.kind(path) === 'folder');
}

/** Paths that `path` fields of templates may name, with `ANY_PART` for placeholders. */
export function openFolders(value: JsonValue): readonly string[] {
  return pathFields(value).map(openPath);
}

function pathFields(value: JsonValue): readonly string[] {
  // Placeholders may contain spaces, at which the path would end.
  if (typeof value === 'string')
    return [...value.replace(OPEN, ANY_PART).matchAll(PATH_FIELD)].map(([, path = '']) => path);
  if (isJsonArray(value)) return value.flatMap(pathFields);
  if (!isJsonObject(value)) return [];
  return [...value].flatMap(([key, field]) =>
    key === 'path' && typeof field === 'string' ? [field] : pathFields(field),
  );
}
