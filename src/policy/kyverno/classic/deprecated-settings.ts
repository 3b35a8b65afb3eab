// Reports kinds and settings that Kyverno is removing, with their replacement. One notice each, at the first use.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

interface Use {
  readonly setting: string;
  readonly replacement: string;
  readonly path: FieldPath;
}

const SETTINGS: ReadonlyMap<string, string> = new Map([
  ['validationFailureAction', 'set `failureAction` in `validate` of each rule'],
  ['validationFailureActionOverrides', 'set `failureActionOverrides` in `validate` of each rule'],
  ['failurePolicy', 'set `webhookConfiguration.failurePolicy`'],
  ['webhookTimeoutSeconds', 'set `webhookConfiguration.timeoutSeconds`'],
  ['mutateExistingOnPolicyUpdate', 'set `mutateExistingOnPolicyUpdate` in `mutate` of the rule'],
  ['generateExisting', 'set `generateExisting` in `generate` of the rule'],
  ['schemaValidation', 'remove it; it has no effect'],
]);

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['In', 'write `AllIn` or `AnyIn`'],
  ['NotIn', 'write `AllNotIn` or `AnyNotIn`'],
  ...['GreaterThan', 'GreaterThanOrEquals', 'LessThan', 'LessThanOrEquals'].map((name): [string, string] => {
    return [`Duration${name}`, `write \`${name}\`, which also compares durations`];
  }),
]);

/** For `kyverno.io` policies. Release 1.20 removes their kinds. */
export function deprecatedSettings(policies: readonly Resource[]): readonly Diagnostic[] {
  const uses = new Map<string, { readonly use: Use; readonly first: Resource; readonly policies: Set<Resource> }>();
  for (const resource of policies) {
    for (const use of usesOf(resource)) {
      const known = uses.get(use.setting) ?? { use, first: resource, policies: new Set() };
      uses.set(use.setting, known);
      known.policies.add(resource);
    }
  }
  return [...uses.values()].map(({ use, first, policies: { size } }): Diagnostic => {
    const others = size === 1 ? '' : `; ${size - 1} other ${size === 2 ? 'policy uses' : 'policies use'} it too`;
    return {
      code: 'deprecated-setting',
      severity: 'notice',
      message: `${use.setting} is deprecated${others}`,
      primary: first.locate(use.path, 'key'),
      related: [],
      help: use.replacement,
      ...(use.path.length === 1 && { removedIn: 'Kyverno 1.20' }),
    };
  });
}

function usesOf({ value, gvk }: Resource): readonly Use[] {
  const spec = objectOrEmpty(value.get('spec'));
  const replacement =
    'migrate to ValidatingPolicy, MutatingPolicy, GeneratingPolicy or ImageValidatingPolicy; Kyverno 1.20 removes this kind';
  const uses: Use[] = [{ setting: `the kind ${gvk.kind}`, replacement, path: ['kind'] }];
  for (const [name, instead] of SETTINGS) {
    if (spec.has(name)) uses.push({ setting: `\`spec.${name}\``, replacement: instead, path: ['spec', name] });
  }
  for (const [index, rule] of objectItems(spec.get('rules')).entries()) {
    const path: FieldPath = ['spec', 'rules', index];
    const validation = objectOrEmpty(rule.get('validate'));
    collectOperators(rule.get('preconditions'), [...path, 'preconditions'], uses);
    const conditions = objectOrEmpty(validation.get('deny')).get('conditions');
    collectOperators(conditions, [...path, 'validate', 'deny', 'conditions'], uses);
    for (const [loop, entry] of objectItems(validation.get('foreach')).entries()) {
      const at = [...path, 'validate', 'foreach', loop];
      collectOperators(entry.get('preconditions'), [...at, 'preconditions'], uses);
      collectOperators(objectOrEmpty(entry.get('deny')).get('conditions'), [...at, 'deny', 'conditions'], uses);
    }
    collectPredicateTypes(rule, path, uses);
    for (const side of ['match', 'exclude'] as const) {
      if (hasDirectResources(objectOrEmpty(rule.get(side)))) {
        const setting = `\`${side}.resources\` without \`any\` or \`all\``;
        uses.push({ setting, replacement: `put it under \`${side}.any\``, path: [...path, side] });
      }
      collectFilters(objectOrEmpty(rule.get(side)), side, [...path, side], uses);
    }
  }
  return uses;
}

function hasDirectResources(block: JsonObject): boolean {
  return objectOrEmpty(block.get('resources')).size > 0;
}

/** The API marks `name`, and users beside `any` and `all`, as deprecated. */
function collectFilters(block: JsonObject, side: string, path: FieldPath, uses: Use[]): void {
  for (const field of ['subjects', 'roles', 'clusterRoles']) {
    if (!block.has(field)) continue;
    const setting = `\`${side}.${field}\` without \`any\` or \`all\``;
    uses.push({ setting, replacement: `put it under \`${side}.any\``, path: [...path, field] });
  }
  const filters = ['any', 'all'].flatMap((form) =>
    objectItems(block.get(form)).map((filter, index) => ({ filter, at: [...path, form, index] })),
  );
  for (const { filter, at } of [{ filter: block, at: path }, ...filters]) {
    if (!objectOrEmpty(filter.get('resources')).has('name')) continue;
    uses.push({
      setting: '`resources.name`',
      replacement: 'write `names`, a list',
      path: [...at, 'resources', 'name'],
    });
  }
}

/** `checkForDeprecatedFieldsInVerifyImages` in `pkg/validation/policy/validate.go`. */
function collectPredicateTypes(rule: JsonObject, path: FieldPath, uses: Use[]): void {
  for (const [index, image] of objectItems(rule.get('verifyImages')).entries()) {
    for (const [at, attestation] of objectItems(image.get('attestations')).entries()) {
      if (!attestation.has('predicateType')) continue;
      uses.push({
        setting: '`predicateType`',
        replacement: 'write `type`',
        path: [...path, 'verifyImages', index, 'attestations', at, 'predicateType'],
      });
    }
  }
}

/** Conditions are lists, or objects that contain lists. */
function collectOperators(value: JsonValue | undefined, path: FieldPath, uses: Use[]): void {
  if (isJsonArray(value ?? null)) {
    for (const [index, item] of (value as readonly JsonValue[]).entries())
      collectOperators(item, [...path, index], uses);
    return;
  }
  if (!isJsonObject(value ?? null)) return;
  const fields = value as JsonObject;
  const replacement = OPERATORS.get(String(fields.get('operator')));
  if (replacement !== undefined) {
    uses.push({
      setting: `the operator \`${String(fields.get('operator'))}\``,
      replacement,
      path: [...path, 'operator'],
    });
  }
  for (const form of ['any', 'all']) collectOperators(fields.get(form), [...path, form], uses);
}
