// Evaluates a query on a document like kyverno/go-jmespath (`interpreter.go`): a missing key is an error.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { QueryFunctions } from './functions/function-table.ts';
import { childOrigin, type Origin } from './origin.ts';
import type { SearchEnvironment } from './search-environment.ts';
import { SearchError, searchFailure } from './search-error.ts';
import { deepEqual, ExpressionReference, isFalse, type SearchValue } from './search-value.ts';
import type { QueryComparison, SliceParts, SyntaxNode } from './syntax.ts';
import { WorkBudget } from './work-budget.ts';

/** A key that the object lacks. Most callers treat it as null. */
class MissingKey {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

type Outcome = SearchValue | MissingKey;

interface Binary {
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
  readonly condition?: SyntaxNode;
}

export interface FunctionCall {
  readonly environment: SearchEnvironment;
  readonly budget: WorkBudget;
  /** Evaluates an expression reference. A missing key is null. `origin` is the value's. */
  apply(reference: ExpressionReference, value: JsonValue, origin: Origin): SearchValue;
  originOf(index: number): Origin;
  readonly appliedOrigin: Origin;
  /** Sets the origin of the function's result, if the result was not computed. */
  resultFrom(origin: Origin): void;
}

/** One search. Throws `SearchError`. */
export class Interpreter {
  readonly #environment: SearchEnvironment;
  readonly #functions: QueryFunctions;
  readonly #budget: WorkBudget;
  readonly #tracks: boolean;
  /** Origin of the last result of `#run`. */
  #origin: Origin;
  /** True if the query built lists or objects, which may contain a value more than once. */
  #hasMade = false;

  constructor(environment: SearchEnvironment, functions: QueryFunctions) {
    this.#environment = environment;
    this.#functions = functions;
    this.#budget = new WorkBudget(environment.work);
    this.#tracks = environment.observer !== undefined;
  }

  search(node: SyntaxNode, document: JsonValue, origin: Origin): SearchValue {
    const found = this.#run(node, document, this.#tracks ? origin : undefined);
    if (found instanceof MissingKey) throw new SearchError('not-found', `Unknown key "${found.key}" in path`);
    if (this.#hasMade) this.#budget.measure(found);
    if (this.#tracks) this.#environment.observer?.read(this.#origin, 'result');
    return found;
  }

  /** A missing key is null. */
  #value(node: SyntaxNode, value: SearchValue, origin: Origin): SearchValue {
    const found = this.#run(node, value, origin);
    return found instanceof MissingKey ? null : found;
  }

  /** Evaluates an operand and reports what it reads. */
  #operand(node: SyntaxNode, value: SearchValue, origin: Origin): SearchValue {
    const found = this.#value(node, value, origin);
    if (this.#tracks) this.#environment.observer?.read(this.#origin, 'operand');
    return found;
  }

  #run(node: SyntaxNode, value: SearchValue, origin: Origin): Outcome {
    this.#budget.spend(1);
    switch (node.kind) {
      case 'field':
        return this.#field(node.name, value, origin);
      case 'subexpression':
      case 'indexExpression': {
        const left = this.#run(node.left, value, origin);
        return left instanceof MissingKey ? left : this.#run(node.right, left, this.#origin);
      }
      case 'current':
      case 'identity':
        this.#origin = origin;
        return value;
      case 'literal':
        return this.#computed(node.value);
      case 'call':
        return this.#call(node.name, node.operands, value, origin);
      case 'reference':
        return this.#computed(new ExpressionReference(node.operand));
      case 'comparator': {
        const left = this.#operand(node.left, value, origin);
        const right = this.#operand(node.right, value, origin);
        return this.#computed(this.#compare(node.operator, left, right));
      }
      case 'not':
        return this.#computed(isFalse(this.#operand(node.operand, value, origin)));
      case 'or': {
        const left = this.#value(node.left, value, origin);
        if (!isFalse(left)) return left;
        if (this.#tracks) this.#environment.observer?.read(this.#origin, 'operand');
        return this.#value(node.right, value, origin);
      }
      case 'and': {
        const left = this.#operand(node.left, value, origin);
        return isFalse(left) ? left : this.#run(node.right, value, origin);
      }
      case 'pipe': {
        const left = this.#value(node.left, value, origin);
        return this.#value(node.right, left, this.#origin);
      }
      case 'index':
        return this.#index(node.index, value, origin);
      case 'slice':
        return this.#slice(node.parts, value, origin);
      case 'list':
        return value === null ? this.#computed(null) : this.#list(node.operands, value, origin);
      case 'hash':
        return value === null ? this.#computed(null) : this.#hash(node.entries, value, origin);
      case 'flatten':
        return this.#flatten(node.operand, value, origin);
      case 'projection':
        return this.#project(this.#value(node.left, value, origin), node);
      case 'filter':
        return this.#project(this.#leftOf(node, value, origin), node);
      case 'valueProjection':
        return this.#projectValues(node, value, origin);
      default:
        throw searchFailure('Unknown AST node: ASTEmpty');
    }
  }

  #computed(value: SearchValue): SearchValue {
    this.#origin = undefined;
    return value;
  }

