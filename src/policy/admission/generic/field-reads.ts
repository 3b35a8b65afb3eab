// Fields of the request's objects that a policy's expressions may read. Static analysis that never reports too few.
import type { Expr } from '../../../cel/syntax/ast.ts';
import { forEachChild, visitPostOrder } from '../../../cel/syntax/children.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import type { PlacedExpression } from './admission-policy.ts';
import { variableReferences } from './lint/variable-references.ts';

/** A field that is read completely, or only tested for presence. */
interface FieldRead {
  readonly path: readonly string[];
  readonly isTest: boolean;
  /** The list in the policy that holds the expression, and its index there. */
  readonly list: string;
  readonly index: number;
}

/** Most objects have the same fields. Equal lists of paths share one array. */
export class SharedPaths {
  readonly #known = new Map<string, readonly FieldPath[]>();

  share(paths: readonly FieldPath[]): readonly FieldPath[] {
    let key = '';
    for (const path of paths) key += `${path.join('/')} `;
    const known = this.#known.get(key) ?? paths;
    this.#known.set(key, known);
    return known;
  }
}

export class FieldReads {
  readonly reads: readonly FieldRead[];
  /** Fields of the policy whose expressions use variables. */
  readonly #usingVariables: ReadonlySet<string>;
  /** Names of all fields selected anywhere. */
  readonly #names: ReadonlySet<string>;
  readonly #among = new Map<readonly FieldPath[], readonly FieldPath[]>();

  constructor(expressions: readonly PlacedExpression[]) {
    this.#usingVariables = new Set(
      expressions.flatMap(({ path, compiled: { ast } }) =>
        ast !== undefined && variableReferences(ast.expr)?.size !== 0 ? [formatFieldPath(path)] : [],
      ),
    );
    this.#names = new Set(expressions.flatMap(({ compiled: { ast } }) => (ast === undefined ? [] : namesIn(ast.expr))));
    this.reads = expressions.flatMap(({ path: [, list, index], compiled: { ast } }) =>
      ast === undefined
        ? []
        : readsIn(ast.expr).map(({ path, isTest }) => ({ path, isTest, list: String(list), index: Number(index) })),
    );
  }

  /** The paths that may be read. Cached by list identity (`SharedPaths`). */
  among(paths: readonly FieldPath[]): readonly FieldPath[] {
    let read = this.#among.get(paths);
    if (read === undefined) {
      read = paths.filter((path) => this.mayRead(path));
      this.#among.set(paths, read);
    }
    return read;
  }

  /** `path` starts at the object. True if the field, a field inside it or a value around it may be read. */
  mayRead(path: FieldPath): boolean {
    return this.reads.some((read) => concerns(read, path));
  }

  /** The same for one expression, with the variables it may use and all match conditions. */
  ruleMayRead(rule: FieldPath, path: FieldPath): boolean {
    const lists = ['matchConditions', ...(this.#usingVariables.has(formatFieldPath(rule)) ? ['variables'] : [])];
    const isItself = ({ list, index }: FieldRead): boolean => list === rule[1] && index === rule[2];
    return this.reads.some((read) => concerns(read, path) && (lists.includes(read.list) || isItself(read)));
  }

  /** True if an expression may read the field itself or a field inside it, not only a value around it. */
  looksInto(path: FieldPath): boolean {
    return this.reads.some((read) => this.#isInto(read, path));
  }

  /** An expression may pass on the value around the field and select the field later. */
  #isInto({ path: read, isTest }: FieldRead, path: FieldPath): boolean {
    if (startsWith(read, path)) return true;
    return !isTest && startsWith(path, read) && path.slice(read.length).every((step) => this.#names.has(String(step)));
  }
}

function namesIn(root: Expr): readonly string[] {
  const names: string[] = [];
  visitPostOrder(root, (expr) => {
    if (expr.kind === 'select') names.push(expr.field);
    else if (expr.kind === 'literal' && typeof expr.value === 'string') names.push(expr.value);
  });
  return names;
}

function concerns({ path: read, isTest }: FieldRead, path: FieldPath): boolean {
  return startsWith(read, path) || (startsWith(path, read) && !isTest);
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  if (start.length > path.length) return false;
  for (let index = 0; index < start.length; index++) if (start[index] !== path[index]) return false;
  return true;
}

function readsIn(root: Expr): readonly Pick<FieldRead, 'path' | 'isTest'>[] {
  const reads: Pick<FieldRead, 'path' | 'isTest'>[] = [];
  const pending = [root];
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    const tested = comparedWithNull(expr);
    const path = pathOf(tested ?? expr);
    if (path === undefined) forEachChild(expr, (child) => pending.push(child));
    else reads.push({ path, isTest: tested !== undefined || (expr.kind === 'select' && expr.testOnly) });
  }
  return reads;
}

/** `object == null` tests for presence and reads no field. */
function comparedWithNull(expr: Expr): Expr | undefined {
  if (expr.kind !== 'call' || (expr.function !== '_==_' && expr.function !== '_!=_')) return undefined;
  const isNull = (side: Expr | undefined): boolean => side?.kind === 'literal' && side.value === null;
  const [left, right] = expr.args;
  if (isNull(right)) return left;
  return isNull(left) ? right : undefined;
}

/** Path of `object.a.b`, `object['a'].?b` and similar. Undefined for other expressions. */
function pathOf(expr: Expr): readonly string[] | undefined {
  const steps: string[] = [];
  let node = expr;
  for (;;) {
    const step = stepOf(node);
    if (step === undefined) break;
    steps.unshift(step.field);
    node = step.operand;
  }
  if (node.kind !== 'ident') return undefined;
  const name = node.name.replace(/^\./, '');
  if (name === 'object' || name === 'oldObject') return steps;
  // `request.name` is the object's name.
  return name === 'request' && steps[0] === 'name' ? ['metadata', 'name'] : undefined;
}

const SELECTIONS: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

function stepOf(node: Expr): { readonly operand: Expr; readonly field: string } | undefined {
  if (node.kind === 'select') return node;
  if (node.kind !== 'call' || !SELECTIONS.has(node.function)) return undefined;
  const [operand, key] = node.args;
  if (operand === undefined || key?.kind !== 'literal' || typeof key.value !== 'string') return undefined;
  return { operand, field: key.value };
}
