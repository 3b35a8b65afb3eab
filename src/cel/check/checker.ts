// Deduces the type of every node and resolves every name, or reports why it cannot (cel-go `checker/checker.go`).
import type { Issue, UnknownName } from '../issue/issue.ts';
import type {
  Ast,
  CallExpr,
  ComprehensionExpr,
  Expr,
  IdentExpr,
  ListExpr,
  MapExpr,
  SelectExpr,
  StructExpr,
} from '../syntax/ast.ts';
import { RESERVED_WORDS } from '../syntax/token.ts';
import { Bytes, Uint } from '../value/scalar.ts';
import type { CheckedAst, Reference } from './checked-ast.ts';
import { CROSS_TYPE_COMPARISONS } from './cross-type-comparisons.ts';
import type { Declarations, DeclaredFunction, DeclaredIdentifier } from './declarations.ts';
import { formatArguments, formatType } from './format-type.ts';
import { firstDeclared, qualifiedNameOf } from './names.ts';
import { resolveOverloads } from './overload-resolution.ts';
import { Scope } from './scope.ts';
import { isDyn, isDynOrError, mostGeneral, Substitution } from './substitution.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  struct,
  type Type,
  UINT,
} from './type.ts';
import { wellKnownMessageName } from './well-known-types.ts';

export function check(ast: Ast, declarations: Declarations): { ast: CheckedAst; issues: readonly Issue[] } {
  return new Checker(declarations).run(ast);
}

/**
 * One pass over one tree. Every `check…` method returns the node with resolved names; it returns the same node if
 * nothing was resolved. The parser's limits bound the recursion depth.
 */
