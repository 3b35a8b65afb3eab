// Which fields of the request's objects the expressions of a policy may look at: told from their text, never too few.
import type { Expr } from '../../../cel/syntax/ast.ts';
import { forEachChild, visitPostOrder } from '../../../cel/syntax/children.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import type { PlacedExpression } from './admission-policy.ts';
import { variableReferences } from './lint/variable-references.ts';

/** A field that is read with everything in it, or only asked for. */
interface FieldRead {
  readonly path: readonly string[];
  readonly isTest: boolean;
  /** The list of the policy that the expression stands in, and which of them it is. */
  readonly list: string;
  readonly index: number;
}

/** Most objects have the same fields: equal lists of paths become one. */
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
  /** The fields of the policy with expressions that look at variables. */
  readonly #usingVariables: ReadonlySet<string>;
  /** Of all fields that are selected, wherever. */
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

  /** Those of `paths` that may be read; a list that comes again (`SharedPaths`) is answered from memory. */
  among(paths: readonly FieldPath[]): readonly FieldPath[] {
    let read = this.#among.get(paths);
    if (read === undefined) {
      read = paths.filter((path) => this.mayRead(path));
      this.#among.set(paths, read);
    }
    return read;
  }

  /** `path` starts at the object; true where the field, something in it or something around it is read as a value. */
  mayRead(path: FieldPath): boolean {
    return this.reads.some((read) => concerns(read, path));
  }

  /** The same of one expression, the variables it may look at and the conditions before it. */
  ruleMayRead(rule: FieldPath, path: FieldPath): boolean {
    const lists = ['matchConditions', ...(this.#usingVariables.has(formatFieldPath(rule)) ? ['variables'] : [])];
    const isItself = ({ list, index }: FieldRead): boolean => list === rule[1] && index === rule[2];
    return this.reads.some((read) => concerns(read, path) && (lists.includes(read.list) || isItself(read)));
  }

  /** Whether some expression looks at the field itself or at something in it, not just at what is around it. */
  looksInto(path: FieldPath): boolean {
    return this.reads.some((read) => this.#isInto(read, path));
  }

  /** The same of one expression and the variables it may look at. */
  ruleLooksInto(rule: FieldPath, path: FieldPath): boolean {
    const usesVariables = this.#usingVariables.has(formatFieldPath(rule));
    return this.reads.some(
      (read) =>
        this.#isInto(read, path) &&
        ((usesVariables && read.list === 'variables') || (read.list === rule[1] && read.index === rule[2])),
    );
  }

  /** What holds the field may be taken elsewhere, and the field selected there. */
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

/** `object == null` asks whether there is one, not what is in it. */
function comparedWithNull(expr: Expr): Expr | undefined {
  if (expr.kind !== 'call' || (expr.function !== '_==_' && expr.function !== '_!=_')) return undefined;
  const isNull = (side: Expr | undefined): boolean => side?.kind === 'literal' && side.value === null;
  const [left, right] = expr.args;
  if (isNull(right)) return left;
  return isNull(left) ? right : undefined;
}

/** Of `object.a.b`, `object['a'].?b` and the like; undefined for any other expression. */
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
  // `request.name` is the object's.
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
