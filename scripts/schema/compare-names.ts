// Compares the validation of names and labels with Kubernetes' own packages (names/, see README.md).
import { spawnSync } from 'node:child_process';
import { formatApiVersion } from '../../src/kubernetes/api/group-version.ts';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import { type BuiltinResource, BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import { formatFieldError } from '../../src/kubernetes/validation/field-error.ts';
import { type JsonObject, stringifyJson } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';

const [release = '', program = ''] = process.argv.slice(2);
const minor = Number(/^1\.(\d+)$/.exec(release)?.[1]);
if (program === '' || Number.isNaN(minor)) throw new Error('usage: compare-names.ts 1.<minor> <program>');

const a = (count: number): string => 'a'.repeat(count);
const NAMES: readonly string[] = [
  ...['web', 'Web', 'web_1', 'web.example', 'a:b', 'a/b', 'a%b', '.', '..', '-a', 'a-', '1a', 'ä', 'a b', 'v1.apps'],
  ...['system-x', 'system-node-critical', '10.0.0.1', a(52), a(53), a(63), a(64), a(253), a(254)],
];
const PREFIXES: readonly string[] = ['web-', 'Web-', 'web_', 'a:', 'a/', '.', 'web.', '1a-', '-', 'ä-', a(58)];
const METADATA: readonly object[] = [
  {},
  ...NAMES.map((name) => ({ name })),
  ...PREFIXES.map((generateName) => ({ generateName })),
  { name: 'Web', generateName: 'Web_' },
  { name: 'web', labels: { 'a b': 'x' } },
  { name: 'web', labels: { app: 'ä', [a(64)]: a(64) } },
  { name: 'web', annotations: { 'x/y/z': '1' } },
  { name: 'web', annotations: { 'Example.com/A': '1', 'ä/b': '' } },
];
/** Kinds whose names are validated only by their own packages. */
const UNJUDGED = /^(?:Event|CertificateSigningRequest|ClusterTrustBundle|LeaseCandidate|StorageVersion|IPAddress)$/;
/** Excluded from the comparison. */
const FORBIDDEN_TO_USERS = /not a known system priority class|value of .* PriorityClass must be/;

const objects = new AdmissionObjects({ major: 1, minor });
const questions = [...new BuiltinResources(minor).all()]
  .filter(({ kind }) => !UNJUDGED.test(kind))
  .flatMap((resource) =>
    METADATA.map((metadata, index) => ({
      resource,
      id: `${resource.kind}-${index}`,
      manifest: manifestOf(resource, metadata),
    })),
  );
const input = questions.map(({ id, manifest }) => `{"id":"${id}","manifest":${text(manifest)}}\n`).join('');
const answers = spawnSync(program, { input, maxBuffer: 2 ** 31 - 1 })
  .stdout.toString()
  .trim()
  .split('\n');
let compared = 0;
let differing = 0;
for (const [index, line] of answers.entries()) {
  const { resource, manifest } = questions[index] as (typeof questions)[number];
  const answer = JSON.parse(line) as { readonly errors?: readonly string[]; readonly failure?: string };
  if (answer.failure !== undefined) continue;
  compared++;
  const wanted = [...new Set(answer.errors ?? [])].filter((error) => !FORBIDDEN_TO_USERS.test(error)).sort();
  const ours = [...new Set(errorsOf(manifest, resource))].filter((error) => !FORBIDDEN_TO_USERS.test(error)).sort();
  if (isSame(ours, wanted)) continue;
  differing++;
  console.log(`${resource.group}/${resource.kind} ${text(manifest.get('metadata') as JsonObject)}`);
  for (const error of ours) if (!wanted.includes(error)) console.log(`  too much: ${error}`);
  for (const error of wanted) if (!ours.includes(error)) console.log(`  missing:  ${error}`);
}
console.log(`1.${minor}: ${compared} objects compared, ${differing} differences`);

/** Kubernetes also reports an invalid generated name for its prefix; Preadmit reports it once. */
function isSame(ours: readonly string[], wanted: readonly string[]): boolean {
  const said = ours.some((error) => error.startsWith('metadata.generateName:'));
  const once = (errors: readonly string[]): string =>
    (said ? errors.filter((error) => !/^metadata\.(?:name|labels): .*xxxxx"/.test(error)) : errors).join('\n');
  return once(ours) === once(wanted);
}

function manifestOf({ group, version, kind, namespaced }: BuiltinResource, metadata: object): JsonObject {
  const all = { ...(namespaced && { namespace: 'shop' }), ...metadata };
  const parsed = parseJson(JSON.stringify({ apiVersion: formatApiVersion(group, version), kind, metadata: all }));
  if (!('value' in parsed)) throw new Error('no JSON');
  return parsed.value as JsonObject;
}

function errorsOf(manifest: JsonObject, resource: BuiltinResource): readonly string[] {
  const result = objects.convert(manifest, resource, resource.namespaced ? 'shop' : '');
  if (result === undefined || 'error' in result) throw new Error(`${resource.kind} does not decode`);
  return result.metadataErrors('CREATE').map(formatFieldError);
}

function text(value: JsonObject): string {
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}
