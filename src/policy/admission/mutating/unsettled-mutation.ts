// What of mutations hangs on the order of policies or on how often they run, neither of which a policy can count on.
import type { Diagnostic } from '../../../diagnostic/diagnostic.ts';
import type { AdmissionRequest } from '../../../kubernetes/admission-request.ts';
import { isEmptySelector } from '../../../kubernetes/label-selector.ts';
import { changedPaths } from '../../../source/changed-paths.ts';
import { type FieldPath, formatFieldPath } from '../../../source/field-path.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../../source/json.ts';
import { objectOrEmpty, textField, valueAt } from '../../../source/json-field.ts';
import type { PolicyIdentity } from '../../policy.ts';
import type { ObjectChangeByPolicy } from '../../policy-language.ts';
import type { Invocation } from './invocations.ts';
import type { MutatingPolicy } from './mutating-policy.ts';

/** Characters of a value that a message shows. */
const MAX_VALUE = 60;
/** Policies that a message names. */
const MAX_NAMES = 3;

/** Who ran, and what they changed: enough to tell that another order cannot make a difference. */
export interface FirstPass {
  readonly invocations: readonly Invocation[];
  readonly changes: readonly ObjectChangeByPolicy[];
}

/** More than these are not held against each other: another order is simply tried. */
const MAX_INVOCATIONS = 100;

/** The policies that may have stood in each other's way; none if the order cannot matter. */
export function entangledPolicies({ invocations, changes }: FirstPass): readonly MutatingPolicy[] {
  if (invocations.length < 2) return [];
  if (invocations.length > MAX_INVOCATIONS) return [...new Set(invocations.map(({ hook }) => hook.policy))];
  const entangled = new Set<MutatingPolicy>();
  const byPolicy = new Map<PolicyIdentity, ObjectChangeByPolicy[]>();
  for (const change of changes) {
    const known = byPolicy.get(change.policy);
    if (known === undefined) byPolicy.set(change.policy, [change]);
    else known.push(change);
  }
  const writers = invocations.map((invocation): Writer => {
    const own = changesBy(invocation, byPolicy.get(invocation.hook.policy) ?? []);
    const written = own.flatMap(({ paths }) => paths);
    return { invocation, written, merged: mergedPaths(invocation.hook.policy, own) };
  });
  for (const writer of writers) {
    const { invocation } = writer;
    if (writer.written.length === 0) continue;
    for (const other of writers) {
      if (other === writer || !standsInTheWay(writer, other)) continue;
      entangled.add(invocation.hook.policy).add(other.invocation.hook.policy);
    }
  }
  return [...entangled];
}

interface Writer {
  readonly invocation: Invocation;
  readonly written: readonly FieldPath[];
  /** The same with labels and annotations of a new map one by one; undefined for whoever patches, which wants the map to be there. */
  readonly merged: readonly FieldPath[] | undefined;
}

/** `changes` are those of its policy. */
function changesBy(
  { binding, param }: Invocation,
  changes: readonly ObjectChangeByPolicy[],
): readonly ObjectChangeByPolicy[] {
  return changes.filter((change) => change.binding === binding && change.param === param?.resource);
}

/** Whoever comes first makes the map, and what the others merge into it stands beside it. */
function mergedPaths(
  policy: MutatingPolicy,
  changes: readonly ObjectChangeByPolicy[],
): readonly FieldPath[] | undefined {
  if (policy.mutations.some(({ patchType }) => patchType !== 'ApplyConfiguration')) return undefined;
  return changes.flatMap(({ paths, objects }) =>
    paths.flatMap((path): readonly FieldPath[] => {
      if (!isLabelsOrAnnotations(path) || valueAt(objects.before, path) !== undefined) return [path];
      const made = valueAt(objects.after, path);
      return isJsonObject(made) && made.size > 0 ? [...made.keys()].map((key) => [...path, key]) : [path];
    }),
  );
}

function isLabelsOrAnnotations(path: FieldPath): boolean {
  const field = path.at(-1);
  return path.at(-2) === 'metadata' && (field === 'labels' || field === 'annotations');
}

function standsInTheWay({ written, merged }: Writer, other: Writer): boolean {
  const { policy, mutator } = other.invocation.hook;
  const isShared = merged && other.merged ? overlap(merged, other.merged) : overlap(written, other.written);
  if (isShared || written.some((path) => mutator().reads.mayRead(path))) return true;
  const { objectSelector } = policy.matchConstraints ?? {};
  if (objectSelector === undefined || 'error' in objectSelector || isEmptySelector(objectSelector)) return false;
  return written.some(isLabel);
}

function overlap(one: readonly FieldPath[], other: readonly FieldPath[]): boolean {
  return one.some((path) => other.some((each) => isWithin(path, each) || isWithin(each, path)));
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  if (outer.length > path.length) return false;
  for (let index = 0; index < outer.length; index++) if (outer[index] !== path[index]) return false;
  return true;
}

/** In the second pass selectors look at labels again. */
function isLabel(path: FieldPath): boolean {
  return isWithin(path, ['metadata', 'labels']) || isWithin(['metadata', 'labels'], path);
}

/** `other` is undefined where the other order is refused. */
export function orderRemark(
  request: AdmissionRequest,
  policies: readonly MutatingPolicy[],
  object: JsonObject,
  other: JsonObject | undefined,
): Diagnostic | undefined {
  const [first, ...others] = policies;
  const [path] = other === undefined ? [] : changedPaths(object, other);
  if (first === undefined || (other !== undefined && path === undefined)) return undefined;
  const shown = (value: JsonObject): string => shownValue(request, valueAt(value, path ?? []));
  const difference =
    other === undefined || path === undefined
      ? 'goes through in the order of names and is refused in reverse'
      : `has ${shown(object)} as ${formatFieldPath(path)} in the order of names and ${shown(other)} in reverse`;
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

/** `before` is the object after both passes, `after` what a third one would make of it. */
export function repetitionRemark(
  request: AdmissionRequest,
  policy: MutatingPolicy,
  before: JsonObject,
  after: JsonObject,
): Diagnostic {
  const [path = []] = changedPaths(before, after);
  const [value, again] = [before, after].map((object) => shownValue(request, valueAt(object, path)));
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

function shownValue({ kind }: AdmissionRequest, value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (kind.group === '' && kind.kind === 'Secret') return 'one value';
  const text = stringifyJson(value, { sortKeys: false, escapeHtml: false });
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function listed(policies: readonly MutatingPolicy[]): string {
  const names = policies.map(({ name }) => `\`${name}\``);
  const rest = names.length - MAX_NAMES;
  const shown = rest > 0 ? [...names.slice(0, MAX_NAMES), `${rest} more`] : names;
  return shown.length === 1 ? `the bindings of ${shown[0]}` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
