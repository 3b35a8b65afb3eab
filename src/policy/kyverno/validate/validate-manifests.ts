// Rules that require signed objects: an unsigned object fails; signatures are not verified (`handlers/validation/validate_manifest.go`).
import type { JsonObject } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { type RuleResponse, Undecided } from '../rule/rule-response.ts';

type ManifestAnswer = Pick<RuleResponse, 'status' | 'message' | 'paths'>;

const DOMAIN = 'cosign.sigstore.dev';
/** Message of sigstore's k8s-manifest-sigstore for an object without a signed message. */
const UNSIGNED = 'YAML manifest not found for this resource: message not found';

/** `manifests` of the rule. Throws `Undecided` if the object has a signature, or a registry may have one. */
export function validateManifests(manifests: JsonObject, object: JsonObject): ManifestAnswer {
  const annotations = objectOrEmpty(objectOrEmpty(object.get('metadata')).get('annotations'));
  const domain = textField(manifests, 'annotationDomain') || DOMAIN;
  const open = new Undecided('whether the object is signed as the rule requires');
  const isSigned = ['message', 'resourceBundleRef'].some((name) => annotations.has(`${domain}/${name}`));
  if (isSigned || textField(manifests, 'repository') !== '') throw open;
  for (const [index, set] of objectItems(manifests.get('attestors')).entries()) {
    const answer = askSet(set, `.attestors[${index}]`, annotations, open);
    if ('error' in answer) {
      return { status: 'error', message: `error occurred during manifest verification: ${answer.error}` };
    }
    return { status: 'fail', message: answer.failure, paths: [['metadata', 'annotations']] };
  }
  return { status: 'pass', message: 'verified manifest signatures; ' };
}

type SetAnswer = { readonly error: string } | { readonly failure: string };

/** Without a signature, no entry can succeed. */
function askSet(set: JsonObject, path: string, annotations: JsonObject, open: Undecided): SetAnswer {
  const errors: string[] = [];
  const failures: string[] = [];
  const entries = objectItems(set.get('entries')).flatMap(withOneKey);
  for (const [index, entry] of entries.entries()) {
    const own = `${path}.entries[${index}]`;
    const nested = objectField(entry, 'attestor');
    if (nested !== undefined) {
      const answer = askSet(nested, `${own}.attestor`, annotations, open);
      if ('error' in answer) errors.push(`failed to verify signature; ${own}.attestor: ${answer.error}`);
      else failures.push(answer.failure);
      continue;
    }
    const mismatch = annotationMismatch(entry, annotations, open);
    if (mismatch !== undefined) {
      errors.push(mismatch);
      continue;
    }
    const form = ['keys', 'certificates', 'keyless'].find((name) => objectField(entry, name) !== undefined);
    const hasRoots = textField(objectOrEmpty(entry.get('keyless')), 'roots') !== '';
    if (hasRoots || textField(entry, 'repository') !== '') throw open;
    failures.push(`${own}${form === undefined ? '' : `.${form}`}: ${UNSIGNED}`);
  }
  if (errors.length > 0) return { error: errors.join('; ') };
  const count = set.get('count');
  const required = typeof count === 'bigint' && count !== 0n ? Number(count) : entries.length;
  const failure = `verifiedCount 0; requiredCount ${required}; message ${failures.join(',')}`;
  return { failure: `manifest verification failed; ${failure}` };
}

/** Several keys in one text count as several entries. */
function withOneKey(entry: JsonObject): readonly JsonObject[] {
  const end = '-----END PUBLIC KEY-----';
  const keys = textField(objectOrEmpty(entry.get('keys')), 'publicKeys').split(end).length - 1;
  return keys > 1 ? Array.from({ length: keys }, () => entry) : [entry];
}

/** If several annotations are wrong, Kyverno reports a random one. */
function annotationMismatch(entry: JsonObject, annotations: JsonObject, open: Undecided): string | undefined {
  const wrong = [...objectOrEmpty(entry.get('annotations'))].filter(([key, wanted]) => {
    return wanted !== (annotations.get(key) ?? '');
  });
  if (wrong.length > 1) throw open;
  return wrong.map(([key, wanted]) => {
    const actual = textField(annotations, key);
    return `annotations mismatch: ${actual} does not match expected value ${String(wanted)} for key ${key}`;
  })[0];
}
