// Describes the holes of a root with the locations of the entries that name them.
import { isKustomizationName } from '../../../inventory/kustomize-references.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { SourceLocation } from '../../../source/text/source-file.ts';

import type { WrittenFiles } from '../../places/written.ts';
import type { RenderedAround } from './around-holes.ts';
import type { RootHole } from './rendered-root.ts';
import { renderingHelp } from './root-failure.ts';

export interface RootHoles {
  readonly holes: readonly RootHole[];
  /** The parts, to complete "depends on …". */
  readonly named: string;
  /** Sentences about holes whose objects are known. */
  readonly assumes: readonly string[];
}

const MOST_NAMES = 2;

/** `files`: those of the repository. `declared`: for entries that a controller writes. */
export function holesOf(
  { holes, leftOut }: Pick<RenderedAround, 'holes' | 'leftOut'>,
  files: WrittenFiles,
  declared: () => SourceLocation,
): RootHoles {
  const placeOf = (path: string, entry: FieldPath): SourceLocation => {
    const [document] = isKustomizationName(path) && files.file(path) !== undefined ? files.documents(path) : [];
    return document?.place(entry, 'value') ?? declared();
  };
  const distinct = [...new Map(holes.map((hole) => [`${hole.what}\0${hole.lacks}`, hole])).values()];
  const lacking = distinct.find(({ lacks }) => lacks === 'objects');
  const also = leftOut.map(({ path, entry }) => placeOf(path, entry));
  const names = distinct.map(({ what }) => what);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return {
    named: `${names.slice(0, MOST_NAMES).join(' or ')}${more} (not in the repository)`,
    holes: distinct.map((hole) => ({
      lacks: hole.lacks,
      reason: hole.reason,
      what: hole.what,
      message: hole.reason === 'helm-chart' ? hole.because : `${hole.what} is unknown, and ${hole.because}`,
      help: renderingHelp(hole.reason),
      location: placeOf(hole.path, hole.entry),
      also: hole === lacking ? also : [],
      ...(hole.missing && { missing: hole.missing }),
    })),
    assumes: distinct.flatMap(({ assumes }) => assumes ?? []),
  };
}
