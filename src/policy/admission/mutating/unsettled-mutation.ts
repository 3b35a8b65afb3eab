// What of mutations hangs on the order of policies or on how often they run, neither of which a policy can count on.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import { isSecretKind } from '../../../kubernetes/api/group-version.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { changedPaths } from '../../../source/json/changed-paths.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { objectOrEmpty, textField, valueAt } from '../../../source/json/json-field.ts';
import { formatFieldPath } from '../../../source/node/field-path.ts';
import type { MutatingPolicy } from './mutating-policy.ts';

/** Characters of a value that a message shows. */
const MAX_VALUE = 60;
/** Policies that a message names. */
const MAX_NAMES = 3;

/** `object` is what comes of the order of names, `other` of the reverse; undefined where that order is refused. */
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
    message: `what ${listed(policies)} make of an object depends on their order, and the API server has none`,
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
    return other === undefined ? undefined : 'is refused in the order of names and goes through in reverse';
  }
  if (other === undefined) return 'goes through in the order of names and is refused in reverse';
  const [path] = changedPaths(object, other);
  if (path === undefined) return undefined;
  const shown = (value: JsonObject): string => shownValue(request, policies, valueAt(value, path));
  return `has ${shown(object)} as ${formatFieldPath(path)} in the order of names and ${shown(other)} in reverse`;
}

/** `before` is the object after both passes, `after` what a third one would make of it. */
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
    message: `\`${policy.name}\` changes an object anew each time it runs, and reinvocationPolicy IfNeeded runs it twice`,
    primary: policy.resource.locate(['spec', 'reinvocationPolicy'], 'value'),
    related: [],
    help: `${describe(request)} has ${value} as ${formatFieldPath(path)}, and another run makes it ${again}`,
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
