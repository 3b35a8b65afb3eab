// What is wrong with Kyverno's policies themselves: what Kyverno refuses, and what changes nothing any more.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { parseApiVersion } from '../../../kubernetes/group-version.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import type { FieldPath } from '../../../source/field-path.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json-field.ts';
import type { KyvernoDefinitions } from '../definitions.ts';
import { refusalOfPolicy } from '../policy-validation/validate-policy.ts';
import { asSeenByKyverno, type ClassicPolicy } from './classic-policy.ts';
import { deprecatedSettings } from './deprecated-settings.ts';
import { unmatchableRules } from './unmatchable-rules.ts';

export function policyDiagnostics(
  policies: readonly ClassicPolicy[],
  exceptions: readonly Resource[],
  definitions: KyvernoDefinitions,
  cluster: Cluster,
): readonly Diagnostic[] {
  const keys = new Set(policies.map(({ compiled }) => compiled.key));
  return [
    ...policies.flatMap(({ identity }) => [
      ...misdefined(identity.resource, definitions),
      ...refused(identity.resource, cluster),
      ...unmatchableRules(identity.resource, cluster),
      ...backgroundOnly(identity.resource),
    ]),
    ...deprecatedSettings(policies.map(({ identity }) => identity.resource)),
    ...exceptions.flatMap((exception) => misdefined(exception, definitions)),
    ...exceptions.flatMap((exception) => danglingException(exception, keys)),
  ];
}

function backgroundOnly(resource: Resource): readonly Diagnostic[] {
  if (objectOrEmpty(resource.value.get('spec')).get('admission') !== false) return [];
  return [
    {
      code: 'background-rule',
      severity: 'notice',
      message: 'this policy is not asked at admission: Kyverno reports what it says of objects that are there',
      primary: resource.locate(['spec', 'admission'], 'entry'),
      related: [],
    },
  ];
}

function refused(resource: Resource, cluster: Cluster): readonly Diagnostic[] {
  const refusal = refusalOfPolicy(asSeenByKyverno(resource), (apiVersion, kind) => {
    const groupVersion = parseApiVersion(apiVersion);
    if (groupVersion === undefined) return undefined;
    const { origin, namespaced } = cluster.mappingFor({ ...groupVersion, kind });
    return origin === 'conventional' ? undefined : namespaced ? 'namespaced' : 'cluster';
  });
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
