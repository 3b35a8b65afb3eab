// Finds the files of a Flux source: in this repository, or in another one that was fetched.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { textField } from '../../source/json/json-field.ts';
import type { DeclarationFacts, UnknownPart } from '../sources/controller.ts';
import type { GitReference } from '../sources/remote/remote.ts';
import { sourceNamed } from './applied-source.ts';
import { type OwnSources, type SourceReference, specOf, writtenRevision } from './source-reference.ts';

export interface SourceRoot {
  /** Folder of the tree at the source's top; '' is the top of this repository. */
  readonly root: string;
  readonly assumes: readonly string[];
}

/** Undefined for a source that is not this repository and cannot be fetched. */
export function sourceRoot(
  reference: SourceReference,
  declaration: Resource,
  known: DeclarationFacts,
  own: OwnSources,
): SourceRoot | UnknownPart | undefined {
  const root = own.rootOf(reference);
  if (root !== undefined) {
    const origin = own.originOf(reference);
    return own.otherRevision(origin, sourceNamed(known, declaration, origin), declaration) ?? { root, assumes: [] };
  }
  const git = gitReference(reference, declaration, known);
  if (git === undefined) return undefined;
  const found = known.repository(git);
  return 'unknown' in found ? found : { root: found.folder, assumes: [found.assumes] };
}

/** Only https. A source that includes other sources has files that its repository does not contain. */
function gitReference(
  reference: SourceReference,
  declaration: Resource,
  known: DeclarationFacts,
): GitReference | undefined {
  const source = reference.kind === 'GitRepository' ? sourceNamed(known, declaration, reference) : undefined;
  if (source === undefined) return undefined;
  const spec = specOf(source);
  const url = textField(spec, 'url');
  if (!/^https:\/\//i.test(url) || spec.has('include')) return undefined;
  const { text, field } = writtenRevision(source);
  return { git: url, revision: { as: field === 'name' ? 'ref' : field, text } };
}
