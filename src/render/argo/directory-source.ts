// A folder of manifests as an Application source: the files that Argo CD applies, in order.

import type { JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { baseName } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { FilesRequest, UnknownPart } from '../sources/controller.ts';
import { pathMatcher } from './glob.ts';
import { entryAt, walk } from './tree-path.ts';

const LEAVE_OUT_MARK = '+argocd:skip-file-rendering';

export interface DirectoryFiles {
  readonly request: FilesRequest;
  readonly unknownParts: readonly UnknownPart[];
}

/** `include` and `exclude` are matched against the path below the folder. An invalid pattern matches nothing. */
export function directoryFiles(source: JsonObject, folder: string, tree: FileTree): DirectoryFiles {
  const options = objectOrEmpty(source.get('directory'));
  const [include, exclude] = ['include', 'exclude'].map((field) => {
    const pattern = textField(options, field);
    return pattern === '' ? undefined : (pathMatcher(pattern, 'glob') ?? (() => false));
  });
  const takesAny = options.get('disableExtensionFilter') === true;
  const files: string[] = [];
  const unknownParts: UnknownPart[] = [];
  for (const path of walk(tree, folder, options.get('recurse') === true)) {
    const below = folder === '' ? path : path.slice(folder.length + 1);
    if (tree.kind(path) === 'folder' || !(takesAny || /\.(?:yaml|yml|json|jsonnet)$/.test(baseName(path)))) continue;
    const entry = entryAt(tree, path);
    if (entry?.kind !== 'file' || exclude?.(below) === true || include?.(below) === false) continue;
    if (path.endsWith('.jsonnet')) {
      unknownParts.push({
        unknown: `${path} is Jsonnet, which preadmit does not evaluate`,
        help: 'commit its output, or check the rendered manifests',
      });
    } else files.push(entry.path);
  }
  return { request: { engine: 'files', files, leaveOut: LEAVE_OUT_MARK }, unknownParts };
}
