// The factory for one macro expansion (cel-go `parser.exprHelper`).
import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  IdentExpr,
  ListExpr,
  LiteralExpr,
  MapEntry,
  MapExpr,
  SelectExpr,
  StructField,
} from './ast.ts';
import type { AstBuilder, ExprPlace } from './ast-builder.ts';
import type { ComprehensionParts, ExprFactory } from './expr-factory.ts';

const ACCUMULATOR_NAME = '@result';

interface MacroNode extends ExprPlace {
  readonly id: number;
}

export class MacroExprFactory implements ExprFactory {
  readonly accumulatorName = ACCUMULATOR_NAME;
  problem: { readonly at: Expr; readonly message: string } | undefined;
  readonly #builder: AstBuilder;
  readonly #place: ExprPlace;

  constructor(builder: AstBuilder, place: ExprPlace) {
    this.#builder = builder;
    this.#place = place;
  }

  error(at: Expr, message: string): undefined {
    this.problem ??= { at, message };
  }

  literal(value: LiteralExpr['value']): LiteralExpr {
    return { kind: 'literal', ...this.#node(), value };
  }

  ident(name: string): IdentExpr {
    return { kind: 'ident', ...this.#node(), name };
  }

  accumulator(): IdentExpr {
    return this.ident(ACCUMULATOR_NAME);
  }

  select(operand: Expr, field: string): SelectExpr {
    return { kind: 'select', ...this.#node(), operand, field, testOnly: false };
  }

  presenceTest(operand: Expr, field: string): SelectExpr {
    return { kind: 'select', ...this.#node(), operand, field, testOnly: true };
  }

  call(functionName: string, ...args: Expr[]): CallExpr {
    return { kind: 'call', ...this.#node(), function: functionName, target: undefined, args };
  }

  memberCall(functionName: string, target: Expr, ...args: Expr[]): CallExpr {
    return { kind: 'call', ...this.#node(), function: functionName, target, args };
  }

  list(...elements: Expr[]): ListExpr {
    return { kind: 'list', ...this.#node(), elements, optionalIndices: [] };
  }

  map(...entries: MapEntry[]): MapExpr {
    return { kind: 'map', ...this.#node(), entries };
  }

  mapEntry(key: Expr, value: Expr, optional = false): MapEntry {
    return { id: this.#builder.id(), offset: this.#place.offset, key, value, optional };
  }

  comprehension(parts: ComprehensionParts): ComprehensionExpr {
    return { kind: 'comprehension', ...this.#node(), ...parts, iterVar2: parts.iterVar2 };
  }

  copy(expr: Expr): Expr {
    if (this.#builder.isFull) {
      this.error(expr, 'expression is too large once its macros are expanded');
      return expr;
    }
    const id = this.#builder.id();
    switch (expr.kind) {
      case 'literal':
      case 'ident':
        return { ...expr, id };
      case 'select':
        return { ...expr, id, operand: this.copy(expr.operand) };
      case 'call': {
        const args = expr.args.map((arg) => this.copy(arg));
        return { ...expr, id, args, target: expr.target && this.copy(expr.target) };
      }
      case 'list':
        return { ...expr, id, elements: expr.elements.map((element) => this.copy(element)) };
      case 'map':
        return { ...expr, id, entries: expr.entries.map((entry) => this.#copyEntry(entry)) };
      case 'struct':
        return { ...expr, id, fields: expr.fields.map((field) => this.#copyField(field)) };
      case 'comprehension':
        return {
          ...expr,
          id,
          iterRange: this.copy(expr.iterRange),
          accuInit: this.copy(expr.accuInit),
          loopCondition: this.copy(expr.loopCondition),
          loopStep: this.copy(expr.loopStep),
          result: this.copy(expr.result),
        };
    }
  }

  /** cel-go gives copied entries the location of the macro, unlike the expressions in them. */
  #copyEntry(entry: MapEntry): MapEntry {
    const id = this.#builder.id();
    return {
      ...entry,
      id,
      offset: this.#place.offset,
      key: this.copy(entry.key),
      value: this.copy(entry.value),
    };
  }

  #copyField(field: StructField): StructField {
    const id = this.#builder.id();
    return { ...field, id, offset: this.#place.offset, value: this.copy(field.value) };
  }

  #node(): MacroNode {
    const { offset, start, end } = this.#place;
    return { id: this.#builder.id(), offset, start, end };
  }
}
