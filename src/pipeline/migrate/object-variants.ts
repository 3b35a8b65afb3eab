// Generates variants of objects, to test whether two policies give the same verdicts.
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';

export interface VariedField {
  /** `*` matches every element of a list. */
  readonly path: readonly string[];
  readonly values: readonly JsonValue[];
}

/** Deterministic pseudo-random numbers between 0 and 1. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** At most `limit`: each field with each of its values and without the field, then random combinations of two and three changes. */
export function objectVariants(
  base: JsonObject,
  fields: readonly VariedField[],
  limit: number,
  seed: number,
): readonly JsonObject[] {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const placed = fields.flatMap(({ path, values }) => placesOf(base, path).map((place) => ({ path: place, values })));
  const single = placed.flatMap(({ path, values }): readonly JsonObject[] => [
    withoutField(base, path),
    ...values.map((value) => withField(base, path, value)),
  ]);
  // If there are too many, takes a random sample instead of the first ones.
  const kept = single.length <= limit / 2 ? single : shuffled(single, random).slice(0, limit / 2);
  const variants = [...kept];
  while (variants.length < limit && placed.length + 1 > 0) {
    let object = pick(kept) ?? base;
    for (let count = 1 + Math.floor(random() * 2); count > 0; count--) {
      const field = pick(placed);
      const value = field && pick(field.values);
      if (field === undefined || random() < 0.25) object = changedSomewhere(object, random);
      else
        object =
          value === undefined || random() < 0.3
            ? withoutField(object, field.path)
            : withField(object, field.path, value);
    }
    variants.push(object);
  }
  return variants;
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const order = items.map((item) => ({ item, at: random() }));
  return order.sort((one, other) => one.at - other.at).map(({ item }) => item);
}

/** For a field of Pods, also its paths in Pod templates. */
function placesOf(base: JsonObject, path: readonly string[]): readonly (readonly string[])[] {
  const [first] = path;
  if (first === 'metadata' && path.length === 2) return [path];
  const templates = [
    ['spec', 'template'],
    ['spec', 'jobTemplate', 'spec', 'template'],
  ].filter((steps) =>
    isJsonObject(steps.reduce<JsonValue>((value, step) => objectOrEmpty(value).get(step) ?? null, base)),
  );
  if (templates.length === 0 || (first !== 'spec' && first !== 'metadata')) return [path];
  const inside = templates.map((steps) => [...steps, ...path]);
  return first === 'metadata' ? [path, ...inside] : inside;
}

function withField(object: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  return replaced(object, path, () => value) as JsonObject;
}

function withoutField(object: JsonObject, path: readonly string[]): JsonObject {
  return replaced(object, path, () => undefined) as JsonObject;
}

