// The lists and maps that came to an expression from its host: those hold nothing but JSON.
import { isMap } from '../../cel/value/equality.ts';
import type { MapValue, Value } from '../../cel/value/value.ts';
import { append } from '../../go/append.ts';
import type { IsHost } from './applied-configuration.ts';

/** `roots` is called, and its values are gone through, when the first container is asked about. */
export function hostContainers(roots: () => Iterable<Value>): IsHost {
  let known: Set<unknown> | undefined;
  return (container) => {
    if (known === undefined) {
      known = new Set();
      for (const root of roots()) collect(root, known);
    }
    return known.has(container);
  };
}

function collect(root: Value, known: Set<unknown>): void {
  const open: Value[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (known.has(value)) continue;
    if (Array.isArray(value)) append(open, containersIn(value));
    else if (value instanceof Map) append(open, containersIn([...(value as MapValue & Map<string, Value>).values()]));
    else continue;
    known.add(value);
  }
}

function containersIn(values: readonly Value[]): readonly Value[] {
  return values.filter((value) => Array.isArray(value) || isMap(value));
}
