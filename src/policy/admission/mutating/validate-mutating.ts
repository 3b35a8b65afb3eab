// The API server's validation of a MutatingAdmissionPolicy and its binding (`validateMutatingAdmissionPolicySpec`).
import { trimSpace } from '../../../go/strings/trim-space.ts';
import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import { type FieldError, invalid, notSupported, required } from '../../../kubernetes/validation/field-error.ts';
import { dns1123Subdomain } from '../../../kubernetes/validation/name-format.ts';
import { validateClusterScopedMeta } from '../../../kubernetes/validation/object-meta.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import { validateBindingFields, validateSuffix } from '../generic/validate-admission-binding.ts';
import {
  compilationErrors,
  type PolicyFieldError,
  validateFailurePolicy,
  validateMatchConditions,
  validateMatchConstraints,
  validateParamKind,
  validateVariables,
} from '../generic/validate-admission-policy.ts';
import type { CompiledMutations } from './compiled-policy.ts';
import { type MutatingBinding, type MutatingPolicy, patchField } from './mutating-policy.ts';

const OPERATIONS: readonly string[] = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const PATCH_TYPES: readonly string[] = ['ApplyConfiguration', 'JSONPatch'];
const REINVOCATION_POLICIES: readonly string[] = ['IfNeeded', 'Never'];

/** In the server's order. `compiled` is the policy compiled as on creation. */
export function validateMutatingPolicy(
  policy: MutatingPolicy,
  compiled: CompiledMutations,
  version: KubernetesVersion,
): readonly PolicyFieldError[] {
  const { name, resource } = policy;
  const spec = objectOrEmpty(resource.value.get('spec'));
  return [
    ...validateClusterScopedMeta(resource.value, dns1123Subdomain),
    ...validateFailurePolicy(spec),
    ...validateParamKind(spec),
    ...validateMatchConstraints(spec, version),
    ...validateOperations(objectField(spec, 'matchConstraints'), ['spec', 'matchConstraints']),
    ...validateMatchConditions(policy, compiled.matchConditions),
    ...validateVariables(policy, compiled.variables, version),
    ...validateMutations(spec, compiled),
    ...validateReinvocationPolicy(textField(spec, 'reinvocationPolicy')),
    ...validateSuffix(name, version),
  ];
}

/** In the server's order. */
export function validateMutatingBinding(binding: MutatingBinding, version: KubernetesVersion): readonly FieldError[] {
  const spec = objectOrEmpty(binding.resource.value.get('spec'));
  return [
    ...validateBindingFields(binding, version),
    ...validateOperations(objectField(spec, 'matchResources'), ['spec', 'matchResources']),
    ...validateSuffix(binding.name, version),
  ];
}

/** DELETE has no object to change. The server's error path does not include the rule's index. */
function validateOperations(criteria: JsonObject | undefined, path: FieldPath): readonly PolicyFieldError[] {
  return objectItems(criteria?.get('resourceRules')).flatMap((rule, index) =>
    textItems(rule.get('operations')).flatMap((operation, position) => {
      if (OPERATIONS.includes(operation)) return [];
      const place = [...path, 'resourceRules', index, 'operations', position];
      return [{ ...notSupported([...path, 'resourceRules', 'operations'], operation, OPERATIONS), place }];
    }),
  );
}

function validateMutations(spec: JsonObject, { mutations }: CompiledMutations): readonly PolicyFieldError[] {
  const path: FieldPath = ['spec', 'mutations'];
  const written = objectItems(spec.get('mutations'));
  if (written.length === 0) return [required(path, 'mutations must contain at least one item')];
  return written.flatMap((mutation, index) => validateMutation(mutation, mutations[index], [...path, index]));
}

function validateMutation(
  mutation: JsonObject,
  compiled: CompiledExpression | undefined,
  path: FieldPath,
): readonly PolicyFieldError[] {
  const patchType = textField(mutation, 'patchType');
  if (patchType === '') return [required([...path, 'patchType'])];
  if (!PATCH_TYPES.includes(patchType)) return [notSupported([...path, 'patchType'], patchType, PATCH_TYPES)];
  const own = patchField(patchType);
  const other = own === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const patch = objectField(mutation, own);
  const errors =
    patch === undefined
      ? [required([...path, own], `must be specified when patchType is ${patchType}`)]
      : validateExpression(patch, compiled, [...path, own, 'expression']);
  if (objectField(mutation, other) === undefined) return errors;
  return [...errors, invalid([...path, other], `{${other}}`, `must not be specified when patchType is ${patchType}`)];
}

function validateExpression(
  patch: JsonObject,
  compiled: CompiledExpression | undefined,
  path: FieldPath,
): readonly PolicyFieldError[] {
  const expression = textField(patch, 'expression');
  const trimmed = trimSpace(expression);
  if (trimmed === '') return [required(path)];
  return compilationErrors(compiled, trimmed, path, expression.indexOf(trimmed));
}

function validateReinvocationPolicy(policy: string): readonly FieldError[] {
  const path = ['spec', 'reinvocationPolicy'];
  if (policy === '') return [required(path)];
  return REINVOCATION_POLICIES.includes(policy) ? [] : [notSupported(path, policy, REINVOCATION_POLICIES)];
}
