// Finds the files that tests of Chainsaw and of Kyverno's CLI use: assertions about a cluster, and fixtures applied to a test cluster.
import { isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../source/json/json-field.ts';
import { folderOf, joinPaths } from '../source/text/repository-path.ts';
import { isTestFolder } from './aside.ts';

const GROUPS = ['chainsaw.kyverno.io/', 'cli.kyverno.io/'] as const;
const PHASES = ['try', 'catch', 'finally', 'cleanup'] as const;
const COMPARING = ['assert', 'error'] as const;
const APPLYING = ['apply', 'create'] as const;

export interface TestFile {
  readonly path: string;
  readonly content: JsonObject;
}

export function isTest(document: JsonValue | undefined): document is JsonObject {
  return isJsonObject(document) && GROUPS.some((group) => textField(document, 'apiVersion').startsWith(group));
}

/** Paths in `assert` or `error` operations that no `apply` or `create` names. File names with wildcards are ignored. */
export function assertionFiles(tests: readonly TestFile[]): ReadonlySet<string> {
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

/**
 * Paths that a test reads or applies to its own cluster. Only files below the test's folder, and only if that folder
 * has the name of a test folder: a test may also apply files that are deployed elsewhere.
 */
export function fixtureFiles(tests: readonly TestFile[]): ReadonlySet<string> {
  const fixtures = new Set<string>();
  for (const { path, content } of tests) {
    const folder = folderOf(path);
    if (!isTestFolder(folder)) continue;
    const read = new Set<string>();
    for (const operation of operationsOf(content)) collect(operation, APPLYING, folder, read);
    for (const file of textItems(content.get('resources'))) read.add(joinPaths(folder, file));
    for (const file of read) if (file.startsWith(`${folder}/`)) fixtures.add(file);
  }
  return fixtures;
}

/** A Test has steps with phases; a StepTemplate has only phases. */
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