class Checker {
  readonly #declarations: Declarations;
  readonly #types = new Map<number, Type>();
  readonly #references = new Map<number, Reference>();
  readonly #issues: Issue[] = [];
  readonly #substitution = new Substitution();
  #scope: Scope | undefined;
  #allowCrossTypeComparisons: boolean;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
    this.#allowCrossTypeComparisons = declarations.crossTypeNumericComparisons;
  }

  run(ast: Ast): { ast: CheckedAst; issues: readonly Issue[] } {
    const expr = this.#check(ast.expr);
    for (const [id, type] of this.#types) {
      const final = this.#substitution.apply(type, true);
      if (final !== type) this.#types.set(id, final);
    }
    if (this.#substitution.isExhausted) this.#report(expr, 'types are too large to be checked');
    const checked: CheckedAst = {
      text: ast.text,
      expr,
      macroCalls: ast.macroCalls,
      outputType: this.#typeOf(expr),
      types: this.#types,
      references: this.#references,
    };
    return { ast: checked, issues: this.#issues };
  }

  #check(expr: Expr): Expr {
    switch (expr.kind) {
      case 'literal':
        this.#types.set(expr.id, literalType(expr.value));
        return expr;
      case 'ident':
        return this.#checkIdent(expr);
      case 'select':
        return this.#checkSelect(expr);
      case 'call':
        return expr.function === '_?._' ? this.#checkOptionalSelect(expr) : this.#checkCall(expr);
      case 'list':
        return this.#checkList(expr);
      case 'map':
        return this.#checkMap(expr);
      case 'struct':
        return this.#checkStruct(expr);
      case 'comprehension':
        return this.#checkComprehension(expr);
    }
  }

  #checkIdent(expr: IdentExpr): Expr {
    const identifier = this.#findIdentifier(expr.name);
    if (identifier !== undefined) return this.#resolved(expr, identifier);
    this.#types.set(expr.id, ERROR);
    this.#reportUndeclared(expr, expr.name);
    return expr;
  }

  #checkSelect(expr: SelectExpr): Expr {
    const qualified = qualifiedNameOf(expr);
    const identifier = qualified === undefined ? undefined : this.#findIdentifier(qualified);
    if (identifier !== undefined) return this.#resolved(expr, identifier);
    const operand = this.#check(expr.operand);
    const type = this.#selectField(expr, operand, expr.field, false);
    this.#types.set(expr.id, expr.testOnly ? BOOL : this.#substitution.apply(type, false));
    return operand === expr.operand ? expr : { ...expr, operand };
  }

  /** `a.?b` is the call `_?._(a, 'b')`. */
  #checkOptionalSelect(expr: CallExpr): Expr {
    const [operand, field] = expr.args as [Expr, Expr];
    const checked = this.#check(operand);
    const name = field.kind === 'literal' && typeof field.value === 'string' ? field.value : '';
    const type = this.#selectField(expr, checked, name, true);
    this.#types.set(expr.id, this.#substitution.apply(type, false));
    this.#references.set(expr.id, functionReference(['select_optional_field']));
    return checked === operand ? expr : { ...expr, args: [checked, field] };
  }

  #selectField(at: Expr, operand: Expr, field: string, optional: boolean): Type {
    const operandType = this.#substitution.apply(this.#typeOf(operand), false);
    const { type: target, unwrapped } = unwrapOptional(operandType);
    const type = this.#fieldType(at, target, field);
    return unwrapped || optional ? optionalOf(type) : type;
  }

  #fieldType(at: Expr, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.parameters[1] as Type;
      case 'struct':
        return this.#findField(at.offset, target.name, field) ?? ERROR;
      case 'param':
        // Field access makes the parameter dynamic, regardless of later bindings.
        this.#substitution.assign(DYN, target);
        return DYN;
      default:
        if (!isDynOrError(target)) {
          this.#report(at, `type '${formatType(target)}' does not support field selection`);
        }
        return DYN;
    }
  }

  #findField(offset: number, structName: string, field: string): Type | undefined {
    const { types, keywordFieldNames } = this.#declarations;
    if (types.findStruct(structName) === undefined) {
      this.#reportAt(offset, `unexpected failed resolution of '${structName}'`);
      return undefined;
    }
    const owner = struct(structName);
    const type = types.findField(owner, field);
    if (type !== undefined) return type;
    const escaped = keywordFieldNames && RESERVED_WORDS.has(field) ? types.findField(owner, `__${field}__`) : undefined;
    if (escaped === undefined) {
      const known = types.fieldNames(owner) ?? [];
      this.#reportAt(offset, `undefined field '${field}'`, { what: 'field', name: field, known });
    }
    return escaped;
  }

  #checkCall(expr: CallExpr): Expr {
    const args = this.#checkAll(expr.args);
    if (expr.target === undefined) {
      const declared = this.#findFunction(expr.function);
      if (declared !== undefined) return this.#resolveCall(expr, declared, undefined, args);
      this.#types.set(expr.id, ERROR);
      this.#reportUndeclared(expr, expr.function);
      return { ...expr, args };
    }
    // `a.b.c(x)` calls the function `a.b.c` if it exists, otherwise the method `c` of `a.b`.
    const prefix = qualifiedNameOf(expr.target);
    const namespaced = prefix === undefined ? undefined : this.#findFunction(`${prefix}.${expr.function}`);
    if (namespaced !== undefined) return this.#resolveCall(expr, namespaced, undefined, args);
    const target = this.#check(expr.target);
    const method = this.#findFunction(expr.function);
    if (method !== undefined) return this.#resolveCall(expr, method, target, args);
    this.#types.set(expr.id, ERROR);
    this.#reportUndeclared(expr, expr.function);
    return { ...expr, target, args };
  }

  #resolveCall(expr: CallExpr, declared: DeclaredFunction, target: Expr | undefined, args: readonly Expr[]): Expr {
    const isConnective = declared.name === '_&&_' || declared.name === '_||_';
    const type = isConnective
      ? this.#resolveConnective(expr, declared, args)
      : this.#resolveOverloads(expr, declared, target, args);
    this.#types.set(expr.id, type);
    if (declared.name === expr.function && target === expr.target && args === expr.args) return expr;
    return { ...expr, function: declared.name, target, args };
  }

  #resolveConnective(expr: CallExpr, declared: DeclaredFunction, args: readonly Expr[]): Type {
    let type = BOOL;
    for (const arg of args) {
      const argType = this.#typeOf(arg);
      if (this.#substitution.assign(argType, BOOL)) continue;
      this.#reportMismatch(arg, BOOL, argType);
      type = ERROR;
    }
    if (type !== ERROR) {
      this.#references.set(expr.id, functionReference(declared.overloads.slice(0, 1).map((overload) => overload.id)));
    }
    return type;
  }

  #resolveOverloads(expr: CallExpr, declared: DeclaredFunction, target: Expr | undefined, args: readonly Expr[]): Type {
    const argTypes = args.map((arg) => this.#typeOf(arg));
    if (target !== undefined) argTypes.unshift(this.#typeOf(target));
    const overloads = declared.overloads.filter(
      ({ id, receiverStyle }) =>
        receiverStyle === (target !== undefined) &&
        (this.#allowCrossTypeComparisons || !CROSS_TYPE_COMPARISONS.has(id)),
    );
    const resolution = resolveOverloads(overloads, argTypes, this.#substitution);
    if (resolution !== undefined) {
      this.#references.set(expr.id, functionReference(resolution.overloadIds));
      return resolution.type;
    }
    const shown = argTypes.map((argType) => this.#substitution.apply(argType, true));
    const applied = formatArguments(shown, target !== undefined);
    this.#report(expr, `found no matching overload for '${declared.name}' applied to '${applied}'`);
    return ERROR;
  }

  #checkList(expr: ListExpr): Expr {
    const elements = this.#checkAll(expr.elements);
    const optional = new Set(expr.optionalIndices);
    let type: Type | undefined;
    for (const [index, element] of elements.entries()) {
      let elementType = this.#typeOf(element);
      if (optional.has(index)) elementType = this.#optionalValue(element, elementType);
      type = this.#join(element, type, elementType);
    }
    this.#types.set(expr.id, listOf(type ?? this.#substitution.freshParameter()));
    return elements === expr.elements ? expr : { ...expr, elements };
  }

  #checkMap(expr: MapExpr): Expr {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    let changed = false;
    const entries = expr.entries.map((entry) => {
      const key = this.#check(entry.key);
      keyType = this.#join(key, keyType, this.#typeOf(key));
      const value = this.#check(entry.value);
      let type = this.#typeOf(value);
      if (entry.optional) type = this.#optionalValue(value, type);
      valueType = this.#join(value, valueType, type);
      if (key === entry.key && value === entry.value) return entry;
      changed = true;
      return { ...entry, key, value };
    });
    keyType ??= this.#substitution.freshParameter();
    valueType ??= this.#substitution.freshParameter();
    this.#types.set(expr.id, mapOf(keyType, valueType));
    return changed ? { ...expr, entries } : expr;
  }

  #checkStruct(expr: StructExpr): Expr {
    const identifier = this.#findIdentifier(expr.typeName);
    if (identifier === undefined) {
      this.#reportUndeclared(expr, expr.typeName);
      this.#types.set(expr.id, ERROR);
      return expr;
    }
    this.#references.set(expr.id, { name: identifier.name, overloadIds: [] });
    const { type, messageName } = this.#messageType(expr, identifier);
    this.#types.set(expr.id, type);
    const fields = expr.fields.map((field) => {
      const value = this.#check(field.value);
      const fieldType = this.#findField(field.offset, messageName, field.name) ?? ERROR;
      let valueType = this.#typeOf(value);
      if (field.optional) valueType = this.#optionalValue(value, valueType);
      if (!this.#substitution.assign(fieldType, valueType)) {
        const wanted = `expected type of field '${field.name}' is '${formatType(fieldType)}'`;
        this.#reportAt(field.offset, `${wanted} but provided type is '${formatType(valueType)}'`);
      }
      return value === field.value ? field : { ...field, value };
    });
    return { ...expr, typeName: identifier.name, fields };
  }

  #messageType(expr: StructExpr, identifier: DeclaredIdentifier): { type: Type; messageName: string } {
    const unknown = { type: ERROR, messageName: identifier.name };
    if (identifier.type.kind === 'error') return unknown;
    if (identifier.type.kind !== 'type') {
      this.#report(expr, `'${declaredName(identifier.type)}' is not a type`);
      return unknown;
    }
    const type = identifier.type.parameters[0] ?? ERROR;
    const wellKnown = wellKnownMessageName(type);
    if (wellKnown !== undefined) return { type, messageName: wellKnown };
    if (type.kind === 'struct') return { type, messageName: type.name };
    this.#report(expr, `'${declaredName(type)}' is not a message type`);
    return unknown;
  }

  #checkComprehension(expr: ComprehensionExpr): Expr {
    const iterRange = this.#check(expr.iterRange);
    const accuInit = this.#check(expr.accuInit);
    const accuType = this.#typeOf(accuInit);
    const outer = this.#scope;
    const accuScope = new Scope(outer, [[expr.accuVar, accuType]]);
    this.#scope = new Scope(accuScope, this.#iterationVariables(expr, iterRange));
    // cel-go loses its overload filter when it enters the first scope.
    this.#allowCrossTypeComparisons = true;
    const loopCondition = this.#check(expr.loopCondition);
    this.#assertType(loopCondition, BOOL);
    const loopStep = this.#check(expr.loopStep);
    this.#assertType(loopStep, accuType);
    this.#scope = accuScope;
    const result = this.#check(expr.result);
    this.#scope = outer;
    this.#types.set(expr.id, this.#substitution.apply(this.#typeOf(result), false));
    return { ...expr, iterRange, accuInit, loopCondition, loopStep, result };
  }

  #iterationVariables(expr: ComprehensionExpr, iterRange: Expr): [string, Type][] {
    const rangeType = this.#substitution.apply(this.#typeOf(iterRange), false);
    const [first, second] = this.#iterationTypes(iterRange, rangeType);
    if (expr.iterVar2 === undefined) {
      return [[expr.iterVar, rangeType.kind === 'list' ? second : first]];
    }
    return [
      [expr.iterVar, first],
      [expr.iterVar2, second],
    ];
  }

  /** Types of index and element, or key and value. */
  #iterationTypes(iterRange: Expr, rangeType: Type): [Type, Type] {
    switch (rangeType.kind) {
      case 'list':
        return [INT, rangeType.parameters[0] as Type];
      case 'map':
        return [rangeType.parameters[0] as Type, rangeType.parameters[1] as Type];
      case 'dyn':
      case 'error':
      case 'param':
        this.#substitution.assign(DYN, rangeType);
        return [DYN, DYN];
      default:
        this.#report(
          iterRange,
          `expression of type '${formatType(rangeType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }

  #checkAll(exprs: readonly Expr[]): readonly Expr[] {
    let checked: Expr[] | undefined;
    for (let index = 0; index < exprs.length; index++) {
      const expr = exprs[index] as Expr;
      const resolved = this.#check(expr);
      if (resolved === expr) continue;
      checked ??= [...exprs];
      checked[index] = resolved;
    }
    return checked ?? exprs;
  }

  /** The most general type of both. If they do not unify: `dyn`, or a problem. */
  #join(at: Expr, previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    if (this.#substitution.assign(previous, current)) return mostGeneral(previous, current);
    if (!this.#declarations.homogeneousAggregateLiterals) return DYN;
    this.#reportMismatch(at, previous, current);
    return ERROR;
  }

  /** The type that `?x` adds to a literal: the type inside the optional `x`. */
  #optionalValue(at: Expr, type: Type): Type {
    const { type: value, unwrapped } = unwrapOptional(type);
    if (!unwrapped && !isDyn(value)) this.#reportMismatch(at, optionalOf(value), value);
    return value;
  }

  #assertType(expr: Expr, wanted: Type): void {
    const found = this.#typeOf(expr);
    if (!this.#substitution.assign(wanted, found)) this.#reportMismatch(expr, wanted, found);
  }

  #resolved(expr: IdentExpr | SelectExpr, identifier: DeclaredIdentifier): Expr {
    const { name, type, value } = identifier;
    this.#types.set(expr.id, type);
    this.#references.set(expr.id, value === undefined ? { name, overloadIds: [] } : { name, overloadIds: [], value });
    if (expr.kind === 'ident' && expr.name === name) return expr;
    return { kind: 'ident', id: expr.id, offset: expr.offset, start: expr.start, end: expr.end, name };
  }

  #findIdentifier(written: string): DeclaredIdentifier | undefined {
    return firstDeclared(this.#declarations.container, written, (name) => {
      const type = this.#scope?.find(name);
      return type === undefined ? this.#declarations.declaredIdentifier(name) : { name, type };
    });
  }

  #findFunction(written: string): DeclaredFunction | undefined {
    return firstDeclared(this.#declarations.container, written, (name) => this.#declarations.declaredFunction(name));
  }

  #typeOf(expr: Expr): Type {
    return this.#types.get(expr.id) ?? ERROR;
  }

  #report(at: Expr, message: string, unknown?: UnknownName): void {
    this.#issues.push({ kind: 'check', message, offset: at.offset, end: at.end, ...(unknown && { unknown }) });
  }

  #reportAt(offset: number, message: string, unknown?: UnknownName): void {
    this.#issues.push({ kind: 'check', message, offset, ...(unknown && { unknown }) });
  }

  #reportUndeclared(at: Expr, name: string): void {
    const message = `undeclared reference to '${name}' (in container '${this.#declarations.container}')`;
    const what = at.kind === 'call' ? 'function' : 'variable';
    this.#report(at, message, { what, name, known: [] });
  }

  #reportMismatch(at: Expr, wanted: Type, found: Type): void {
    this.#report(at, `expected type '${formatType(wanted)}' but found '${formatType(found)}'`);
  }
}

function functionReference(overloadIds: readonly string[]): Reference {
  return { name: '', overloadIds };
}

function unwrapOptional(type: Type): { type: Type; unwrapped: boolean } {
  if (type.kind !== 'opaque' || type.name !== 'optional_type') return { type, unwrapped: false };
  return { type: type.parameters[0] as Type, unwrapped: true };
}

/** cel-go `Type.DeclaredTypeName`. */
function declaredName(type: Type): string {
  return type.nullable ? `wrapper(${type.name})` : type.name;
}

function literalType(value: null | boolean | bigint | number | string | Uint | Bytes): Type {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
      if (value instanceof Uint) return UINT;
      return value instanceof Bytes ? BYTES : NULL;
  }
}
