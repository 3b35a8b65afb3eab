// Finds the variable and field that a value came from.

import { isMap } from '../value/equality.ts';
import type { Read } from '../value/trace.ts';
import { ErrorValue, Optional, type Value } from '../value/value.ts';
import type { BoundElement, DecidingEvent } from './deciding-events.ts';
import { type ElementKey, elementKey, sourceOfElement } from './element-source.ts';

/** A location in a variable. Steps are a linked chain, because there are as many locations as containers. */
interface Place {
  readonly root: string;
  readonly parent: Place | undefined;
  readonly step: string | number | undefined;
}

/** Identifies lists and maps of variables by object identity, even after filters, variables and conditionals. */
export class Provenance {
  readonly #roots: ReadonlySet<string>;
  readonly #places = new Map<object, Place>();
  /** Variables whose containers are not indexed yet. */
  readonly #waiting: [string, Value][];

  /** If a container occurs in several variables, the first one is reported, unless the expression reads it by another name. */
  constructor(roots: ReadonlyMap<string, Value>) {
    this.#roots = new Set(roots.keys());
    this.#waiting = [...roots].reverse();
  }

  #index(root: Value, place: Place): void {
    const pending: [Value, Place][] = [[root, place]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [value, at] = next;
      if (typeof value !== 'object' || value === null || this.#places.has(value)) continue;
      const steps = Array.isArray(value) ? value.entries() : value instanceof Map ? value.entries() : undefined;
      if (steps === undefined) continue;
      this.#places.set(value, at);
      for (const [step, child] of steps as Iterable<[string | number, Value]>) {
        pending.push([child, { root: at.root, parent: at, step }]);
      }
    }
  }

  /** The field that an event read; undefined if its value was computed. */
  readOf(decision: DecidingEvent): Read | undefined {
    const place = this.#placeOf(decision);
    return place && { root: place.root, path: pathOf(place), found: wasFound(decision) };
  }

  /** For an existing element; undefined if the element was computed. */
  readOfElement(list: DecidingEvent, index: number): Read | undefined {
    const place = this.#placeOfEntry(list, index);
    return place && { root: place.root, path: pathOf(place), found: true };
  }

  #placeOf(decision: DecidingEvent): Place | undefined {
    const { event, tree } = decision;
    const expr = tree.node(event.nodeId);
    if (event.variable !== undefined) {
      const variableTree = tree.variable(event.variable.name);
      const own = variableTree && this.#placeOf({ event: event.variable.event, tree: variableTree, elements: [] });
      return own ?? this.#placeOfValue(event.value);
    }
    switch (expr?.kind) {
      case 'ident':
        return this.#placeOfVariable(expr.name, decision);
      case 'select':
        return this.#placeWithin(decision, expr.field);
      case 'call':
        return this.#placeOfCall(decision, expr.function);
      default:
        return this.#placeOfValue(event.value);
    }
  }

  #placeOfCall(decision: DecidingEvent, functionName: string): Place | undefined {
    const { event } = decision;
    switch (functionName) {
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#placeWithin(decision, keyOf(decision));
      case '_?_:_': {
        const branch = event.children[1];
        return branch && this.#placeOf({ ...decision, event: branch });
      }
      default:
        return this.#placeOfValue(event.value);
    }
  }

  #placeOfVariable(name: string, decision: DecidingEvent): Place | undefined {
    const bound = decision.elements.findLast(({ fold }) => fold.iterVar === name || fold.iterVar2 === name);
    if (bound === undefined) {
      return this.#roots.has(name) ? { root: name, parent: undefined, step: undefined } : undefined;
    }
    if (name === bound.fold.iterVar && isIndexed(bound)) return undefined;
    return this.#placeOfElement(bound) ?? this.#placeOfValue(decision.event.value);
  }

  #placeOfElement({ step, range }: BoundElement): Place | undefined {
    const key = elementKey(step.element?.key);
    return key === undefined ? this.#placeOfValue(step.element?.value) : this.#placeOfEntry(range, key);
  }

  /** An entry of a list or map, including computed ones. */
  #placeOfEntry(container: DecidingEvent, key: ElementKey): Place | undefined {
    const within = this.#placeOf(container);
    if (within !== undefined) return { root: within.root, parent: within, step: key };
    const source = sourceOfElement(container, key);
    return source && ('key' in source ? this.#placeOfEntry(source.container, source.key) : this.#placeOf(source));
  }

  #placeWithin(decision: DecidingEvent, key: Value | undefined): Place | undefined {
    const { event } = decision;
    const [operand] = event.children;
    const step = elementKey(key);
    const place = operand && step !== undefined ? this.#placeOfEntry({ ...decision, event: operand }, step) : undefined;
    return place ?? this.#placeOfValue(event.value);
  }

  #placeOfValue(value: Value | undefined): Place | undefined {
    if (value instanceof Optional) return this.#placeOfValue(value.value);
    if (typeof value !== 'object' || value === null) return undefined;
    for (;;) {
      const place = this.#places.get(value);
      if (place !== undefined) return place;
      const next = this.#waiting.pop();
      if (next === undefined) return undefined;
      const [root, whole] = next;
      this.#index(whole, { root, parent: undefined, step: undefined });
    }
  }
}

/** With two variables over a list, the first variable is the index. */
function isIndexed({ fold, range }: BoundElement): boolean {
  return fold.iterVar2 !== undefined && Array.isArray(range.event.value);
}

/** The key of an index operation: a literal, or the value of its event. */
function keyOf({ event, tree }: DecidingEvent): Value | undefined {
  const index = tree.call(event.nodeId)?.args[1];
  if (index?.kind === 'literal') return index.value;
  return event.children.find(({ nodeId }) => nodeId === index?.id)?.value;
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.step !== undefined; at = at.parent) path.push(at.step);
  return path.reverse();
}

function wasFound({ event, tree }: DecidingEvent): boolean {
  const { value } = event;
  if (value instanceof ErrorValue) return false;
  if (value instanceof Optional) return value.hasValue;
  const expr = tree.node(event.nodeId);
  return expr?.kind === 'select' && expr.testOnly ? value === true : true;
}

/** The key if `key in container` looks up a string key in a map; otherwise undefined. */
export function entryAsked({ event, tree }: DecidingEvent): string | undefined {
  const call = tree.call(event.nodeId);
  if (call?.function !== '@in') return undefined;
  const [key, container] = event.children;
  const isEntry = typeof key?.value === 'string' && container !== undefined && isMap(container.value);
  return isEntry ? (key.value as string) : undefined;
}
