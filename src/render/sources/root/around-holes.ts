// Renders a kustomization without the parts that the repository does not contain, and finds the fields that depend on them.

import { append } from '../../../go/slices/append.ts';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import type { FailureClass, RenderOutcome } from '../../engine/render-request.ts';
import type { Hole } from '../../holes/hole.ts';
import { type LeftOut, leaveOut, leaveOutPatches } from '../../holes/left-out.ts';
import { survey } from '../../holes/survey.ts';
import { namesOf, unknownReferences } from '../../holes/unknown-references.ts';
import type { Build } from '../controller.ts';
import { overlaid } from './recorded-tree.ts';

export interface RenderedAround {
  /** The build of the edited kustomizations. */
  readonly build: Build;
  /** The same with other values in the holes; undefined if the holes have no values. */
  readonly other: Build | undefined;
  readonly holes: readonly Hole[];
  readonly leftOut: readonly LeftOut[];
  /** Further files of the root: configurations of plugins, and the files that they read. */
  readonly inputs: ReadonlySet<string>;
  /** For each rendered object, the fields that unknown objects may change. */
  openFields(values: readonly JsonValue[]): readonly (readonly FieldPath[])[];
}

/** Failures that a hole can cause. */
const REASONS: ReadonlySet<FailureClass> = new Set<FailureClass>(['remote-base', 'plugin', 'helm-chart']);

/** A root that lacks more is not rendered. */
const MOST_HOLES = 100;

/** Each removes at least one entry. */
const MOST_TRIES = 50;

/**
 * The rendering around the holes, or the hole that leaves no object known. Undefined if the failure has another cause. `render`: cached.
 */
export function renderAround(
  build: Build,
  failed: RenderOutcome,
  tree: FileTree,
  render: (build: Build) => RenderOutcome,
): RenderedAround | { readonly cause: Hole } | undefined {
  const { request } = build;
  if (!('failure' in failed) || request.engine !== 'kustomize' || !REASONS.has(failed.failure)) return undefined;
  const seen = overlaid(tree, build.overlay);
  const found = survey({
    tree: seen,
    root: request.root,
    // Flux runs no plugins, and only Flux keeps the order of files.
    runsPlugins: request.order !== 'files',
    missingCharts: build.missingCharts ?? new Map(),
  });
  if (found === undefined || 'cause' in found) return found;
  const read = (path: string): string | undefined => {
    const bytes = seen.read(path);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  };
  const { holes, contents, standIns, otherStandIns, inputs, names } = found;
  const [cause] = holes;
  if (cause !== undefined && holes.length > MOST_HOLES) return { cause };
  // kustomize names one such patch at a time, and each build takes as long as the first.
  const leftOut: LeftOut[] = [...leaveOutPatches(contents, read, names)];
  for (let tries = 0; tries < MOST_TRIES && cause !== undefined; tries++) {
    const texts = [...contents].map(([path, content]) => [path, jsonText(content)] as const);
    const overlay = new Map([...(build.overlay ?? []), ...standIns, ...texts]);
    const edited: Build = { ...build, overlay };
    const outcome = render(edited);
    if (!('failure' in outcome)) {
      if (outcome.objects.length === 0) return { cause };
      const other =
        otherStandIns.size === 0 ? undefined : { ...build, overlay: new Map([...overlay, ...otherStandIns]) };
      const openFields = (values: readonly JsonValue[]) => openedBy(values, holes, leftOut, [...contents.values()]);
      return { build: edited, other, holes, leftOut, inputs, openFields };
    }
    const left = leaveOut(outcome.message, contents, read);
    if (left === undefined) return { cause };
    append(leftOut, left);
  }
  return undefined;
}

function openedBy(
  values: readonly JsonValue[],
  holes: readonly Hole[],
  leftOut: readonly LeftOut[],
  contents: readonly ReadonlyMap<string, JsonValue>[],
): readonly (readonly FieldPath[])[] {
  const lacksObjects = holes.filter(({ lacks }) => lacks === 'objects');
  const has = (field: string): boolean => contents.some((content) => isSet(content.get(field)));
  const options = {
    names: namesOf(values),
    mayRename: lacksObjects.some(({ mayRename }) => mayRename) || has('namePrefix') || has('nameSuffix'),
    setsNamespace: has('namespace'),
    hasOwnReferences: has('configurations') || has('crds'),
  };
  return values.map((value) => {
    const ofEntries = isJsonObject(value) ? leftOut.flatMap(({ opens }) => opens(value)) : [];
    return lacksObjects.length === 0 ? ofEntries : [...ofEntries, ...unknownReferences(value, options)];
  });
}

function isSet(value: JsonValue | undefined): boolean {
  return isJsonArray(value) ? value.length > 0 : value !== undefined && value !== '';
}

function jsonText(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}
