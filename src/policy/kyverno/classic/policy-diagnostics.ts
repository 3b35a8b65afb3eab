// What is wrong with Kyverno's policies themselves: what Kyverno refuses, and what changes nothing any more.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import type { FieldPath } from '../../../source/field-path.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json-field.ts';
import { refusalOfPolicy } from '../policy-validation/validate-policy.ts';
import type { ClassicPolicy } from './classic-policy.ts';

export function policyDiagnostics(
  policies: readonly ClassicPolicy[],
  exceptions: readonly Resource[],
): readonly Diagnostic[] {
  const keys = new Set(policies.map(({ compiled }) => compiled.key));
  return [
    ...policies.flatMap(({ identity }) => refused(identity.resource)),
    ...exceptions.flatMap((exception) => danglingException(exception, keys)),
  ];
}

function refused(resource: Resource): readonly Diagnostic[] {
  const refusal = refusalOfPolicy(resource.value);
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
