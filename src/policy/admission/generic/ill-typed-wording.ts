// Messages and help for expressions that cannot work for a kind.
import type { Type } from '../../../cel/check/type.ts';
import type { Mismatch, TestedField, UndefinedField } from '../../../cel/infer/observation.ts';
import { formatApiVersion, type GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import type { KnownKinds } from '../../../kubernetes/cel/known-kinds.ts';
import { objectName } from './expression-remarks.ts';
import type { MatchedKind } from './matched-kinds.ts';
import { fieldFurtherInside, similarField } from './similar-field.ts';

/** Further names are only counted. */
const MAX_NAMES = 3;

/** `objects`: the kinds concerned, each with the object type that lacks the field. */
export function messageFor(
  observation: Mismatch | UndefinedField | TestedField,
  objects: ReadonlyMap<MatchedKind, Type | undefined>,
): string {
  const concerned = listed(namesOf([...objects.keys()].map(({ kind }) => kind)));
  if (observation.kind === 'mismatch') return `${observation.message} (${concerned})`;
  const lacking = [...objects.values()].filter((object) => object !== undefined);
  const names = [...new Set(lacking.map(objectName))];
  const missing = `${listed(names)} ${names.length === 1 ? 'has' : 'have'} no field \`${observation.field}\``;
  return `${missing}${observation.kind === 'test' ? ', which this tests for' : ''} (${concerned})`;
}

/** Undefined if there is no advice. */
export function helpFor(
  observation: Mismatch | UndefinedField | TestedField,
  known: KnownKinds,
  serverWarns: boolean,
): string | undefined {
  const advice = observation.kind === 'mismatch' ? typesAdvice(observation) : fieldAdvice(observation, known);
  if (serverWarns) return advice;
  const difference = "the API server's type checking does not report this";
  return advice === undefined ? difference : `${advice}; ${difference}`;
}

/** Advice for fields that policies see as strings, although other types are expected. */
function typesAdvice({ types }: Mismatch): string | undefined {
  const kinds = types.map(({ kind }) => kind);
  if (!kinds.includes('string')) return undefined;
  return kinds.map((kind) => STRING_ADVICE[kind]).find((advice) => advice !== undefined);
}

const NUMBER_ADVICE =
  'quantities and the values of ConfigMaps are strings: convert them with `int(…)` or `quantity(…)`';

const STRING_ADVICE: Readonly<Partial<Record<Type['kind'], string>>> = {
  int: NUMBER_ADVICE,
  uint: NUMBER_ADVICE,
  double: NUMBER_ADVICE,
  bool: "the values of ConfigMaps, labels and annotations are strings: compare with `'true'` or `'false'`",
  timestamp: 'policies see times as strings: convert them with `timestamp(…)`',
  duration: 'policies see durations as strings: convert them with `duration(…)`',
  bytes: 'policies see bytes as base64 strings',
};

function fieldAdvice({ object, field }: UndefinedField | TestedField, known: KnownKinds): string | undefined {
  const { catalog } = known;
  const minors = catalog.minorsWithField(object.name, field);
  const [first] = minors;
  if (first !== undefined) {
    const life = first > catalog.minor ? `since 1.${first}` : `until 1.${minors.at(-1)}`;
    return `Kubernetes has \`${field}\` ${life}, and policies are checked for 1.${catalog.minor}`;
  }
  const meant = similarField(object, field, known) ?? fieldFurtherInside(object, field, known);
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
}

/** Adds the apiVersion if the kind is ambiguous. */
function namesOf(kinds: readonly GroupVersionKind[]): readonly string[] {
  const named = new Map(kinds.map(({ group, version, kind }) => [`${formatApiVersion(group, version)} ${kind}`, kind]));
  const all = [...named.values()];
  return [...named].map(([full, kind]) => (all.filter((other) => other === kind).length === 1 ? kind : full));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
