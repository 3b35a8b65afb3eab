// Diagnostics for admission policies of both kinds: fields that the API server rejects, and policies and bindings without effect.
import type { Issue } from '../../../cel/issue/issue.ts';
import type { Code } from '../../../diagnostic/code-table.ts';
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { nearestName, similarName } from '../../../diagnostic/nearest-name.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { formatFieldError } from '../../../kubernetes/validation/field-error.ts';
import { isJsonObject, stringifyJson } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import type { AdmissionBinding, AdmissionPolicy } from './admission-policy.ts';
import type { PolicyFieldError } from './validate-admission-policy.ts';

/** Policies without a binding, bindings without a policy, and duplicate names. */
export function inertPolicies(
  policies: readonly AdmissionPolicy[],
  bindings: readonly AdmissionBinding[],
): readonly Diagnostic[] {
  const names = new Map<string, AdmissionPolicy[]>();
  for (const policy of policies) {
    const same = names.get(policy.name);
    if (same === undefined) names.set(policy.name, [policy]);
    else same.push(policy);
  }
  const bound = new Set(bindings.map((binding) => binding.policyName));
  const unbound = policies.filter((policy) => !bound.has(policy.name));
  // The server rejects a binding without policyName. Its intended policy is unknown.
  const dangling = bindings.filter(({ policyName }) => policyName !== '' && !names.has(policyName));
  const isNameless = bindings.some(({ policyName }) => policyName === '');
  const freeNames = unbound.map(({ name }) => name);
  const meant = new Map(dangling.map((binding) => [binding, nearestName(binding.policyName, freeNames)]));
  const explained = new Set(meant.values());
  return [
    ...unbound.filter(({ name }) => !isNameless && !explained.has(name)).map(unboundPolicy),
    ...dangling.map((binding) => danglingBinding(binding, meant.get(binding))),
    ...bindings.flatMap((binding) => mismatchedParams(binding, names.get(binding.policyName) ?? [])),
    ...duplicates(policies),
    ...duplicates(bindings),
  ];
}

/** One diagnostic for a field error; for an expression, one for each problem in its text. */
export function fieldDiagnostics(error: PolicyFieldError, code: Code, resource: Resource): readonly Diagnostic[] {
  if (error.compilation !== undefined) return expressionDiagnostics(error, error.compilation, resource);
  return [
    {
      code,
      severity: 'error',
      message: formatFieldError(error),
      ...misspelt(error, resource),
    },
  ];
}

/** If a required field exists under a misspelt name, points at that name. */
function misspelt(error: PolicyFieldError, resource: Resource): Pick<Diagnostic, 'primary' | 'related' | 'help'> {
  const choice = error.path.at(-1) === 'parameterNotFoundAction' ? `${NOT_FOUND_HELP}; ` : '';
  const help = `${choice}the API server rejects this object with this message`;
  const beside = valueAt(resource.value, error.path.slice(0, -1));
  const name = error.path.at(-1);
  const near =
    error.type === 'Required value' && isJsonObject(beside) && typeof name === 'string' && !beside.has(name)
      ? [...beside.keys()].find((key) => key.toLowerCase() === name.toLowerCase() || similarName(key, [name]) === name)
      : undefined;
  if (near === undefined) return { primary: resource.locate(error.place ?? error.path, 'value'), related: [], help };
  const primary = resource.locate([...error.path.slice(0, -1), near], 'key');
  return { primary, related: [], help: `write \`${name}\`; ${help}` };
}

const NOT_FOUND_HELP =
  'write `parameterNotFoundAction: Deny` or `Allow`: the result for a request without a matching param';

/** One diagnostic for each issue in the text, or one for the whole expression. */
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

/** Drops follow-up errors after a mistake with a known fix: later syntax errors, and undeclared variables inside a misspelt macro. */
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
  "match conditions run before variables and cannot read them; use the variable's expression instead";

/** True if the issue is at the word `variables`. Both offsets start at the compiled expression. */
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

function danglingBinding(binding: AdmissionBinding, meant: string | undefined): Diagnostic {
  return {
    code: 'dangling-binding',
    severity: 'warning',
    message: `the policy \`${binding.policyName}\` that this binding names is not in the repository`,
    primary: binding.resource.locate(['spec', 'policyName'], 'value'),
    related: [],
    help: meant === undefined ? 'add the policy, or include the files that contain it' : `did you mean \`${meant}\`?`,
  };
}

/**
 * For bindings to exactly one policy. The server accepts a paramRef without a paramKind and ignores it. It also accepts
 * a paramKind without a paramRef; `params` is then null.
 */
function mismatchedParams(
  { kind, policyName, paramRef, resource }: AdmissionBinding,
  [policy, ...others]: readonly AdmissionPolicy[],
): readonly Diagnostic[] {
  if (policy === undefined || others.length > 0) return [];
  const related = (path: readonly string[], message: string) => [
    { message, location: policy.resource.locate(path, 'key') },
  ];
  if (paramRef !== undefined && policy.paramKind === undefined) {
    return [
      {
        code: 'unused-param-ref',
        severity: 'warning',
        message: `the policy \`${policyName}\` has no \`paramKind\`, so this \`paramRef\` has no effect`,
        primary: resource.locate(['spec', 'paramRef'], 'key'),
        related: related(['spec'], 'the policy'),
        help: 'set the kind of `params` in the policy, e.g. `paramKind: {apiVersion: v1, kind: ConfigMap}`, or remove the `paramRef`',
      },
    ];
  }
  if (paramRef !== undefined || policy.paramKind === undefined || expectsNoParams(policy.resource)) return [];
  return [
    {
      code: 'missing-param-ref',
      severity: 'warning',
      message: `the policy \`${policyName}\` has a \`paramKind\`, but this ${kind} has no \`paramRef\`, so \`params\` is null in its expressions`,
      primary: resource.locate(['spec', 'policyName'], 'value'),
      related: related(['spec', 'paramKind'], 'the kind of its params'),
      help: 'set `paramRef: {name: …, parameterNotFoundAction: Deny}`; if params are optional, test `params == null` in the policy',
    },
  ];
}

/** False also for policies that never read `params`: the reason for their paramKind is unknown. */
function expectsNoParams({ value }: Resource): boolean {
  const text = stringifyJson(value, { sortKeys: false, escapeHtml: false });
  return /params\s*[!=]=\s*null|null\s*[!=]=\s*params|has\(params\b/.test(text) || !/\bparams\b/.test(text);
}

/** Names are unique in a cluster. Two objects with one name belong to different clusters, or one overwrites the other. */
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
        message: `there is another ${kind} \`${name}\`; a cluster keeps only one, but Preadmit evaluates both`,
        primary: resource.locate(['metadata', 'name'], 'value'),
        related: [{ message: 'the other one', location: earlier.locate(['metadata', 'name'], 'value') }],
        help: 'if they belong to different clusters, define the clusters as `targets` in .preadmit.yaml',
      } as const,
    ];
  });
}
