// Compares types of built-in kinds in the struct table with upstream's OpenAPI documents (see README.md).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '../../src/cel/check/type.ts';
import { formatApiVersion } from '../../src/kubernetes/api/group-version.ts';
import { DeclaredTypes } from '../../src/kubernetes/cel/declared-types.ts';
import { OpenApiSchema } from '../../src/kubernetes/cel/openapi-schema.ts';
import { declareSchema, type TypedSchema } from '../../src/kubernetes/cel/schema-types.ts';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { publishedSchema } from '../../src/kubernetes/schema/struct-schema.ts';
import type { JsonObject } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';

let failed = false;
for (const argument of process.argv.slice(2)) {
  const match = /^1\.(\d+)=(.+)$/.exec(argument);
  if (match === null) throw new Error(`expected 1.<minor>=<folder of k8s.io/kubernetes>, got ${argument}`);
  const differences: string[] = [];
  const kinds = compareRelease(Number(match[1]), join(match[2] as string, 'api', 'openapi-spec', 'v3'), differences);
  console.log(`1.${match[1]}: ${kinds} kinds, ${differences.length} differences`);
  for (const difference of differences) console.log(`  ${difference}`);
  failed ||= differences.length > 0;
}
process.exitCode = failed ? 1 : 0;

/** Returns the number of compared kinds. */
function compareRelease(minor: number, folder: string, differences: string[]): number {
  const catalog = new SchemaCatalog(minor);
  const resources = new BuiltinResources(minor);
  let kinds = 0;
  for (const file of readdirSync(folder)) {
    const apiVersion = /^apis?__(.+)_openapi\.json$/.exec(file)?.[1]?.replace('__', '/');
    if (apiVersion === undefined) continue;
    const components = componentsOf(join(folder, file));
    for (const schema of components.values()) {
      for (const entry of objectItems(objectOrEmpty(schema).get('x-kubernetes-group-version-kind'))) {
        const [group = '', version = '', kind = ''] = ['group', 'version', 'kind'].map((name) =>
          textField(entry, name),
        );
        const gvk = { group, version, kind };
        if (formatApiVersion(group, version) !== apiVersion || resources.resourceForKind(gvk) === undefined) continue;
        const struct = catalog.structForKind(gvk);
        if (struct === undefined) differences.push(`${apiVersion} ${kind} has no struct`);
        else compare(kind, new OpenApiSchema(components, objectOrEmpty(schema)), publishedSchema(struct), differences);
        kinds += 1;
      }
    }
  }
  return kinds;
}

function componentsOf(file: string): JsonObject {
  const parsed = parseJson(readFileSync(file, 'utf8'));
  const document = objectOrEmpty('value' in parsed ? parsed.value : null);
  return objectOrEmpty(objectOrEmpty(document.get('components')).get('schemas'));
}

function compare(kind: string, upstream: TypedSchema, ours: TypedSchema, differences: string[]): void {
  const [one, other] = [new DeclaredTypes(), new DeclaredTypes()];
  const visit = (path: string, expected: Type | undefined, actual: Type | undefined): void => {
    if (String(expected) !== String(actual)) differences.push(`${path} is ${expected} upstream, here ${actual}`);
    if (expected === undefined || actual === undefined) return;
    const names = new Set([...(one.fieldNames(expected) ?? []), ...(other.fieldNames(actual) ?? [])]);
    for (const name of names) visit(`${path}.${name}`, one.findField(expected, name), other.findField(actual, name));
    for (const [index, inner] of expected.parameters.entries()) visit(path, inner, actual.parameters[index]);
  };
  visit(kind, declareSchema(one, kind, upstream, true), declareSchema(other, kind, ours, true));
}
