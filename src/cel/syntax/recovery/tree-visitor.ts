// Finds reserved words, invalid literals and misused macros in the tree of an invalid text (cel-go `parser/parser.go`).
import type { Expr, MapEntry, StructField } from '../ast.ts';
import type { AstBuilder, ExprPlace } from '../ast-builder.ts';
import { LogicalChain } from '../logical-chain.ts';
import { BINARY_OPERATORS } from '../operator.ts';
import { RESERVED_WORDS } from '../token.ts';
import type { SyntaxOptions } from '../well-formed-parser.ts';
import type { TreeNode, TreeToken } from './tree.ts';

/** Ids and locations matter only for messages: the resulting tree is discarded. */
export class TreeVisitor {
  readonly #builder: AstBuilder;
  readonly #options: SyntaxOptions;
  #depth = 0;
  /** Number of problems found before the nesting limit was exceeded; later ones are ignored. Undefined otherwise. */
  issuesBeforeTooDeep: number | undefined;

  constructor(builder: AstBuilder, options: SyntaxOptions) {
    this.#builder = builder;
    this.#options = options;
  }

  visit(start: TreeNode | undefined): Expr {
    const node = unnest(start);
    if (node === undefined || this.issuesBeforeTooDeep !== undefined) return this.#nothing();
    switch (node.name) {
      case '':
        return node.rule === 'expr' ? this.#nested(() => this.#visitConditional(node)) : this.#visitUnnamed(node);
      case 'Relation':
      case 'Calc':
        return this.#nested(() => this.#visitBinary(node));
      case 'Select':
        return this.#nested(() => this.#visitSelect(node));
      case 'MemberCall':
        return this.#nested(() => this.#visitMemberCall(node));
      case 'Index':
        return this.#nested(() => this.#visitIndex(node));
      case 'LogicalNot':
        return this.#visitSign(node, '!_');
      case 'Negate':
        return this.#visitSign(node, '-_');
      case 'Ident':
      case 'GlobalCall':
        return this.#visitName(node);
      case 'CreateList':
        return this.#visitList(node);
      case 'CreateStruct':
        return this.#visitMap(node);
      case 'CreateMessage':
        return this.#visitMessage(node);
      default:
        return this.#visitLiteral(node);
    }
  }

