// What mutating policies would write into one file of a state that is being edited.
import type { TextSplice } from '../../source/edit/text-edit.ts';
import type { SourceRange } from '../../source/text/source-file.ts';
import { rewriteState } from '../mutate/mutate-state.ts';
import type { EditedState } from './edited-state.ts';

export interface WrittenMutations {
  readonly splices: readonly TextSplice[];
  /** Where the objects are that are changed. */
  readonly objects: readonly SourceRange[];
}

/** Undefined where no policy changes anything, which is known without asking. */
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
