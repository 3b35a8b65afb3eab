// What is wrong with admission policies of either kind: fields that the API server refuses, policies and bindings without effect.
import type { Issue } from '../../../cel/issue.ts';
import type { Code } from '../../../diagnostic/code-table.ts';
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { formatFieldError } from '../../../kubernetes/field-error.ts';
import type { Resource } from '../../../kubernetes/resource.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';
import type { PolicyFieldError } from './validate-admission-policy.ts';

/** Policies that nothing binds, bindings that bind nothing, and names that occur twice. */
export function inertPolicies(
  policies: readonly AdmissionPolicy[],
  bindings: readonly AdmissionBinding[],
): readonly Diagnostic[] {
  const names = new Set(policies.map((policy) => policy.name));
  const bound = new Set(bindings.map((binding) => binding.policyName));
  return [
    ...policies.filter((policy) => !bound.has(policy.name)).map(unboundPolicy),
    ...bindings.filter((binding) => !names.has(binding.policyName)).map(danglingBinding),
    ...duplicates(policies),
    ...duplicates(bindings),
  ];
}

/** An error of a field, placed; of an expression, one for each thing that is wrong inside it. */
export function fieldDiagnostics(error: PolicyFieldError, code: Code, resource: Resource): readonly Diagnostic[] {
  if (error.compilation !== undefined) return expressionDiagnostics(error, error.compilation, resource);
  return [
    {
      code,
      severity: 'error',
      message: formatFieldError(error),
      primary: resource.locate(error.place ?? error.path, 'value'),
      related: [],
      help: 'the API server refuses this object with these words',
    },
  ];
}

/** One for each thing wrong inside the text, or one for the expression as a whole. */
function expressionDiagnostics(
  { path, value, detail }: PolicyFieldError,
  { issues, helpFor, leading }: NonNullable<PolicyFieldError['compilation']>,
  resource: Resource,
): readonly Diagnostic[] {
  const base = { code: 'invalid-expression', severity: 'error', related: [] } as const;
  if (issues.length === 0) return [{ ...base, message: detail, primary: resource.locate(path, 'value') }];
  return withoutEchoes(issues, helpFor).map((issue) => {
    const isHidden = path[1] === 'matchConditions' && isVariables(value, issue);
    const help = isHidden ? VARIABLES_HELP : helpFor(issue);
    return {
      ...base,
      message: issue.message,
      primary: resource.locateText(path, leading + issue.offset, leading + (issue.end ?? issue.offset + 1)),
      ...(help !== undefined && { help }),
    };
  });
}

/**
 * A parser that lost its way stumbles on, and what would have been the variable of a misspelt macro is none: where the slip is known, what
 * follows from it tells nothing new.
 */
function withoutEchoes(issues: readonly Issue[], helpFor: (issue: Issue) => string | undefined): readonly Issue[] {
  const first = issues.findIndex((issue) => issue.kind === 'syntax' && helpFor(issue) !== undefined);
  if (first >= 0) return issues.slice(0, first + 1);
  const calls = issues.filter((issue) => issue.unknown?.what === 'function' && helpFor(issue) !== undefined);
  const isEcho = (issue: Issue): boolean =>
    issue.unknown?.what === 'variable' &&
    calls.some(({ offset, end = offset }) => offset < issue.offset && issue.offset < end);
  return issues.filter((issue) => !isEcho(issue));
}

const VARIABLES_HELP =
  'match conditions are evaluated before variables and do not see them; write out what the variable stands for';

/** Does the issue stand at the word `variables`? Both count from the start of the expression as it was compiled. */
function isVariables(value: PolicyFieldError['value'], { offset }: Issue): boolean {
  const word = typeof value === 'string' ? [...value].slice(offset, offset + 'variables'.length).join('') : '';
  return word === 'variables';
}

function unboundPolicy(policy: AdmissionPolicy): Diagnostic {
  return {
    code: 'unbound-policy',
    severity: 'warning',
    message: `no ${policy.kind}Binding names the policy \`${policy.name}\`, so it has no effect`,
    primary: policy.resource.locate(['metadata', 'name'], 'value'),
    related: [],
    help: `add a binding with \`policyName: ${policy.name}\``,
  };
}

function danglingBinding(binding: AdmissionBinding): Diagnostic {
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
function duplicates(objects: readonly (AdmissionPolicy | AdmissionBinding)[]): readonly Diagnostic[] {
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
