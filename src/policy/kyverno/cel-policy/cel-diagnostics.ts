// Diagnostics for Kyverno's CEL policies: expressions that do not compile, and unknown fields.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { fieldErrorBody } from '../../../kubernetes/validation/field-error.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { misdefined } from '../classic/policy-diagnostics.ts';
import type { KyvernoDefinitions } from '../definition/definitions.ts';
import type { CelRefusal } from './cel-refusal.ts';

export interface CheckedCelPolicy {
  readonly resource: Resource;
  readonly refusal: CelRefusal | undefined;
}

export function celPolicyDiagnostics(
  policies: readonly CheckedCelPolicy[],
  exceptions: readonly Resource[],
  definitions: KyvernoDefinitions,
): readonly Diagnostic[] {
  const names = new Set(policies.map(({ resource }) => `${resource.gvk.kind} ${resource.name}`));
  return [
    ...policies.flatMap(({ resource, refusal }) => [
      ...misdefined(resource, definitions),
      ...refused(resource, refusal),
      ...ofAnotherMode(resource),
    ]),
    ...exceptions.flatMap((exception) => [...misdefined(exception, definitions), ...dangling(exception, names)]),
  ];
}

/** Modes in which a policy does not apply to objects of a cluster. */
const MODES: ReadonlyMap<string, string> = new Map([
  ['JSON', 'JSON documents'],
  ['Envoy', 'Envoy requests'],
  ['HTTP', 'HTTP requests'],
]);

function ofAnotherMode(resource: Resource): readonly Diagnostic[] {
  const evaluation = objectOrEmpty(objectOrEmpty(resource.value.get('spec')).get('evaluation'));
  const mode = textField(evaluation, 'mode');
  const isOff = objectOrEmpty(evaluation.get('admission')).get('enabled') === false;
  const subject = MODES.get(mode);
  if (subject === undefined && !isOff) return [];
  return [
    {
      code: 'background-rule',
      severity: 'notice',
      message:
        subject === undefined
          ? 'this policy does not run at admission: Kyverno reports its results for existing objects'
          : `this policy applies to ${subject}, not to objects: mode ${mode}`,
      primary: resource.locate(['spec', 'evaluation', ...(subject === undefined ? ['admission'] : ['mode'])], 'entry'),
      related: [],
    },
  ];
}

function refused(resource: Resource, refusal: CelRefusal | undefined): readonly Diagnostic[] {
  return (refusal?.errors ?? []).map(
    (error): Diagnostic => ({
      code: 'invalid-policy',
      severity: 'error',
      message: fieldErrorBody(error),
      primary: resource.locate(error.path, 'value'),
      related: [],
      help: 'this policy does not compile in Kyverno and has no effect in a cluster',
    }),
  );
}

function dangling(exception: Resource, policies: ReadonlySet<string>): readonly Diagnostic[] {
  const references = objectItems(objectOrEmpty(exception.value.get('spec')).get('policyRefs'));
  return references.flatMap((reference, index): readonly Diagnostic[] => {
    const named = `${textField(reference, 'kind')} ${textField(reference, 'name')}`;
    if (policies.has(named)) return [];
    const path: FieldPath = ['spec', 'policyRefs', index, 'name'];
    return [
      {
        code: 'dangling-binding',
        severity: 'warning',
        message: `the policy \`${named}\` that this exception names is not in the repository`,
        primary: exception.locate(path, 'value'),
        related: [],
        help: 'add the policy, or include the files that contain it',
      },
    ];
  });
}