  #field(name: string, value: SearchValue, origin: Origin): Outcome {
    if (!(value instanceof Map)) return this.#computed(null);
    const member = value.get(name);
    this.#origin = origin === undefined ? undefined : childOrigin(origin, name);
    if (member !== undefined) return member;
    if (this.#tracks) this.#environment.observer?.read(this.#origin, 'missing');
    return new MissingKey(name);
  }

  #index(index: number, value: SearchValue, origin: Origin): SearchValue {
    if (!Array.isArray(value)) return this.#computed(null);
    const at = index < 0 ? index + value.length : index;
    this.#origin = childOrigin(origin, at);
    return (value[at] as JsonValue | undefined) ?? null;
  }

  #compare(operator: QueryComparison, left: SearchValue, right: SearchValue): SearchValue {
    if (operator === '==' || operator === '!=') {
      return deepEqual(left, right, (steps) => this.#budget.spend(steps)) === (operator === '==');
    }
    if (typeof left !== 'number' || typeof right !== 'number') return null;
    if (operator === '>') return left > right;
    if (operator === '>=') return left >= right;
    return operator === '<' ? left < right : left <= right;
  }

  #call(name: string | undefined, operands: readonly SyntaxNode[], value: SearchValue, origin: Origin): SearchValue {
    if (name === undefined) throw searchFailure('invalid node value type');
    const values: SearchValue[] = [];
    const origins: Origin[] = [];
    for (const operand of operands) {
      values.push(this.#operand(operand, value, origin));
      origins.push(this.#origin);
    }
    let resultOrigin: Origin;
    const interpreter = this;
    const call: FunctionCall = {
      environment: this.#environment,
      budget: this.#budget,
      apply: (reference, item, itemOrigin) => this.#value(reference.node, item, itemOrigin),
      originOf: (index) => origins[index],
      get appliedOrigin() {
        return interpreter.#origin;
      },
      resultFrom: (from) => {
        resultOrigin = from;
      },
    };
    const result = this.#functions.call(name, values, call);
    if (typeof result === 'string') this.#budget.text(result);
    this.#origin = resultOrigin;
    return result;
  }

  #slice(parts: SliceParts, value: SearchValue, origin: Origin): SearchValue {
    if (!isJsonArray(value as JsonValue)) return this.#computed(null);
    const list = value as readonly JsonValue[];
    const step = parts[2] ?? 1;
    if (step === 0) throw searchFailure('Invalid slice, step cannot be 0');
    const start = parts[0] === undefined ? (step < 0 ? list.length - 1 : 0) : cap(parts[0], list.length, step);
    const stop = parts[1] === undefined ? (step < 0 ? -1 : list.length) : cap(parts[1], list.length, step);
    const items: JsonValue[] = [];
    const origins: Origin[] = [];
    for (let at = start; step > 0 ? at < stop : at > stop; at += step) {
      items.push(list[at] as JsonValue);
      if (this.#tracks) origins.push(childOrigin(origin, at));
    }
    this.#budget.spend(items.length);
    this.#origin = origin === undefined ? undefined : origins;
    return items;
  }

  #list(operands: readonly SyntaxNode[], value: SearchValue, origin: Origin): SearchValue {
    this.#hasMade = true;
    const items: JsonValue[] = [];
    const origins: Origin[] = [];
    for (const operand of operands) {
      items.push(asMember(this.#value(operand, value, origin)));
      origins.push(this.#origin);
    }
    this.#origin = origins;
    return items;
  }

  #hash(entries: readonly (readonly [string, SyntaxNode])[], value: SearchValue, origin: Origin): SearchValue {
    this.#hasMade = true;
    const members = new Map<string, JsonValue>();
    const origins = new Map<string, Origin>();
    for (const [key, node] of entries) {
      members.set(key, asMember(this.#value(node, value, origin)));
      origins.set(key, this.#origin);
    }
    this.#origin = origins;
    return members;
  }

  /** The left side of filters and similar nodes: any error of Kyverno's is null. */
  #leftOf(node: Binary | { readonly left: SyntaxNode }, value: SearchValue, origin: Origin): SearchValue {
    try {
      return this.#value(node.left, value, origin);
    } catch (error) {
      if (error instanceof SearchError && error.kind === 'failure') return this.#computed(null);
      throw error;
    }
  }

  #flatten(operand: SyntaxNode, value: SearchValue, origin: Origin): SearchValue {
    const list = this.#leftOf({ left: operand }, value, origin);
    if (!isJsonArray(list as JsonValue)) return this.#computed(null);
    const listOrigin = this.#origin;
    const flattened: JsonValue[] = [];
    const origins: Origin[] = [];
    (list as readonly JsonValue[]).forEach((item, index) => {
      const itemOrigin = childOrigin(listOrigin, index);
      if (!isJsonArray(item)) {
        flattened.push(item);
        origins.push(itemOrigin);
        return;
      }
      this.#budget.spend(item.length);
      item.forEach((member, memberIndex) => {
        flattened.push(member);
        origins.push(childOrigin(itemOrigin, memberIndex));
      });
    });
    this.#origin = this.#tracks ? origins : undefined;
    return flattened;
  }

  /** Applies the right side to each element that satisfies the condition, if any. Drops nulls. */
  #project(left: SearchValue, { right, condition }: Binary): SearchValue {
    if (!isJsonArray(left as JsonValue)) return this.#computed(null);
    const listOrigin = this.#origin;
    const collected: JsonValue[] = [];
    const origins: Origin[] = [];
    const list = left as readonly JsonValue[];
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as JsonValue;
      const itemOrigin = childOrigin(listOrigin, index);
      if (condition !== undefined && isFalse(this.#operand(condition, item, itemOrigin))) continue;
      const current = this.#value(right, item, itemOrigin);
      if (current === null) continue;
      collected.push(asMember(current));
      if (this.#tracks) origins.push(this.#origin);
    }
    this.#origin = this.#tracks ? origins : undefined;
    return collected;
  }

  #projectValues(node: Binary, value: SearchValue, origin: Origin): SearchValue {
    const members = this.#leftOf(node, value, origin);
    if (!isJsonObject(members as JsonValue)) return this.#computed(null);
    const object = members as ReadonlyMap<string, JsonValue>;
    const objectOrigin = this.#origin;
    if (object.size > 1) this.#environment.observer?.unordered();
    const collected: JsonValue[] = [];
    const origins: Origin[] = [];
    const project = (item: JsonValue, itemOrigin: Origin): void => {
      const current = this.#value(node.right, item, itemOrigin);
      if (current === null) return;
      collected.push(asMember(current));
      if (this.#tracks) origins.push(this.#origin);
    };
    // Kyverno's list of values starts with as many nulls as there are values.
    for (let count = 0; count < object.size; count++) project(null, undefined);
    for (const [key, member] of object) project(member, childOrigin(objectOrigin, key));
    this.#origin = this.#tracks ? origins : undefined;
    return collected;
  }
}

function cap(position: number, length: number, step: number): number {
  if (position < 0) {
    const fromEnd = position + length;
    return fromEnd >= 0 ? fromEnd : step < 0 ? -1 : 0;
  }
  if (position < length) return position;
  return step < 0 ? length - 1 : length;
}

/** Inside lists and objects, an expression reference is the empty object that Go prints for it. */
function asMember(value: SearchValue): JsonValue {
  return value instanceof ExpressionReference ? new Map() : value;
}
