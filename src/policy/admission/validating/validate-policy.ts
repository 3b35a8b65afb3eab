// The API server's validation of a ValidatingAdmissionPolicy (`validateValidatingAdmissionPolicySpec`).
import { append } from '../../../go/slices/append.ts';
import { trimSpace } from '../../../go/strings/trim-space.ts';
import { isAtLeast, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../../kubernetes/validation/field-error.ts';
import { dns1123Subdomain } from '../../../kubernetes/validation/name-format.ts';
import { validateClusterScopedMeta } from '../../../kubernetes/validation/object-meta.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, optionalTextField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import { validateSuffix } from '../generic/validate-admission-binding.ts';
import {
  compilationErrors,
  type PolicyFieldError,
  qualifiedNameErrors,
  validateFailurePolicy,
  validateMatchConditions,
  validateMatchConstraints,
  validateParamKind,
  validateVariables,
} from '../generic/validate-admission-policy.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024;
const REASONS: readonly string[] = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const NOTHING_TO_DO = 'validations or auditAnnotations must contain at least one item';
/** In the server's order. `compiled` is the policy compiled as on creation. */
export function validatePolicy(
  policy: ValidatingPolicy,
  compiled: CompiledPolicy,
  version: KubernetesVersion,
): readonly PolicyFieldError[] {
  const { name, resource } = policy;
  const spec = objectOrEmpty(resource.value.get('spec'));
  return [
    ...validateClusterScopedMeta(resource.value, dns1123Subdomain),
    ...validateFailurePolicy(spec),
    ...validateParamKind(spec),
    ...validateMatchConstraints(spec, version),
    ...validateMatchConditions(policy, compiled.matchConditions),
    ...validateVariables(policy, compiled.variables, version),
    ...validateRules(policy, compiled, version),
    ...validateSuffix(name, version),
  ];
}

function validateRules(
  policy: ValidatingPolicy,
  compiled: CompiledPolicy,
  version: KubernetesVersion,
): readonly PolicyFieldError[] {
  const { validations, auditAnnotations, resource } = policy;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return [required(['spec', 'validations'], NOTHING_TO_DO), required(['spec', 'auditAnnotations'], NOTHING_TO_DO)];
  }
  // The server has already generated a name. Its random suffix makes no difference.
  const policyName = policy.name === '' && resource.generateName !== '' ? `${resource.generateName}xxxxx` : policy.name;
  const written = objectItems(objectOrEmpty(resource.value.get('spec')).get('validations'));
  const path: FieldPath = ['spec', 'auditAnnotations'];
  const keys = auditAnnotations.map((annotation) => annotation.key);
  return [
    ...validations.flatMap((_, index) => validateValidation(policy, written[index], compiled, index, version)),
    ...(auditAnnotations.length > MAX_AUDIT_ANNOTATIONS ? [tooManyAnnotations(policy, path)] : []),
    ...auditAnnotations.flatMap((annotation, index) => [
      ...validateAuditAnnotation(annotation, compiled.auditAnnotations[index], policyName, [...path, index]),
      ...(keys.indexOf(annotation.key) < index ? [duplicate([...path, index, 'key'], annotation.key)] : []),
    ]),
  ];
}

/** The server prints an internal Go type, with Go field names. */
function tooManyAnnotations({ auditAnnotations }: ValidatingPolicy, path: FieldPath): FieldError {
  const value = auditAnnotations.map(
    ({ key, valueExpression }) =>
      new Map([
        ['Key', key],
        ['ValueExpression', valueExpression],
      ]),
  );
  return invalid(path, value, `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`);
}

function validateValidation(
  { validations }: ValidatingPolicy,
  written: JsonObject | undefined,
  compiled: CompiledPolicy,
  index: number,
  version: KubernetesVersion,
): readonly PolicyFieldError[] {
  const { expression, message, messageExpression } = validations[index] as ValidatingPolicy['validations'][number];
  const path: FieldPath = ['spec', 'validations', index];
  const messageExpressionPath = [...path, 'messageExpression'];
  const expressionPath = [...path, 'expression'];
  const errors: PolicyFieldError[] = [];
  if (trimSpace(expression) === '') errors.push(required(expressionPath, 'expression is not specified'));
  else append(errors, compilationErrors(compiled.validations[index], expression, expressionPath));
  if (isBlank(messageExpression)) {
    errors.push(invalid(messageExpressionPath, messageExpression, 'must be non-empty if specified'));
  } else {
    append(errors, compilationErrors(compiled.messageExpressions[index], messageExpression, messageExpressionPath));
  }
  append(errors, validateMessage(message, [...path, 'message'], version));
  const reason = written && optionalTextField(written, 'reason');
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(notSupported([...path, 'reason'], reason, REASONS));
  return errors;
}

function validateMessage(message: string, path: FieldPath, version: KubernetesVersion): readonly FieldError[] {
  const subject = isAtLeast(version, '1.34') ? '' : 'message ';
  if (isBlank(message)) return [invalid(path, message, `${subject}must be non-empty if specified`)];
  if (/[\n\r]/.test(trimSpace(message))) return [invalid(path, message, `${subject}must not contain line breaks`)];
  return [];
}

function validateAuditAnnotation(
  { key, valueExpression }: ValidatingPolicy['auditAnnotations'][number],
  compiled: CompiledExpression | undefined,
  policyName: string,
  path: FieldPath,
): readonly PolicyFieldError[] {
  const keyPath = [...path, 'key'];
  const errors =
    policyName === ''
      ? [invalid(keyPath, key, 'requires metadata.name be non-empty')]
      : qualifiedNameErrors(`${policyName}/${key}`, keyPath);
  const trimmed = trimSpace(valueExpression);
  const expressionPath = [...path, 'valueExpression'];
  if (trimmed === '') return [...errors, required(expressionPath, 'valueExpression is not specified')];
  if (new TextEncoder().encode(trimmed).length > MAX_VALUE_EXPRESSION_BYTES) {
    return [...errors, required(expressionPath, `must not exceed ${MAX_VALUE_EXPRESSION_BYTES} bytes in length`)];
  }
  const leading = valueExpression.indexOf(trimmed);
  return [...errors, ...compilationErrors(compiled, valueExpression, expressionPath, leading)];
}

/** True for non-empty text that is only white space. */
function isBlank(text: string): boolean {
  return text !== '' && trimSpace(text) === '';
}
