// What is wrong with the policies themselves: expressions that do not compile, bindings that lead nowhere.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { FieldPath } from '../../source/field-path.ts';
import type { CompiledExpression } from '../expression/compiled-expression.ts';
import type { PolicyHook } from './dispatcher.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';

export function checkPolicies(
  hooks: readonly PolicyHook[],
  bindings: readonly ValidatingBinding[],
): readonly Diagnostic[] {
  const names = new Set(hooks.map(({ policy }) => policy.name));
  return [
    ...hooks.flatMap(expressionDiagnostics),
    ...hooks.filter((hook) => hook.bindings.length === 0).map(({ policy }) => unboundPolicy(policy)),
    ...bindings.filter((binding) => !names.has(binding.policyName)).map(danglingBinding),
  ];
}

function expressionDiagnostics({ policy, validator }: PolicyHook): readonly Diagnostic[] {
  const of = (
    compiled: readonly (CompiledExpression | undefined)[],
    list: string,
    field: string,
  ): readonly Diagnostic[] =>
    compiled.flatMap((expression, index) =>
      expression === undefined ? [] : compileDiagnostics(policy, ['spec', list, index, field], expression),
    );
  return [
    ...of(validator.matchConditions, 'matchConditions', 'expression'),
    ...of(validator.variables.all, 'variables', 'expression'),
    ...of(validator.validations, 'validations', 'expression'),
    ...of(validator.messageExpressions, 'validations', 'messageExpression'),
    ...of(validator.auditAnnotations, 'auditAnnotations', 'valueExpression'),
  ];
}

function compileDiagnostics(
  policy: ValidatingPolicy,
  path: FieldPath,
  { error, issues }: CompiledExpression,
): readonly Diagnostic[] {
  if (error === undefined) return [];
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
    help: 'add the policy, or name the folder that holds it with `policies` or `clusterFacts`',
  };
}
