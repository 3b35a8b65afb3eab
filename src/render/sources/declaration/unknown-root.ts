// The root of a declaration, or of a part of one, that the repository does not determine.
import { locationFoundBy } from '../../../source/text/source-file.ts';
import type { UnknownPart } from '../controller.ts';
import type { Reach } from '../kustomization/kustomization-graph.ts';
import type { RenderedRoot } from '../root/rendered-root.ts';

export function unknownRoot(
  facts: Pick<RenderedRoot, 'name' | 'location' | 'declaredBy' | 'entry' | 'destination' | 'takes'>,
  { unknown, help, at, isOtherRevision, missing, reads = [] }: UnknownPart,
  declaration: string,
): RenderedRoot {
  const reason = isOtherRevision === true ? 'other-revision' : 'unknown-source';
  const location = at && locationFoundBy(() => at.object.locate(at.path, 'value'));
  const details = { ...(missing && { missing }), ...(location && { location }) };
  const failure = { reason, message: unknown, help, ...details } as const;
  let files: ReadonlySet<string> | undefined;
  const reach: Reach = {
    get files() {
      files ??= new Set([facts.location.file.path]);
      return files;
    },
    folders: new Set(),
  };
  const source = { declaration, own: { files: new Set(reads), folders: new Set<string>() } };
  return { ...facts, manifests: [], inputs: new Set(), reach, failure, source };
}

/** The root, and one that is not rendered for each reason why the cluster may have other objects. `own`: its reach without its declaration. */
export function withDoubts(root: RenderedRoot, own: Reach, declaration = ''): readonly RenderedRoot[] {
  const { doubts = [], holes: _, ...facts } = root;
  const source = { declaration, own };
  const unknown = doubts.map((failure) => ({ ...facts, inputs: new Set<string>(), manifests: [], failure, source }));
  return [root, ...unknown];
}
