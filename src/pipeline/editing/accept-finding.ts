// Inserts the annotation that suppresses a finding. The user must add the reason.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { SUPPRESSION_ANNOTATION } from '../../report/baseline/suppression.ts';
import { editFile } from '../../source/edit/edit-file.ts';
import { editsBetween } from '../../source/edit/json-edit.ts';
import type { TextSplice } from '../../source/edit/text-edit.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectField, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { WrittenManifest } from '../../source/manifest/written-manifest.ts';
import type { RepositoryContent } from '../state/read-repository.ts';

/**
 * The edit that adds the rule to the annotation of the object at `offset`. Until the user adds a reason, the annotation is an error.
 * Undefined if no object is written there, if its annotation already names the rule, or if the text cannot be edited safely.
 */
export function acceptFinding(
  { written }: RepositoryContent,
  path: string,
  offset: number,
  rule: string,
): readonly TextSplice[] | undefined {
  const resource = written.map((found) => found.resource).find((one) => isAt(one, path, offset));
  const manifest = resource?.manifest;
  if (resource === undefined || !(manifest instanceof WrittenManifest)) return undefined;
  const after = withAnnotation(resource.value, rule);
  if (after === undefined) return undefined;
  const edits = editsBetween(resource.value, after);
  const edited = editFile(manifest.file, [{ manifest, rootPath: resource.rootPath, edits }]);
  return edited.left.size > 0 || edited.splices.length === 0 ? undefined : edited.splices;
}

function isAt({ manifest, rootPath }: Resource, path: string, offset: number): boolean {
  if (manifest.file.path !== path) return false;
  const { range } = manifest.place(rootPath, 'value');
  return range.start <= offset && offset <= range.end;
}

function withAnnotation(value: JsonObject, rule: string): JsonObject | undefined {
  const metadata = objectOrEmpty(value.get('metadata'));
  const annotations = objectField(metadata, 'annotations') ?? new Map();
  const lines = textField(annotations, SUPPRESSION_ANNOTATION)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.some((line) => line.slice(0, line.indexOf(':')).trim() === rule)) return undefined;
  const text = [...lines, `${rule}: `].join('\n');
  return new Map(value).set(
    'metadata',
    new Map(metadata).set('annotations', new Map(annotations).set(SUPPRESSION_ANNOTATION, text)),
  );
}
