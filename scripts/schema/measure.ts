// Compares the conversion of manifests with Kubernetes' own packages (stages/, see README.md).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseApiVersion } from '../../src/kubernetes/api/group-version.ts';
import { Creation } from '../../src/kubernetes/schema/creation/creation.ts';
import { PLACEHOLDER_FACTS } from '../../src/kubernetes/schema/creation/server-facts.ts';
import { decodeTyped } from '../../src/kubernetes/schema/decode.ts';
import { Defaulter } from '../../src/kubernetes/schema/defaults/defaulter.ts';
import { NO_OBJECTS } from '../../src/kubernetes/schema/plugins/plugin-request.ts';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { childObject, ensureObject, type MutableObject } from '../../src/kubernetes/schema/typed-field.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { everyField } from './every-field.ts';

const [release = '', program = '', file] = process.argv.slice(2);
const minor = Number(/^1\.(\d+)$/.exec(release)?.[1]);
if (program === '' || Number.isNaN(minor)) throw new Error('usage: measure.ts 1.<minor> <program> [manifests.jsonl]');

const NOW = '2000-01-01T00:00:00Z';
/** Excluded: values that a server generates, or allocates outside of the strategies. */
const INCOMPARABLE =
  /^(?:Service spec\.(?:clusterIP|ipFamil|healthCheckNodePort|ports\.\d+\.nodePort)|LimitRange metadata\.name|CertificateSigningRequest spec\.|\w+ status\..*(?:lastPhase|last)TransitionTime|\w+ spec\..*timeAdded)/;

const catalog = new SchemaCatalog(minor);
const resources = new BuiltinResources(minor);
const defaulter = new Defaulter({ minor, now: NOW });
const creation = new Creation(
  minor,
  { ...PLACEHOLDER_FACTS, now: NOW, uid: '' },
  { known: NO_OBJECTS, disabled: new Set() },
);

const lines = file === undefined ? [...everyField(catalog, resources)] : readFileSync(file, 'utf8').trim().split('\n');
const answers = spawnSync(program, { input: `${lines.join('\n')}\n`, maxBuffer: 2 ** 31 - 1 }).stdout.toString();
const differences = new Map<string, { count: number; example: string }>();
let compared = 0;
for (const [index, text] of answers.trim().split('\n').entries()) {
  const question = objectOf(lines[index] as string);
  const manifest = question.get('manifest') as JsonObject;
  for (const difference of compare(manifest, objectOf(text))) {
    const key = `${manifest.get('apiVersion')} ${manifest.get('kind')} ${difference}`;
    const known = differences.get(key) ?? { count: 0, example: String(question.get('id')) };
    differences.set(key, { ...known, count: known.count + 1 });
  }
}
console.log(`1.${minor}: ${compared} manifests compared, ${differences.size} kinds of differences`);
for (const [key, { count, example }] of differences) console.log(`${count} ${key} (${example})`);

function compare(manifest: JsonObject, answer: JsonObject): readonly string[] {
  const kind = String(manifest.get('kind'));
  const groupVersion = parseApiVersion(String(manifest.get('apiVersion')));
  const gvk = { group: '', version: '', ...groupVersion, kind };
  const struct = catalog.structForKind(gvk);
  const resource = resources.resourceForKind(gvk);
  if (struct === undefined || resource === undefined) return [];
  compared++;
  const decoded = decodeTyped(manifest, struct);
  const error = 'error' in decoded ? decoded.error.message : undefined;
  if (error !== undefined || answer.has('error')) {
    return error === answer.get('error') ? [] : [`error: ${error} instead of ${answer.get('error')}`];
  }
  if ('error' in decoded) return [];
  const object = decoded.object;
  const strict = decoded.strictErrors.map(({ message }) => message).join(', ');
  const wantedStrict = ((answer.get('strict') ?? []) as readonly JsonValue[]).join(', ');
  if (strict !== wantedStrict) return [`strict: ${strict} instead of ${wantedStrict}`];
  const found = differ(object, answer.get('object') ?? null, 'decoded ');
  defaulter.complete(object, struct);
  const created = answer.get('created');
  if (created === undefined) return found;
  const namespace = resource.namespaced ? 'test' : '';
  prepare(object, namespace);
  creation.store(object, struct, { resource, namespace });
  prepare(object, namespace);
  const all = differ(object, created, '');
  return [...found, ...all.filter((difference) => !INCOMPARABLE.test(`${kind} ${difference}`))];
}

/** Mirrors the program's changes to metadata: drops system fields. */
function prepare(object: MutableObject, namespace: string): void {
  const metadata = ensureObject(object, 'metadata');
  for (const field of ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields']) {
    metadata.delete(field);
  }
  if (minor < 34) metadata.set('creationTimestamp', null);
  else metadata.delete('creationTimestamp');
  if (namespace === '') metadata.delete('namespace');
  else metadata.set('namespace', namespace);
  if (childObject(object, 'metadata')?.size === 0) object.set('metadata', new Map());
}

function differ(ours: JsonValue, theirs: JsonValue, path: string): readonly string[] {
  if (isJsonObject(ours) && isJsonObject(theirs)) {
    return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key) => {
      const [left, right] = [ours.get(key), theirs.get(key)];
      if (left === undefined) return [`${path}${key} is missing`];
      return right === undefined ? [`${path}${key} is unexpected`] : differ(left, right, `${path}${key}.`);
    });
  }
  if (isJsonArray(ours) && isJsonArray(theirs) && ours.length === theirs.length) {
    return ours.flatMap((item, index) => differ(item, theirs[index] as JsonValue, `${path}${index}.`));
  }
  return text(ours) === text(theirs) ? [] : [`${path.slice(0, -1)} differs`];
}

function text(value: JsonValue): string {
  return `${typeof value} ${stringifyJson(value, { sortKeys: true, escapeHtml: false })}`;
}

function objectOf(line: string): JsonObject {
  const parsed = parseJson(line);
  if (!('value' in parsed) || !isJsonObject(parsed.value)) throw new Error(`not an object: ${line}`);
  return parsed.value;
}