  #nested(visit: () => Expr): Expr {
    if (++this.#depth > this.#options.limits.recursionDepth) {
      this.issuesBeforeTooDeep ??= this.#builder.issues.length;
      return this.#nothing();
    }
    const expr = visit();
    this.#depth--;
    return expr;
  }

  /** Logical chains, and rules that failed before an alternative was chosen. */
  #visitUnnamed(node: TreeNode): Expr {
    if (node.rule === 'conditionalOr') return this.#visitLogical(node, '_||_');
    if (node.rule === 'conditionalAnd') return this.#visitLogical(node, '_&&_');
    return node.rule === 'unary' ? this.#builder.string('<<error>>', placeOf(node.start)) : this.#nothing();
  }

  #visitConditional(node: TreeNode): Expr {
    const condition = this.visit(node.node('e'));
    const operator = node.token('op') as TreeToken;
    const id = this.#builder.id();
    const branches = [condition, this.visit(node.node('e1')), this.visit(node.node('e2'))];
    return this.#builder.call(id, '_?_:_', undefined, branches, placeOf(operator));
  }

  #visitLogical(node: TreeNode, name: string): Expr {
    const chain = new LogicalChain(name, this.visit(node.node('e')), 0, 0);
    for (const [index, operator] of node.tokens('ops').entries()) {
      const term = this.visit(node.nodes('e1')[index]);
      chain.add(this.#builder.id(), operator.offset, term, 0, 0);
    }
    return chain.tree();
  }

  #visitBinary(node: TreeNode): Expr {
    const operator = node.token('op') as TreeToken;
    const left = this.visit(node.child(node.rule, 0));
    const id = this.#builder.id();
    const right = this.visit(node.child(node.rule, 1));
    const name = BINARY_OPERATORS[operator.type] as string;
    return this.#builder.call(id, name, undefined, [left, right], placeOf(operator));
  }

  #visitSign(node: TreeNode, name: string): Expr {
    const [operator, ...rest] = node.tokens('ops');
    if (operator === undefined || rest.length % 2 === 1) return this.visit(node.child('member'));
    const id = this.#builder.id();
    return this.#builder.call(id, name, undefined, [this.visit(node.child('member'))], placeOf(operator));
  }

  #visitSelect(node: TreeNode): Expr {
    const operand = this.visit(node.child('member'));
    const dot = node.token('op');
    const name = node.node('id');
    if (dot === undefined || name === undefined) return this.#nothing();
    const field = this.#fieldName(name, name) ?? '';
    const place = placeOf(dot);
    if (node.token('opt') !== undefined) {
      if (!this.#options.optionalSyntax) return this.#builder.fault(place, "unsupported syntax '.?'");
      const key = this.#builder.string(field, placeOf(name.start));
      return this.#builder.call(this.#builder.id(), '_?._', undefined, [operand, key], place);
    }
    return { kind: 'select', id: this.#builder.id(), ...place, operand, field, testOnly: false };
  }

  #visitMemberCall(node: TreeNode): Expr {
    const operand = this.visit(node.child('member'));
    const name = node.token('id');
    const open = node.token('open');
    if (name === undefined || open === undefined) return this.#nothing();
    const id = this.#builder.id();
    return this.#builder.call(id, name.text, operand, this.#arguments(node), placeOf(open));
  }

  #visitIndex(node: TreeNode): Expr {
    const operand = this.visit(node.child('member'));
    const open = node.token('op');
    if (open === undefined) return this.#nothing();
    const id = this.#builder.id();
    const index = this.visit(node.node('index'));
    const optional = node.token('opt') !== undefined;
    if (optional && !this.#options.optionalSyntax) return this.#builder.fault(placeOf(open), "unsupported syntax '[?'");
    return this.#builder.call(id, optional ? '_[?_]' : '_[_]', undefined, [operand, index], placeOf(open));
  }

  #visitName(node: TreeNode): Expr {
    const name = node.token('id');
    if (name === undefined) return this.#nothing();
    if (RESERVED_WORDS.has(name.text)) {
      return this.#builder.fault(placeOf(node.start), `reserved identifier: ${name.text}`);
    }
    const text = node.token('leadingDot') === undefined ? name.text : `.${name.text}`;
    if (node.name === 'Ident') return this.#builder.ident(text, placeOf(name));
    const open = node.token('op') ?? name;
    const id = this.#builder.id();
    return this.#builder.call(id, text, undefined, this.#arguments(node), placeOf(open));
  }

  #arguments(node: TreeNode): Expr[] {
    return (
      node
        .node('args')
        ?.nodes('e')
        .map((arg) => this.visit(arg)) ?? []
    );
  }

  #visitList(node: TreeNode): Expr {
    const id = this.#builder.id();
    const optionalIndices: number[] = [];
    const items = node.node('elems')?.nodes('elems') ?? [];
    const elements = items.map((item, index) => {
      const element = this.visit(item.node('e'));
      const mark = item.token('opt');
      if (mark !== undefined && this.#allowsOptional(mark)) optionalIndices.push(index);
      return element;
    });
    return { kind: 'list', id, ...placeOf(node.start), elements, optionalIndices };
  }

  #visitMap(node: TreeNode): Expr {
    const id = this.#builder.id();
    const list = node.node('entries');
    const entries: MapEntry[] = [];
    for (const [index, colon] of (list?.tokens('cols') ?? []).entries()) {
      const entryId = this.#builder.id();
      const key = list?.nodes('keys')[index];
      const value = list?.nodes('values')[index];
      if (key === undefined || value === undefined) break;
      const optional = key.token('opt') !== undefined;
      if (optional && !this.#allowsOptional(key.start)) continue;
      entries.push({
        id: entryId,
        offset: colon.offset,
        key: this.visit(key.node('e')),
        value: this.visit(value),
        optional,
      });
    }
    return { kind: 'map', id, ...placeOf(node.start), entries };
  }

  #visitMessage(node: TreeNode): Expr {
    const names = node.tokens('ids').map((token) => token.text);
    const typeName = `${node.token('leadingDot') === undefined ? '' : '.'}${names.join('.')}`;
    const id = this.#builder.id();
    const list = node.node('entries');
    const fields = list === undefined ? [] : this.#fields(list);
    return { kind: 'struct', id, ...placeOf(node.token('op') ?? node.start), typeName, fields };
  }

  #fields(list: TreeNode): StructField[] {
    const fields: StructField[] = [];
    for (const [index, field] of list.nodes('fields').entries()) {
      const colon = list.tokens('cols')[index];
      const value = list.nodes('values')[index];
      if (colon === undefined || value === undefined) break;
      const id = this.#builder.id();
      const optional = field.token('opt') !== undefined;
      if (optional && !this.#allowsOptional(field.start)) continue;
      const name = this.#fieldName(field.child('escapeIdent'), list);
      if (name === undefined) continue;
      fields.push({ id, offset: colon.offset, name, value: this.visit(value), optional });
    }
    return fields;
  }

  #visitLiteral(node: TreeNode): Expr {
    const token = node.token('tok');
    const negative = node.token('sign') !== undefined;
    if (token === undefined) return this.#nothing();
    return this.#builder.literal(token.type, token.text, negative, placeOf(node.start));
  }

  #fieldName(name: TreeNode | undefined, at: TreeNode): string | undefined {
    const text = name?.token('id')?.text;
    if (name?.name === 'SimpleIdentifier') return text;
    const isEscaped = name?.name === 'EscapedIdentifier';
    if (isEscaped && this.#options.escapedIdentifiers) return text?.slice(1, -1);
    this.#builder.fault(placeOf(at.start), isEscaped ? "unsupported syntax: '`'" : 'unsupported ident kind');
    return undefined;
  }

  #allowsOptional(mark: TreeToken): boolean {
    if (!this.#options.optionalSyntax) this.#builder.fault(placeOf(mark), "unsupported syntax '?'");
    return this.#options.optionalSyntax;
  }

  #nothing(): Expr {
    return this.#builder.nothing({ offset: -1, start: 0, end: 0 });
  }
}

