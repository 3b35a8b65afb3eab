// The edits that mutating policies would make to one file of an edited state.
import type { TextSplice } from '../../source/edit/text-edit.ts';
import type { SourceRange } from '../../source/text/source-file.ts';
import { rewriteState } from '../mutate/mutate-state.ts';
import type { EditedState } from './edited-state.ts';

export interface WrittenMutations {
  readonly splices: readonly TextSplice[];
  /** Locations of the changed objects. */
  readonly objects: readonly SourceRange[];
}

/** Undefined if no policy can change an object of the file. Then no policy is evaluated. */
export function writtenMutations(state: EditedState, path: string): WrittenMutations | undefined {
  const mayChange = state.content().resources.some(({ resource: { gvk } }) => {
    return gvk.kind === 'MutatingAdmissionPolicy' || gvk.group.endsWith('kyverno.io');
  });
  if (!mayChange || state.isBuilt(path)) return undefined;
  const content = state.content();
  const facts = new Set(state.facts());
  const resources = content.resources.filter((found) => found.resource.manifest.file.path === path || facts.has(found));
  const rewritten = rewriteState({ ...state.input(), only: new Set([path]) }, { ...content, resources });
  const file = rewritten.files.find((one) => one.file.path === path);
  if (file === undefined) return undefined;
  const objects = rewritten.state.entries
    .filter(({ resource }) => resource.manifest.file === file.file)
    .map(({ resource }) => resource.manifest.place(resource.rootPath, 'value').range);
  return { splices: file.splices, objects };
}
