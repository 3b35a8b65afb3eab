// Documents of files that a controller applies unchanged, read as Argo CD reads a directory.
import { append } from '../../../go/slices/append.ts';
import { isJsonObject } from '../../../source/json/json.ts';
import { textField } from '../../../source/json/json-field.ts';
import type { ManifestFile } from '../../../source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../../source/manifest/written-manifest.ts';
import { baseName } from '../../../source/text/repository-path.ts';
import type { SourceFile } from '../../../source/text/source-file.ts';
import type { FileTree } from '../../../source/tree/file-tree.ts';
import type { FilesRequest } from '../controller.ts';

export interface AppliedDocuments {
  readonly documents: readonly WrittenManifest[];
  /** If set, nothing is applied. */
  readonly failure?: string;
}

/**
 * Follows `findManifests` of Argo CD's repository server. An invalid file is skipped if it does not look like a manifest and none of its
 * documents is valid so far. Otherwise nothing of the directory is applied.
 */
export function appliedDocuments(
  { files, leaveOut }: FilesRequest,
  tree: FileTree,
  read: (file: SourceFile) => ManifestFile,
  state: { fileAt(path: string): SourceFile | undefined },
): AppliedDocuments {
  const documents: WrittenManifest[] = [];
  for (const path of files) {
    const file = tree.read(path) === undefined ? undefined : state.fileAt(path);
    if (file === undefined) return { documents: [], failure: `Failed to open "${path}"` };
    if (file.text.includes(leaveOut)) continue;
    const { manifests, problems } = read(file);
    const wrong = manifests.findIndex(({ value }) => !isJsonObject(value) || textField(value, 'kind') === '');
    const isWrong = wrong >= 0 || problems.some(({ kind }) => kind !== 'unread');
    if (path.endsWith('.json') && manifests.length > 1) {
      const words = `Found multiple objects in "${baseName(path)}". Only single objects are allowed in JSON files.`;
      return { documents: [], failure: words };
    }
    if (isWrong && (wrong > 0 || path.endsWith('.json') || looksLikeManifest(file.text))) {
      const why = problems[0]?.message ?? "Object 'Kind' is missing";
      return { documents: [], failure: `Failed to unmarshal "${baseName(path)}": ${why}` };
    }
    if (!isWrong) append(documents, manifests);
  }
  return { documents };
}

function looksLikeManifest(text: string): boolean {
  return ['apiVersion:', 'kind:', 'metadata:'].every((word) => text.includes(word));
}