/** Descends to the first significant node; most nodes only wrap another one. */
function unnest(start: TreeNode | undefined): TreeNode | undefined {
  let node = start;
  for (;;) {
    const inner = node && passedOn(node);
    if (inner === undefined) return node;
    node = inner.node;
  }
}

/** The content of a wrapper node, which may be missing; undefined if the node itself is significant. */
function passedOn(node: TreeNode): { readonly node: TreeNode | undefined } | undefined {
  switch (node.rule) {
    case 'start':
      return { node: node.child('expr') };
    case 'expr':
      return node.token('op') === undefined ? { node: node.node('e') } : undefined;
    case 'conditionalOr':
    case 'conditionalAnd':
      return node.tokens('ops').length === 0 ? { node: node.node('e') } : undefined;
    case 'relation':
      return node.token('op') === undefined ? { node: node.child('calc') } : undefined;
    case 'calc':
      return node.token('op') === undefined ? { node: node.child('unary') } : undefined;
    default:
      break;
  }
  switch (node.name) {
    case 'MemberExpr':
      return { node: node.child('member') };
    case 'PrimaryExpr':
      return { node: node.child('primary') };
    case 'Nested':
      return { node: node.node('e') };
    case 'ConstantLiteral':
      return { node: node.child('literal') };
    default:
      return undefined;
  }
}

function placeOf(token: TreeToken): ExprPlace {
  return { offset: token.offset, start: token.offset, end: token.offset };
}
