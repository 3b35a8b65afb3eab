// Replaces the expected messages of a test file by the current messages of the policies. Keeps comments and layout.
import type { RewordedMessage, TestSuite } from '../../report/explanation/policy-test.ts';
import { editFile } from '../../source/edit/edit-file.ts';
import type { JsonEdit } from '../../source/edit/json-edit.ts';
import { isJsonArray } from '../../source/json/json.ts';
import { valueAt } from '../../source/json/json-field.ts';
import { readManifests } from '../../source/manifest/read-manifests.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { SourceFile } from '../../source/text/source-file.ts';

export interface UpdatedTests {
  readonly text: string;
  /** Number of replaced messages. */
  readonly updated: number;
  /** Messages that cannot be replaced, each with the reason. */
  readonly left: readonly string[];
}

/** Undefined if no message differs. */
export function updateExpectations(file: SourceFile, { tests }: TestSuite): UpdatedTests | undefined {
  const [manifest] = readManifests(file).manifests;
  const reworded = tests.flatMap(({ differences }) => differences.flatMap((difference) => difference.reworded ?? []));
  if (manifest === undefined || reworded.length === 0) return undefined;
  const edits = new Map<string, JsonEdit>();
  const left: string[] = [];
  for (const each of reworded) {
    const path = writtenPath(each.path, manifest.value);
    const key = formatFieldPath(path);
    const known = edits.get(key);
    if (known === undefined) edits.set(key, { kind: 'set', path, value: each.message });
    else if (!isOf(known, each))
      left.push(`${key}: several requests share this expectation but get different messages`);
  }
  for (const reason of left) edits.delete(reason.slice(0, reason.indexOf(': ')));
  const edited = editFile(file, [{ manifest, rootPath: [], edits: [...edits.values()] }]);
  for (const [edit, reason] of edited.left) left.push(`${formatFieldPath(edit.path)}: ${reason}`);
  return { text: edited.text, updated: edits.size - edited.left.size, left: [...new Set(left)] };
}

function isOf(edit: JsonEdit, { message }: RewordedMessage): boolean {
  return 'value' in edit && edit.value === message;
}

/** A list of failures may be written as one text, and a failure as its message. */
function writtenPath(path: FieldPath, value: Parameters<typeof valueAt>[0]): FieldPath {
  const list = path.slice(0, -1);
  const written = valueAt(value, list);
  if (!isJsonArray(written)) return typeof written === 'string' ? list : [...list, 'message'];
  return typeof valueAt(value, path) === 'string' ? path : [...path, 'message'];
}
