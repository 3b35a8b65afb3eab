// What is wrong with policies and bindings: what the API server would refuse, and what would have no effect.
import type { Issue } from '../../../cel/issue.ts';
import type { Code } from '../../../diagnostic/code-table.ts';
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionEnvironments } from '../../../kubernetes/cel/admission-environment.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { formatFieldError } from '../../../kubernetes/field-error.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import { PolicyLint } from '../generic/lint/policy-lint.ts';
import { compilePolicy, expressionsOf } from './compiled-policy.ts';
import { IllTypedExpressions } from './ill-typed-expressions.ts';
import { validateBinding } from './validate-binding.ts';
import { type PolicyFieldError, validatePolicy } from './validate-policy.ts';
import type { ValidatingBinding, ValidatingPolicy } from './validating-policy.ts';

export function checkPolicies(
  policies: readonly ValidatingPolicy[],
  bindings: readonly ValidatingBinding[],
  environments: AdmissionEnvironments,
  cluster: Cluster,
): readonly Diagnostic[] {
  const { version } = cluster;
  const illTyped = new IllTypedExpressions(cluster, environments);
  const lint = new PolicyLint(version);
  const names = new Set(policies.map((policy) => policy.name));
  const bound = new Set(bindings.map((binding) => binding.policyName));
  return [
    ...policies.flatMap((policy) => {
      const compiled = compilePolicy(policy, 'new', environments);
      const errors = validatePolicy(policy, compiled, version);
      return [
        ...errors.flatMap((error) => fieldDiagnostics(error, 'invalid-policy', policy.resource)),
        ...illTyped.diagnostics(policy, compiled),
        ...lint.ofPolicy(policy, {
          variables: compiled.variables,
          expressions: expressionsOf(compiled),
          compileFor: (mode, other) => expressionsOf(compilePolicy(policy, mode, other)),
        }),
      ];
    }),
    ...bindings.flatMap((binding) =>
      validateBinding(binding, version).flatMap((error) =>
        fieldDiagnostics(error, 'invalid-binding', binding.resource),
      ),
    ),
    ...bindings.flatMap((binding) => lint.ofBinding(binding)),
    ...policies.filter((policy) => !bound.has(policy.name)).map(unboundPolicy),
    ...bindings.filter((binding) => !names.has(binding.policyName)).map(danglingBinding),
    ...duplicates(policies),
    ...duplicates(bindings),
  ];
}

function fieldDiagnostics(error: PolicyFieldError, code: Code, resource: Resource): readonly Diagnostic[] {
  if (error.compilation !== undefined) return expressionDiagnostics(error, error.compilation, resource);
  return [
    {
      code,
      severity: 'error',
      message: formatFieldError(error),
      primary: resource.locate(error.path, 'value'),
      related: [],
      help: 'the API server refuses this object with these words',
    },
  ];
}

/** One for each thing wrong inside the text, or one for the expression as a whole. */
function expressionDiagnostics(
  { path, value, detail }: PolicyFieldError,
  { issues, leading }: NonNullable<PolicyFieldError['compilation']>,
  resource: Resource,
): readonly Diagnostic[] {
  const base = { code: 'invalid-expression', severity: 'error', related: [] } as const;
  if (issues.length === 0) return [{ ...base, message: detail, primary: resource.locate(path, 'value') }];
  return issues.map((issue) => ({
    ...base,
    message: issue.message,
    primary: resource.locateText(path, leading + issue.offset, leading + (issue.end ?? issue.offset + 1)),
    ...(path[1] === 'matchConditions' && isVariables(value, issue) && { help: VARIABLES_HELP }),
  }));
}

const VARIABLES_HELP =
  'match conditions are evaluated before variables and do not see them; write out what the variable stands for';

/** Does the issue stand at the word `variables`? Both count from the start of the expression as it was compiled. */
function isVariables(value: PolicyFieldError['value'], { offset }: Issue): boolean {
  const word = typeof value === 'string' ? [...value].slice(offset, offset + 'variables'.length).join('') : '';
  return word === 'variables';
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
