// What is wrong with Kyverno's policies themselves: what Kyverno refuses, and what changes nothing any more.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { parseApiVersion } from '../../../kubernetes/group-version.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import type { FieldPath } from '../../../source/field-path.ts';
import type { JsonObject } from '../../../source/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json-field.ts';
import { KyvernoDefinitions } from '../definitions.ts';
import { refusalOfPolicy } from '../policy-validation/validate-policy.ts';
import type { ClassicPolicy } from './classic-policy.ts';

export function policyDiagnostics(
  policies: readonly ClassicPolicy[],
  exceptions: readonly Resource[],
  cluster: Cluster,
): readonly Diagnostic[] {
  const definitions = new KyvernoDefinitions(cluster.version);
  const keys = new Set(policies.map(({ compiled }) => compiled.key));
  return [
    ...policies.flatMap(({ identity, compiled }) => [
      ...misdefined(identity.resource, definitions),
      ...refused(identity.resource, compiled.document, cluster),
    ]),
    ...exceptions.flatMap((exception) => misdefined(exception, definitions)),
    ...exceptions.flatMap((exception) => danglingException(exception, keys)),
  ];
}

function refused(resource: Resource, document: JsonObject, cluster: Cluster): readonly Diagnostic[] {
  const isNamespaced = (apiVersion: string, kind: string): boolean | undefined => {
    const version = parseApiVersion(apiVersion);
    const mapping = version && cluster.mappingFor({ ...version, kind });
    return mapping === undefined || mapping.origin === 'conventional' ? undefined : mapping.namespaced;
  };
  const refusal = refusalOfPolicy(document, isNamespaced);
  if (refusal === undefined) return [];
  return [
    {
      code: 'invalid-policy',
      severity: 'error',
      message: refusal.message.trim(),
      primary: resource.locate(refusal.path, 'value'),
      related: [],
      help: 'Kyverno refuses this policy with these words; in a cluster it would not exist',
    },
  ];
}

/** What the definition of its kind says; the server refuses wrong values and takes unknown fields away. */
export function misdefined(resource: Resource, definitions: KyvernoDefinitions): readonly Diagnostic[] {
  return definitions.errorsOf(resource.value).map(({ message, path, isUnknownField, nearest }): Diagnostic => {
    const primary = resource.locate(path, isUnknownField ? 'key' : 'value');
    if (!isUnknownField) {
      const help = `the definition of ${resource.gvk.kind} does not allow this`;
      return { code: 'invalid-policy', severity: 'error', message, primary, related: [], help };
    }
    const help = nearest === undefined ? 'remove the field; the server drops it' : `did you mean \`${nearest}\`?`;
    return { code: 'invalid-policy', severity: 'warning', message, primary, related: [], help };
  });
}

function danglingException(resource: Resource, policies: ReadonlySet<string>): readonly Diagnostic[] {
  const entries = objectItems(objectOrEmpty(resource.value.get('spec')).get('exceptions'));
  return entries.flatMap((entry, index): readonly Diagnostic[] => {
    const name = textField(entry, 'policyName');
    if (policies.has(name)) return [];
    const path: FieldPath = ['spec', 'exceptions', index, 'policyName'];
    return [
      {
        code: 'dangling-binding',
        severity: 'warning',
        message: `the policy \`${name}\` that this exception names is not in the repository`,
        primary: resource.locate(path, 'value'),
        related: [],
        help: 'add the policy, or name the files that hold it; a Policy is named `namespace/name`',
      },
    ];
  });
}
