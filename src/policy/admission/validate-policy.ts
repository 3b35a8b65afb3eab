// What the API server refuses in a ValidatingAdmissionPolicy, expressions aside (`validateValidatingAdmissionPolicySpec`).
import { duplicate, type FieldError, invalid, notSupported, required, tooMany } from '../../kubernetes/field-error.ts';
import { dns1035Label, dns1123Subdomain, labelKey } from '../../kubernetes/name-format.ts';
import type { FieldPath } from '../../source/field-path.ts';
import type { JsonObject } from '../../source/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json-field.ts';
import { validateMatchResources } from '../matching/validate-match-resources.ts';
import { trimSpace } from './decision-message.ts';
import { validateName } from './validate-binding.ts';
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

/** In the server's order. Whether the expressions compile is asked apart, as their errors have a place inside the text. */
export function validatePolicy(policy: ValidatingPolicy): readonly FieldError[] {
  const { name, resource } = policy;
  const spec = objectOrEmpty(resource.value.get('spec'));
  return [
    ...validateName(name, resource.generateName, ['metadata', 'name']),
    ...validateFailurePolicy(textField(spec, 'failurePolicy')),
    ...validateParamKind(objectField(spec, 'paramKind'), ['spec', 'paramKind']),
    ...validateMatchConstraints(objectField(spec, 'matchConstraints'), ['spec', 'matchConstraints']),
    ...validateMatchConditions(policy),
    ...policy.variables.flatMap((variable, index) => validateVariable(variable, ['spec', 'variables', index])),
    ...validateRules(policy, spec),
  ];
}

function validateFailurePolicy(failurePolicy: string): readonly FieldError[] {
  const known = failurePolicy === '' || failurePolicy === 'Fail' || failurePolicy === 'Ignore';
  return known ? [] : [notSupported(['spec', 'failurePolicy'], failurePolicy, ['Fail', 'Ignore'])];
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

function validateMatchConstraints(constraints: JsonObject | undefined, path: FieldPath): readonly FieldError[] {
  if (constraints === undefined) return [required(path)];
  const errors = validateMatchResources(constraints, path);
  const hasRules = objectItems(constraints.get('resourceRules')).length > 0;
  return hasRules ? errors : [...errors, required([...path, 'resourceRules'])];
}

function validateMatchConditions({ matchConditions }: ValidatingPolicy): readonly FieldError[] {
  const path: FieldPath = ['spec', 'matchConditions'];
  const names = matchConditions.map((condition) => condition.name);
  const errors =
    matchConditions.length > MAX_MATCH_CONDITIONS ? [tooMany(path, matchConditions.length, MAX_MATCH_CONDITIONS)] : [];
  return [
    ...errors,
    ...matchConditions.flatMap(({ name, expression }, index) => {
      const namePath = [...path, index, 'name'];
      const repeated = name !== '' && names.indexOf(name) < index;
      return [
        ...(trimSpace(expression) === '' ? [required([...path, index, 'expression'])] : []),
        ...(name === '' ? [required(namePath)] : qualifiedName(name, namePath)),
        ...(repeated ? [duplicate(namePath, name)] : []),
      ];
    }),
  ];
}

function validateVariable(
  { name, expression }: ValidatingPolicy['variables'][number],
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (trimSpace(name) === '') errors.push(required([...path, 'name'], 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || CEL_RESERVED.has(name)) {
    errors.push(invalid([...path, 'name'], name, 'must be a valid CEL identifier'));
  }
  if (trimSpace(expression) === '') errors.push(required([...path, 'expression'], 'expression is not specified'));
  return errors;
}

function validateRules(policy: ValidatingPolicy, spec: JsonObject): readonly FieldError[] {
  const { validations, auditAnnotations } = policy;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return [required(['spec', 'validations'], NOTHING_TO_DO), required(['spec', 'auditAnnotations'], NOTHING_TO_DO)];
  }
  const path: FieldPath = ['spec', 'auditAnnotations'];
  const keys = auditAnnotations.map((annotation) => annotation.key);
  const count =
    auditAnnotations.length > MAX_AUDIT_ANNOTATIONS
      ? [
          invalid(
            path,
            spec.get('auditAnnotations') ?? null,
            `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`,
          ),
        ]
      : [];
  return [
    ...validations.flatMap((validation, index) => validateValidation(validation, ['spec', 'validations', index])),
    ...count,
    ...auditAnnotations.flatMap((annotation, index) => [
      ...validateAuditAnnotation(annotation, policy.name, [...path, index]),
      ...(keys.indexOf(annotation.key) < index ? [duplicate([...path, index, 'key'], annotation.key)] : []),
    ]),
  ];
}

function validateValidation(
  { expression, message, messageExpression, reason }: ValidatingPolicy['validations'][number],
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const blank = (text: string): boolean => text !== '' && trimSpace(text) === '';
  if (trimSpace(expression) === '') errors.push(required([...path, 'expression'], 'expression is not specified'));
  if (blank(messageExpression)) {
    errors.push(invalid([...path, 'messageExpression'], messageExpression, 'must be non-empty if specified'));
  }
  if (blank(message)) errors.push(invalid([...path, 'message'], message, 'must be non-empty if specified'));
  else if (/[\n\r]/.test(trimSpace(message))) {
    errors.push(invalid([...path, 'message'], message, 'must not contain line breaks'));
  }
  if (reason !== '' && !REASONS.includes(reason)) errors.push(notSupported([...path, 'reason'], reason, REASONS));
  return errors;
}

function validateAuditAnnotation(
  { key, valueExpression }: ValidatingPolicy['auditAnnotations'][number],
  policyName: string,
  path: FieldPath,
): readonly FieldError[] {
  const keyPath = [...path, 'key'];
  const errors =
    policyName === ''
      ? [invalid(keyPath, key, 'requires metadata.name be non-empty')]
      : qualifiedName(`${policyName}/${key}`, keyPath);
  const trimmed = trimSpace(valueExpression);
  const expressionPath = [...path, 'valueExpression'];
  if (trimmed === '') return [...errors, required(expressionPath, 'valueExpression is not specified')];
  if (new TextEncoder().encode(trimmed).length > MAX_VALUE_EXPRESSION_BYTES) {
    return [...errors, required(expressionPath, `must not exceed ${MAX_VALUE_EXPRESSION_BYTES} bytes in length`)];
  }
  return errors;
}

/** `apivalidation.ValidateQualifiedName`. */
function qualifiedName(name: string, path: FieldPath): readonly FieldError[] {
  return labelKey(name).map((message) => invalid(path, name, message));
}
