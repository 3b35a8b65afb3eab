// What is wrong with policies and bindings: what the API server would refuse, and what would have no effect.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { AdmissionEnvironments } from '../../kubernetes/cel/admission-environment.ts';
import { type FieldError, formatFieldError } from '../../kubernetes/field-error.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import type { FieldPath } from '../../source/field-path.ts';
import type { CompiledExpression } from '../expression/compiled-expression.ts';
import { compilePolicy } from './compiled-policy.ts';
import { trimSpace } from './decision-message.ts';
import { validateBinding } from './validate-binding.ts';
import { validatePolicy } from './validate-policy.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';

export function checkPolicies(
  policies: readonly ValidatingPolicy[],
  bindings: readonly ValidatingBinding[],
  environments: AdmissionEnvironments,
): readonly Diagnostic[] {
  const names = new Set(policies.map((policy) => policy.name));
  const bound = new Set(bindings.map((binding) => binding.policyName));
  return [
    ...policies.flatMap((policy) => fieldDiagnostics(validatePolicy(policy), 'invalid-policy', policy.resource)),
    ...policies.flatMap((policy) => expressionDiagnostics(policy, environments)),
    ...bindings.flatMap((binding) => fieldDiagnostics(validateBinding(binding), 'invalid-binding', binding.resource)),
    ...policies.filter((policy) => !bound.has(policy.name)).map(unboundPolicy),
    ...bindings.filter((binding) => !names.has(binding.policyName)).map(danglingBinding),
    ...duplicates(policies),
    ...duplicates(bindings),
  ];
}

function fieldDiagnostics(errors: readonly FieldError[], code: string, resource: Resource): readonly Diagnostic[] {
  return errors.map((error) => ({
    code,
    severity: 'error',
    message: formatFieldError(error),
    primary: resource.locate(error.path, 'value'),
    related: [],
    help: 'the API server refuses this object with these words',
  }));
}

/** Expressions as they are checked on creation; a blank one is a field error already. */
function expressionDiagnostics(policy: ValidatingPolicy, environments: AdmissionEnvironments): readonly Diagnostic[] {
  const compiled = compilePolicy(policy, 'new', environments);
  const of = (
    expressions: readonly (CompiledExpression | undefined)[],
    list: string,
    field: string,
  ): readonly Diagnostic[] =>
    expressions.flatMap((expression, index) =>
      expression === undefined ? [] : compileDiagnostics(policy, ['spec', list, index, field], expression),
    );
  return [
    ...of(compiled.matchConditions, 'matchConditions', 'expression'),
    ...of(compiled.variables.all, 'variables', 'expression'),
    ...of(compiled.validations, 'validations', 'expression'),
    ...of(compiled.messageExpressions, 'validations', 'messageExpression'),
    ...of(compiled.auditAnnotations, 'auditAnnotations', 'valueExpression'),
  ];
}

function compileDiagnostics(
  policy: ValidatingPolicy,
  path: FieldPath,
  { expression, error, issues }: CompiledExpression,
): readonly Diagnostic[] {
  if (error === undefined || trimSpace(expression) === '') return [];
  const base = { code: 'invalid-expression', severity: 'error', related: [] } as const;
  if (issues.length === 0) return [{ ...base, message: error, primary: policy.resource.locate(path, 'value') }];
  return issues.map((issue) => ({
    ...base,
    message: issue.message,
    primary: policy.resource.locateText(path, issue.offset, issue.end ?? issue.offset + 1),
  }));
}

function unboundPolicy(policy: ValidatingPolicy): Diagnostic {
  return {
    code: 'unbound-policy',
    severity: 'warning',
    message: `no ValidatingAdmissionPolicyBinding names the policy \`${policy.name}\`, so it has no effect`,
    primary: policy.resource.locate(['metadata', 'name'], 'value'),
    related: [],
    help: `add a binding with \`policyName: ${policy.name}\``,
  };
}

function danglingBinding(binding: ValidatingBinding): Diagnostic {
  return {
    code: 'dangling-binding',
    severity: 'warning',
    message: `the policy \`${binding.policyName}\` that this binding names is not in the repository`,
    primary: binding.resource.locate(['spec', 'policyName'], 'value'),
    related: [],
    help: 'add the policy, or name the files that hold it',
  };
}

/** Names are unique in a cluster, so two objects of one name belong to different clusters, or one overwrites the other. */
function duplicates(objects: readonly (ValidatingPolicy | ValidatingBinding)[]): readonly Diagnostic[] {
  const first = new Map<string, Resource>();
  return objects.flatMap(({ kind, name, resource }) => {
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, resource);
      return [];
    }
    return [
      {
        code: 'duplicate-policy',
        severity: 'warning',
        message: `there is another ${kind} \`${name}\`; a cluster holds one, here both are evaluated`,
        primary: resource.locate(['metadata', 'name'], 'value'),
        related: [{ message: 'the other one', location: earlier.locate(['metadata', 'name'], 'value') }],
        help: 'if they belong to different clusters, describe the clusters as `targets` in .preadmit.yaml',
      } as const,
    ];
  });
}
