// Diagnostics for Kyverno's policies: those that Kyverno rejects and those without effect at admission.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { DefinitionError, KyvernoDefinitions } from '../definition/definitions.ts';
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
      ...withoutEchoes(misdefined(identity.resource, definitions), refused(identity.resource, cluster)),
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
      message: 'this policy does not run at admission: Kyverno reports its results for existing objects',
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
      help: [variableHelp(refusal.message), REFUSED].filter((part) => part !== undefined).join(' '),
      field: refusal.path,
    },
  ];
}

const REFUSED = 'Kyverno rejects this policy with this message; it cannot exist in a cluster';

/** For a variable whose `request.object` prefix is missing. */
function variableHelp(message: string): string | undefined {
  const [, variable] = / variable ((?:metadata|spec|status|data)\b[^\s]*) must match regex /.exec(message) ?? [];
  return variable === undefined ? undefined : `did you mean \`request.object.${variable}\`?`;
}

/** A field that Kyverno reports as missing often exists under a misspelt name. Reports it once, at that name. */
function withoutEchoes(misdefinitions: readonly Diagnostic[], refusals: readonly Diagnostic[]): readonly Diagnostic[] {
  const [refusal] = refusals;
  const within =
    refusal && misdefinitions.filter(({ severity, field }) => severity === 'warning' && isWithin(field, refusal.field));
  const [misspelt, ...others] = within ?? [];
  if (refusal === undefined || misspelt === undefined || others.length > 0) return [...misdefinitions, ...refusals];
  const help = `${misspelt.message}: ${misspelt.help} ${refusal.help}`;
  const { primary = refusal.primary } = misspelt;
  const explained = { ...refusal, ...(primary && { primary }), help };
  return [...misdefinitions.filter((each) => each !== misspelt), explained];
}

function isWithin(field: FieldPath | undefined, outer: FieldPath | undefined): boolean {
  return (
    field !== undefined &&
    outer !== undefined &&
    outer.length > 2 &&
    outer.every((step, index) => field[index] === step)
  );
}

/** Validates the policy against the CRD of its kind. The server rejects wrong values and drops unknown fields. */
export function misdefined(resource: Resource, definitions: KyvernoDefinitions): readonly Diagnostic[] {
  return definitions.errorsOf(resource.value).map((error): Diagnostic => {
    const { message, path, isUnknownField } = error;
    const primary = resource.locate(path, isUnknownField ? 'key' : 'value');
    if (!isUnknownField) {
      const help = `the definition of ${resource.gvk.kind} does not allow this`;
      return { code: 'invalid-policy', severity: 'error', message, primary, related: [], help };
    }
    const help = unknownHelp(error);
    return { code: 'invalid-policy', severity: 'warning', message, primary, related: [], help, field: path };
  });
}

function unknownHelp({ nearest, elsewhere }: DefinitionError): string {
  if (nearest !== undefined) return `did you mean \`${nearest}\`?`;
  if (elsewhere === undefined) return `remove the field; the server drops it`;
  return `a field of this name is ${elsewhere === '' ? 'at the top' : `in \`${elsewhere}\``}; the server drops it here`;
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
        help: 'add the policy, or include the files that contain it; the name of a Policy is `namespace/name`',
      },
    ];
  });
}
