// What the API server refuses in a ValidatingAdmissionPolicy (`validateValidatingAdmissionPolicySpec`).

import type { Issue } from '../../../cel/issue.ts';
import { trimSpace } from '../../../go/trim-space.ts';
import {
  duplicate,
  type FieldError,
  internal,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../../kubernetes/field-error.ts';
import { dns1035Label, dns1123Subdomain, labelKey } from '../../../kubernetes/name-format.ts';
import { validateClusterScopedMeta } from '../../../kubernetes/object-meta.ts';
import { isAtLeast, type KubernetesVersion } from '../../../kubernetes/version.ts';
import type { FieldPath } from '../../../source/field-path.ts';
import type { JsonObject } from '../../../source/json.ts';
import { objectField, objectItems, objectOrEmpty, optionalTextField, textField } from '../../../source/json-field.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import { validateMatchResources } from '../../matching/validate-match-resources.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { validateSuffix } from './validate-binding.ts';
import type { ValidatingPolicy } from './validating-policy.ts';

const MAX_MATCH_CONDITIONS = 64;
const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024;
const REASONS: readonly string[] = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const NOTHING_TO_DO = 'validations or auditAnnotations must contain at least one item';
const CEL_RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A field error; of an expression that does not compile, with what is wrong inside the text. */
export interface PolicyFieldError extends FieldError {
  /** `leading`: characters the server trimmed off before it compiled; offsets of issues count after them. */
  readonly compilation?: { readonly issues: readonly Issue[]; readonly leading: number };
}

/** In the server's order. `compiled` is the policy as it compiles on creation. */
export function validatePolicy(
  policy: ValidatingPolicy,
  compiled: CompiledPolicy,
  version: KubernetesVersion,
): readonly PolicyFieldError[] {
  const { name, resource } = policy;
  const spec = objectOrEmpty(resource.value.get('spec'));
  return [
    ...validateClusterScopedMeta(resource.value, dns1123Subdomain),
    ...validateFailurePolicy(optionalTextField(spec, 'failurePolicy') ?? 'Fail'),
    ...validateParamKind(objectField(spec, 'paramKind'), ['spec', 'paramKind']),
    ...validateMatchConstraints(objectField(spec, 'matchConstraints'), ['spec', 'matchConstraints'], version),
    ...validateMatchConditions(policy, compiled),
    ...policy.variables.flatMap((variable, index) =>
      validateVariable(variable, compiled.variables.all[index], ['spec', 'variables', index], version),
    ),
    ...validateRules(policy, compiled, version),
    ...validateSuffix(name, version),
  ];
}

function validateFailurePolicy(failurePolicy: string): readonly FieldError[] {
  const isKnown = failurePolicy === 'Fail' || failurePolicy === 'Ignore';
  return isKnown ? [] : [notSupported(['spec', 'failurePolicy'], failurePolicy, ['Fail', 'Ignore'])];
}

function validateParamKind(paramKind: JsonObject | undefined, path: FieldPath): readonly FieldError[] {
  if (paramKind === undefined) return [];
  const apiVersion = textField(paramKind, 'apiVersion');
  const kind = textField(paramKind, 'kind');
  const errors =
    apiVersion === '' ? [required([...path, 'apiVersion'])] : validateApiVersion(apiVersion, [...path, 'apiVersion']);
  if (kind === '') return [...errors, required([...path, 'kind'])];
  const problems = dns1035Label(kind.toLowerCase());
  if (problems.length === 0) return errors;
  const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
  return [...errors, invalid([...path, 'kind'], kind, detail)];
}

function validateApiVersion(apiVersion: string, path: FieldPath): readonly FieldError[] {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/');
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const version = parts.at(-1) as string;
  const group = parts.length === 2 ? (parts[0] as string) : '';
  const groupProblems = group === '' ? [] : dns1123Subdomain(group);
  const errors = groupProblems.length === 0 ? [] : [invalid(path, group, groupProblems.join(','))];
  if (version === '') return [...errors, invalid(path, apiVersion, 'version must be specified')];
  const versionProblems = dns1035Label(version);
  return versionProblems.length === 0 ? errors : [...errors, invalid(path, version, versionProblems.join(','))];
}

function validateMatchConstraints(
  constraints: JsonObject | undefined,
  path: FieldPath,
  version: KubernetesVersion,
): readonly FieldError[] {
  if (constraints === undefined) return [required(path)];
  const errors = validateMatchResources(constraints, path, version);
  const hasRules = objectItems(constraints.get('resourceRules')).length > 0;
  return hasRules ? errors : [...errors, required([...path, 'resourceRules'])];
}

function validateMatchConditions(
  { matchConditions }: ValidatingPolicy,
  compiled: CompiledPolicy,
): readonly PolicyFieldError[] {
  const path: FieldPath = ['spec', 'matchConditions'];
  const names = matchConditions.map((condition) => condition.name);
  const errors =
    matchConditions.length > MAX_MATCH_CONDITIONS ? [tooMany(path, matchConditions.length, MAX_MATCH_CONDITIONS)] : [];
  return [
    ...errors,
    ...matchConditions.flatMap(({ name, expression }, index) => {
      const namePath = [...path, index, 'name'];
      const expressionPath = [...path, index, 'expression'];
      const trimmed = trimSpace(expression);
      const repeated = name !== '' && names.indexOf(name) < index;
      return [
        ...(trimmed === ''
          ? [required(expressionPath)]
          : compilationErrors(compiled.matchConditions[index], trimmed, expressionPath, expression.indexOf(trimmed))),
        ...(name === '' ? [required(namePath)] : qualifiedNameErrors(name, namePath)),
        ...(repeated ? [duplicate(namePath, name)] : []),
      ];
    }),
  ];
}

function validateVariable(
  { name, expression }: ValidatingPolicy['variables'][number],
  compiled: CompiledExpression | undefined,
  path: FieldPath,
  version: KubernetesVersion,
): readonly PolicyFieldError[] {
  const expressionPath = [...path, 'expression'];
  return [
    ...validateVariableName(name, [...path, 'name'], version),
    ...(trimSpace(expression) === ''
      ? [required(expressionPath, 'expression is not specified')]
      : compilationErrors(compiled, expression, expressionPath)),
  ];
}

function validateVariableName(name: string, path: FieldPath, version: KubernetesVersion): readonly FieldError[] {
  if (trimSpace(name) === '') return [required(path, 'name is not specified')];
  if (/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !CEL_RESERVED.has(name)) return [];
  const detail = isAtLeast(version, '1.34') ? 'must be a valid CEL identifier' : 'name is not a valid CEL identifier';
  return [invalid(path, name, detail)];
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
  // A generated name is there by now; what stands for its random end makes no difference.
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

/** The value is of an internal Go type, whose fields have their Go names. */
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
  else errors.push(...compilationErrors(compiled.validations[index], expression, expressionPath));
  if (isBlank(messageExpression)) {
    errors.push(invalid(messageExpressionPath, messageExpression, 'must be non-empty if specified'));
  } else {
    errors.push(...compilationErrors(compiled.messageExpressions[index], messageExpression, messageExpressionPath));
  }
  errors.push(...validateMessage(message, [...path, 'message'], version));
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

/** `value` as the server prints it. */
function compilationErrors(
  compiled: CompiledExpression | undefined,
  value: string,
  path: FieldPath,
  leading = 0,
): readonly PolicyFieldError[] {
  if (compiled?.error === undefined) return [];
  const { error, isInternal, issues } = compiled;
  return [{ ...(isInternal ? internal(path, error) : invalid(path, value, error)), compilation: { issues, leading } }];
}

/** White space and nothing else. */
function isBlank(text: string): boolean {
  return text !== '' && trimSpace(text) === '';
}

/** `apivalidation.ValidateQualifiedName`. */
function qualifiedNameErrors(name: string, path: FieldPath): readonly FieldError[] {
  return labelKey(name).map((message) => invalid(path, name, message));
}
