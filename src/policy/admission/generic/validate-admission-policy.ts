// The API server's validation of fields that both kinds of admission policies share (`pkg/apis/admissionregistration/validation`).
import { trimSpace } from '../../../go/strings/trim-space.ts';
import { isAtLeast, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import {
  duplicate,
  type FieldError,
  internal,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../../kubernetes/validation/field-error.ts';
import { dns1035Label, dns1123Subdomain, labelKey } from '../../../kubernetes/validation/name-format.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectField, objectItems, optionalTextField, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import type { CompiledVariables, NamedExpression } from '../../expression/variables.ts';
import { validateMatchResources } from '../../matching/validate-match-resources.ts';
import type { AdmissionPolicy } from './admission-policy.ts';

const MAX_MATCH_CONDITIONS = 64;
const CEL_RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A field error. For an expression that does not compile, includes the issues in its text. */
export interface PolicyFieldError extends FieldError {
  /** `leading`: number of characters that the server trims before compiling. Issue offsets start after them. */
  readonly compilation?: Pick<CompiledExpression, 'issues' | 'helpFor'> & { readonly leading: number };
  /** Location of the field if the server's path is less precise. */
  readonly place?: FieldPath;
}

/** `spec` as written. An absent failurePolicy defaults to Fail. */
export function validateFailurePolicy(spec: JsonObject): readonly FieldError[] {
  const failurePolicy = optionalTextField(spec, 'failurePolicy') ?? 'Fail';
  const isKnown = failurePolicy === 'Fail' || failurePolicy === 'Ignore';
  return isKnown ? [] : [notSupported(['spec', 'failurePolicy'], failurePolicy, ['Fail', 'Ignore'])];
}

export function validateParamKind(spec: JsonObject): readonly FieldError[] {
  const path = ['spec', 'paramKind'];
  const paramKind = objectField(spec, 'paramKind');
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

export function validateMatchConstraints(spec: JsonObject, version: KubernetesVersion): readonly FieldError[] {
  const path = ['spec', 'matchConstraints'];
  const constraints = objectField(spec, 'matchConstraints');
  if (constraints === undefined) return [required(path)];
  const errors = validateMatchResources(constraints, path, version);
  const hasRules = objectItems(constraints.get('resourceRules')).length > 0;
  return hasRules ? errors : [...errors, required([...path, 'resourceRules'])];
}

export function validateMatchConditions(
  { matchConditions }: AdmissionPolicy,
  compiled: readonly CompiledExpression[],
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
          : compilationErrors(compiled[index], trimmed, expressionPath, expression.indexOf(trimmed))),
        ...(name === '' ? [required(namePath)] : qualifiedNameErrors(name, namePath)),
        ...(repeated ? [duplicate(namePath, name)] : []),
      ];
    }),
  ];
}

export function validateVariables(
  { variables }: AdmissionPolicy,
  compiled: CompiledVariables,
  version: KubernetesVersion,
): readonly PolicyFieldError[] {
  return variables.flatMap((variable, index) =>
    validateVariable(variable, compiled.all[index], ['spec', 'variables', index], version),
  );
}

function validateVariable(
  { name, expression }: NamedExpression,
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

/** `value` as the server prints it. */
export function compilationErrors(
  compiled: CompiledExpression | undefined,
  value: string,
  path: FieldPath,
  leading = 0,
): readonly PolicyFieldError[] {
  if (compiled?.error === undefined) return [];
  const { error, isInternal, issues, helpFor } = compiled;
  const compilation = { issues, helpFor, leading };
  return [{ ...(isInternal ? internal(path, error) : invalid(path, value, error)), compilation }];
}

/** `apivalidation.ValidateQualifiedName`. */
export function qualifiedNameErrors(name: string, path: FieldPath): readonly FieldError[] {
  return labelKey(name).map((message) => invalid(path, name, message));
}
