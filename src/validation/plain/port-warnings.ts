// The server's warnings about equal ports in one Pod (pkg/api/pod/warnings.go).
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { transportOf } from './container.ts';
import { childOf, itemsOf } from './rule.ts';

interface Port {
  readonly fields: JsonObject;
  readonly path: string;
}

const NONE: readonly string[] = [];

/** For an object whose rule holds. `podAt`: the path of its Pod template, or of nothing for a Pod. */
export function portWarnings(object: JsonObject, podAt: readonly string[]): readonly string[] {
  const spec = childOf(podAt.reduce(childOf, object), 'spec');
  if (countPorts(spec) < 2) return NONE;
  const ports = portsOf(spec, [...podAt, 'spec'].join('.'));
  return [...definitionWarnings(ports), ...nameWarnings(ports)];
}

const LISTS = ['initContainers', 'containers'];

function countPorts(spec: JsonObject): number {
  let naturalNumber = 0;
  for (const list of LISTS)
    for (const each of itemsOf(spec.get(list))) naturalNumber += itemsOf(each.get('ports')).length;
  return naturalNumber;
}

function portsOf(spec: JsonObject, path: string): readonly Port[] {
  return LISTS.flatMap((list) =>
    itemsOf(spec.get(list)).flatMap((each, container) =>
      itemsOf(each.get('ports')).map((fields, port) => ({
        fields,
        path: `${path}.${list}[${container}].ports[${port}]`,
      })),
    ),
  );
}

function definitionWarnings(ports: readonly Port[]): readonly string[] {
  const warnings: string[] = [];
  const earlier = new Map<string, Port[]>();
  for (const port of ports) {
    const key = `${port.fields.get('containerPort')}/${transportOf(port.fields)}`;
    const others = earlier.get(key) ?? [];
    earlier.set(key, others);
    for (const other of others) {
      const [one, two] = [hostPort(port), hostPort(other)];
      if (one === two) warnings.push(`${port.path}: duplicate port definition with ${other.path}`);
      else if (one === 0n || two === 0n) warnings.push(`${port.path}: overlapping port definition with ${other.path}`);
    }
    others.push(port);
  }
  return warnings;
}

function hostPort({ fields }: Port): JsonValue {
  return fields.get('hostPort') ?? 0n;
}

function nameWarnings(ports: readonly Port[]): readonly string[] {
  const warnings: string[] = [];
  const earlier = new Map<string, string>();
  for (const { fields, path } of ports) {
    const name = fields.get('name');
    if (typeof name !== 'string') continue;
    const other = earlier.get(name);
    if (other === undefined) earlier.set(name, path);
    else {
      const effect = `services and probes that select ports by name will use ${other}`;
      warnings.push(`${path}: duplicate port name "${name}" with ${other}, ${effect}`);
    }
  }
  return warnings;
}
