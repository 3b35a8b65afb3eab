// Remarks on mutations that depend on the order of policies or on the number of runs. The server guarantees neither.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { isSecretKind } from '../../../kubernetes/api/group-version.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { changedPaths } from '../../../source/json/changed-paths.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { objectOrEmpty, textField, valueAt } from '../../../source/json/json-field.ts';
import { formatFieldPath } from '../../../source/node/field-path.ts';
import type { MutatingPolicy } from './mutating-policy.ts';

/** Maximum length of a value in a message, in characters. */
const MAX_VALUE = 60;
const MAX_NAMES = 3;

/** `object` is the result in name order, `other` in reverse order. Undefined if the request is rejected in that order. */
export function orderRemark(
  request: AdmissionRequest,
  policies: readonly MutatingPolicy[],
  object: JsonObject | undefined,
  other: JsonObject | undefined,
): Diagnostic | undefined {
  const [first, ...others] = policies;
  const difference = differenceBetween(request, policies, object, other);
  if (first === undefined || difference === undefined) return undefined;
  return {
    code: 'order-dependent-mutation',
    severity: 'warning',
    message: `the result of ${listed(policies)} depends on their order, which the API server does not define`,
    primary: first.resource.locate(['metadata', 'name'], 'value'),
    related: others.slice(0, MAX_NAMES).map((policy) => ({
      message: `${policy.kind} ${policy.name}`,
      location: policy.resource.locate(['metadata', 'name'], 'value'),
    })),
    help: `${describe(request)} ${difference}`,
  };
}

function differenceBetween(
  request: AdmissionRequest,
  policies: readonly MutatingPolicy[],
  object: JsonObject | undefined,
  other: JsonObject | undefined,
): string | undefined {
  if (object === undefined) {
    return other === undefined ? undefined : 'is rejected in name order and accepted in reverse order';
  }
  if (other === undefined) return 'is accepted in name order and rejected in reverse order';
  const [path] = changedPaths(object, other);
  if (path === undefined) return undefined;
  const shown = (value: JsonObject): string => shownValue(request, policies, valueAt(value, path));
  return `has ${shown(object)} at ${formatFieldPath(path)} in name order and ${shown(other)} in reverse order`;
}

/** `before`: the object after both passes. `after`: the object after a third pass. */
export function repetitionRemark(
  request: AdmissionRequest,
  policy: MutatingPolicy,
  before: JsonObject,
  after: JsonObject,
): Diagnostic {
  const [path = []] = changedPaths(before, after);
  const [value, again] = [before, after].map((object) => shownValue(request, [policy], valueAt(object, path)));
  return {
    code: 'repeating-mutation',
    severity: 'warning',
    message: `\`${policy.name}\` changes the object again each time it runs, and reinvocationPolicy IfNeeded may run it twice`,
    primary: policy.resource.locate(['spec', 'reinvocationPolicy'], 'value'),
    related: [],
    help: `${describe(request)} has ${value} at ${formatFieldPath(path)}, and another run changes it to ${again}`,
  };
}

function describe({ kind, namespace, object, name }: AdmissionRequest): string {
  const shown = name === '' ? textField(objectOrEmpty(object?.get('metadata')), 'generateName') : name;
  return `${kind.kind} ${namespace === '' || kind.kind === 'Namespace' ? '' : `${namespace}/`}${shown}`;
}

function shownValue(
  { kind }: AdmissionRequest,
  policies: readonly MutatingPolicy[],
  value: JsonValue | undefined,
): string {
  if (value === undefined) return 'nothing';
  if (isSecretKind(kind) || policies.some(({ paramKind }) => paramKind?.kind === 'Secret')) return 'one value';
  const text = stringifyJson(value, { sortKeys: false, escapeHtml: false });
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function listed(policies: readonly MutatingPolicy[]): string {
  const names = policies.map(({ name }) => `\`${name}\``);
  const rest = names.length - MAX_NAMES;
  const shown = rest > 0 ? [...names.slice(0, MAX_NAMES), `${rest} more`] : names;
  return shown.length === 1 ? `the bindings of ${shown[0]}` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