function replaced(
  value: JsonValue | undefined,
  path: readonly string[],
  change: (old: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (step === '*') {
    if (!isJsonArray(value)) return rest.length === 0 ? value : [replaced(undefined, rest, change) ?? new Map()];
    return value.flatMap((item): JsonArray => {
      const made = replaced(item, rest, change);
      return made === undefined ? [] : [made];
    });
  }
  if (value !== undefined && !isJsonObject(value)) return value;
  const members = new Map<string, JsonValue>(value ?? []);
  const made = replaced(members.get(step), rest, change);
  if (made === undefined) members.delete(step);
  else members.set(step, made);
  return members;
}

/** Removes, duplicates or changes one random value. */
function changedSomewhere(object: JsonObject, random: () => number): JsonObject {
  const walk = (value: JsonValue, depth: number): JsonValue => {
    if (isJsonArray(value) && value.length > 0) {
      const at = Math.floor(random() * value.length);
      if (random() < 0.2) return value.filter((_, index) => index !== at);
      if (random() < 0.2) return [...value, value[at] as JsonValue];
      return value.map((item, index) => (index === at ? walk(item, depth + 1) : item));
    }
    if (isJsonObject(value) && value.size > 0) {
      const keys = [...value.keys()].filter((key) => depth > 0 || (key !== 'apiVersion' && key !== 'kind'));
      const key = keys[Math.floor(random() * keys.length)];
      if (key === undefined) return value;
      const members = new Map(value);
      if (depth > 0 && random() < 0.25) members.delete(key);
      else members.set(key, walk(value.get(key) as JsonValue, depth + 1));
      return members;
    }
    if (typeof value === 'boolean') return !value;
    if (typeof value === 'bigint') return value + 1n;
    if (typeof value === 'string') return random() < 0.5 ? '' : `${value}-x`;
    return value;
  };
  return walk(object, 0) as JsonObject;
}

/** False for a Pod or template without containers or images, which no server accepts. */
export function isPlausible(object: JsonObject): boolean {
  const spec = objectOrEmpty(object.get('spec'));
  const specOf = (owner: JsonObject): JsonObject => objectOrEmpty(objectOrEmpty(owner.get('template')).get('spec'));
  switch (textField(object, 'kind')) {
    case 'Pod':
      return hasContainers(spec);
    case 'CronJob':
      return hasContainers(specOf(objectOrEmpty(objectOrEmpty(spec.get('jobTemplate')).get('spec'))));
    case 'ReplicationController':
      return hasContainers(specOf(spec));
    default:
      return !spec.has('template') || hasContainers(specOf(spec));
  }
}

function hasContainers(spec: JsonObject): boolean {
  const lists = [spec.get('containers') ?? [], spec.get('initContainers') ?? [], spec.get('ephemeralContainers') ?? []];
  const isContainer = (item: JsonValue): boolean =>
    isJsonObject(item) && textField(item, 'name') !== '' && textField(item, 'image') !== '';
  const [containers] = lists;
  return (
    isJsonArray(containers) &&
    containers.length > 0 &&
    lists.every((list) => isJsonArray(list) && list.every(isContainer))
  );
}

const CONTAINERS: JsonValue = [
  new Map<string, JsonValue>([
    ['name', 'main'],
    ['image', 'registry.example.com/shop/web:1.0'],
  ]),
];

/** A minimal object, for a kind that the repository does not contain. */
export function plainObject(apiVersion: string, kind: string, namespaced: boolean): JsonObject {
  const metadata = fields({
    name: 'sample',
    ...(namespaced && { namespace: 'shop' }),
    labels: fields({ app: 'sample' }),
  });
  const spec = plainSpec(kind);
  return fields({ apiVersion, kind, metadata, ...(spec && { spec }) });
}

function plainSpec(kind: string): JsonObject | undefined {
  const pod = fields({ containers: CONTAINERS });
  const labels = fields({ app: 'sample' });
  const template = fields({ metadata: fields({ labels }), spec: pod });
  const selector = fields({ matchLabels: labels });
  const job = fields({
    template: fields({
      metadata: fields({ labels }),
      spec: fields({ containers: CONTAINERS, restartPolicy: 'Never' }),
    }),
  });
  switch (kind) {
    case 'Pod':
      return pod;
    case 'Deployment':
    case 'ReplicaSet':
    case 'DaemonSet':
      return fields({ selector, template });
    case 'StatefulSet':
      return fields({ serviceName: 'sample', selector, template });
    case 'ReplicationController':
      return fields({ selector: labels, template });
    case 'Job':
      return job;
    case 'CronJob':
      return fields({ schedule: '0 3 * * *', jobTemplate: fields({ spec: job }) });
    case 'Service':
      return fields({ ports: [fields({ port: 80n })] });
    case 'Ingress':
      return fields({ defaultBackend: fields({ service: fields({ name: 'web', port: fields({ number: 80n }) }) }) });
    default:
      return undefined;
  }
}

function fields(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return new Map(Object.entries(members));
}

/** `namespace/name`, for messages. */
export function pathOfObject(object: JsonObject): string {
  const metadata = objectOrEmpty(object.get('metadata'));
  return [textField(object, 'kind'), textField(metadata, 'namespace'), textField(metadata, 'name')]
    .filter(Boolean)
    .join('/');
}
