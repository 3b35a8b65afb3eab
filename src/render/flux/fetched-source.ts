// Finds the files of a Flux source: in this repository, or in another one that was fetched.
import { objectField, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { DeclarationFacts, UnknownPart } from '../sources/controller.ts';
import type { GitReference, GitRevision } from '../sources/remote/remote.ts';
import { findSource, type OwnSources, type SourceReference, specOf } from './source-reference.ts';

export interface SourceRoot {
  /** Folder of the tree at the source's top; '' is the top of this repository. */
  readonly root: string;
  readonly assumes: readonly string[];
}

/** Undefined for a source that is not this repository and cannot be fetched. */
export function sourceRoot(
  reference: SourceReference,
  known: DeclarationFacts,
  own: OwnSources,
): SourceRoot | UnknownPart | undefined {
  const root = own.rootOf(reference);
  if (root !== undefined) return { root, assumes: [] };
  const git = gitReference(reference, known);
  if (git === undefined) return undefined;
  const found = known.repository(git);
  return 'unknown' in found ? found : { root: found.folder, assumes: [found.assumes] };
}

/** Only https. A source that includes other sources has files that its repository does not contain. */
function gitReference(reference: SourceReference, known: DeclarationFacts): GitReference | undefined {
  const source = reference.kind === 'GitRepository' ? findSource(known, reference) : undefined;
  if (source === undefined) return undefined;
  const spec = specOf(source);
  const url = textField(spec, 'url');
  if (!/^https:\/\//i.test(url) || spec.has('include')) return undefined;
  return { git: url, revision: revisionOf(objectOrEmpty(objectField(spec, 'ref'))) };
}

const FIELDS = [
  ['commit', 'commit'],
  ['name', 'ref'],
  ['semver', 'semver'],
  ['tag', 'tag'],
  ['branch', 'branch'],
] as const;

/** The order of source-controller: `GitRepositoryRef` of api/v1, default `master`. */
function revisionOf(ref: ReturnType<typeof objectOrEmpty>): GitRevision {
  for (const [field, as] of FIELDS) {
    const text = textField(ref, field);
    if (text !== '') return { as, text };
  }
  return { as: 'branch', text: 'master' };
}
