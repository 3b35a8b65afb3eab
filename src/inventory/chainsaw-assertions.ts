// Files that Chainsaw tests compare with what is in the cluster: partial objects that look like manifests and are never applied.

import { isJsonObject, type JsonObject, type JsonValue } from '../source/json.ts';
import { objectItems, objectOrEmpty, textField } from '../source/json-field.ts';
import { folderOf, joinPaths } from '../source/repository-path.ts';

const CHAINSAW_GROUP = 'chainsaw.kyverno.io/';
const PHASES = ['try', 'catch', 'finally', 'cleanup'] as const;
const COMPARING = ['assert', 'error'] as const;
const APPLYING = ['apply', 'create'] as const;

export interface ChainsawTest {
  readonly path: string;
  readonly content: JsonObject;
}

export function isChainsawTest(document: JsonValue | undefined): document is JsonObject {
  return isJsonObject(document) && textField(document, 'apiVersion').startsWith(CHAINSAW_GROUP);
}

/** Paths named by `assert` or `error` operations and by no `apply` or `create`. File names with wildcards are not followed. */
export function assertionFiles(tests: readonly ChainsawTest[]): ReadonlySet<string> {
  const compared = new Set<string>();
  const applied = new Set<string>();
  for (const { path, content } of tests) {
    for (const operation of operationsOf(content)) {
      collect(operation, COMPARING, folderOf(path), compared);
      collect(operation, APPLYING, folderOf(path), applied);
    }
  }
  for (const path of applied) compared.delete(path);
  return compared;
}

/** A Test has steps with phases, a StepTemplate phases alone. */
function operationsOf(content: JsonObject): JsonObject[] {
  const spec = objectOrEmpty(content.get('spec'));
  const blocks = [spec, ...objectItems(spec.get('steps'))];
  return blocks.flatMap((block) => PHASES.flatMap((phase) => objectItems(block.get(phase))));
}

function collect(operation: JsonObject, verbs: readonly string[], folder: string, paths: Set<string>): void {
  for (const verb of verbs) {
    const file = textField(objectOrEmpty(operation.get(verb)), 'file');
    if (file !== '') paths.add(joinPaths(folder, file));
  }
}
