// Extracts the operations that tests validate against from GitHub's OpenAPI description: `npx tsx scripts/github-openapi.ts`.
// The description takes 385 MB installed, so it is fetched into a temporary folder instead of being a development dependency
// (docs/decisions/0003-github-openapi-extract.md). Rerun after raising VERSION, and review the diff.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '23.0.2';
const TARGET = join(import.meta.dirname, '../test/support/github-openapi.generated.json');

/** The operations that src/github calls. */
const OPERATIONS: readonly string[] = [
  'checks/create',
  'checks/get',
  'checks/list-for-ref',
  'checks/update',
  'git/create-blob',
  'git/create-commit',
  'git/create-ref',
  'git/create-tree',
  'git/get-blob',
  'git/get-commit',
  'git/get-ref',
  'git/get-tree',
  'git/update-ref',
  'issues/create',
  'issues/create-comment',
  'issues/delete-comment',
  'issues/list-comments',
  'issues/list-for-repo',
  'issues/update',
  'issues/update-comment',
  'pulls/create-review',
  'pulls/delete-review-comment',
  'pulls/get',
  'pulls/list-files',
  'pulls/list-review-comments',
  'pulls/list-reviews',
  'pulls/update-review',
  'pulls/update-review-comment',
];

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Documentation fields. Validation ignores them, and they are most of the size. */
const PROSE = new Set(['description', 'example', 'examples', 'title', 'externalDocs', 'deprecated', 'summary']);

const source = readDescription();
const schemas = object(object(source['components'] as Json)['schemas'] as Json);
const needed = new Map<string, Json>();
const operations: JsonObject = {};

for (const [path, methods] of Object.entries(object(source['paths'] as Json))) {
  for (const [method, operation] of Object.entries(object(methods))) {
    const { operationId, requestBody, responses } = object(operation);
    if (typeof operationId !== 'string' || !OPERATIONS.includes(operationId)) continue;
    operations[operationId] = {
      method: method.toUpperCase(),
      path,
      request: jsonSchema(requestBody) ?? null,
      responses: Object.fromEntries(
        Object.entries(object(responses as Json))
          .filter(([status]) => status.startsWith('2'))
          .map(([status, response]) => [status, jsonSchema(response) ?? null]),
      ),
    };
  }
}
const missing = OPERATIONS.filter((id) => operations[id] === undefined);
if (missing.length > 0) throw new Error(`not in @octokit/openapi ${VERSION}: ${missing.join(', ')}`);

const extract = {
  generated: 'by scripts/github-openapi.ts, do not edit',
  source: `@octokit/openapi ${VERSION}, generated/api.github.com.json`,
  license: 'MIT, Copyright (c) 2020 Octokit contributors',
  operations: sorted(operations),
  components: { schemas: sorted(Object.fromEntries(needed)) },
};
writeFileSync(TARGET, `${JSON.stringify(extract, null, 1)}\n`);
console.log(`${OPERATIONS.length} operations, ${needed.size} schemas, ${JSON.stringify(extract).length} bytes`);

function readDescription(): JsonObject {
  const folder = mkdtempSync(join(tmpdir(), 'github-openapi-'));
  try {
    const packed = execFileSync('npm', ['pack', `@octokit/openapi@${VERSION}`, '--pack-destination', folder], {
      encoding: 'utf8',
    });
    const archive = join(folder, packed.trim().split('\n').at(-1) as string);
    execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/generated/api.github.com.json']);
    return JSON.parse(readFileSync(join(folder, 'package/generated/api.github.com.json'), 'utf8')) as JsonObject;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function jsonSchema(holder: Json | undefined): Json | undefined {
  const content = holder === undefined ? undefined : object(holder)['content'];
  const media = content === undefined ? undefined : object(content)['application/json'];
  const schema = media === undefined ? undefined : object(media)['schema'];
  return schema === undefined ? undefined : converted(schema);
}

/** Converts OpenAPI 3.0 to JSON Schema: `nullable` becomes a type, documentation is dropped, and every referenced schema is kept. */
function converted(schema: Json, insideProperties = false): Json {
  if (Array.isArray(schema)) return schema.map((item) => converted(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!insideProperties && (PROSE.has(key) || key.startsWith('x-') || key === 'nullable')) continue;
    if (key === '$ref' && typeof value === 'string') keep(value);
    result[key] =
      key === 'enum' || key === 'required' ? value : converted(value, !insideProperties && key === 'properties');
  }
  if (insideProperties || schema['nullable'] !== true) return result;
  if (Array.isArray(result['enum'])) result['enum'] = [...result['enum'], null];
  if (typeof result['type'] === 'string') return { ...result, type: [result['type'], 'null'] };
  return { anyOf: [result, { type: 'null' }] };
}

function keep(reference: string): void {
  const name = reference.replace('#/components/schemas/', '');
  if (needed.has(name)) return;
  needed.set(name, null);
  needed.set(name, converted(schemas[name] as Json));
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function object(value: Json): JsonObject {
  return value as JsonObject;
}
