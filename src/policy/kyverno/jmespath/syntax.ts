// The syntax tree of a JMESPath query, with the nodes of kyverno/go-jmespath.
import type { JsonValue } from '../../../source/json/json.ts';

export type QueryComparison = '==' | '!=' | '>' | '>=' | '<' | '<=';

/** Start, stop and step of `[a:b:c]`. Undefined if omitted. */
export type SliceParts = readonly [number | undefined, number | undefined, number | undefined];

export type SyntaxNode = SyntaxForm & {
  /** Nesting depth, including this node. */
  readonly depth: number;
};

export type SyntaxForm =
  | { readonly kind: 'empty' | 'current' | 'identity' }
  | {
      readonly kind: 'comparator';
      readonly operator: QueryComparison;
      readonly left: SyntaxNode;
      readonly right: SyntaxNode;
    }
  | { readonly kind: 'reference' | 'not' | 'flatten'; readonly operand: SyntaxNode }
  | {
      readonly kind: 'call';
      /** Undefined if the text before the parenthesis cannot be a name. */
      readonly name: string | undefined;
      readonly operands: readonly SyntaxNode[];
    }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly parts: SliceParts }
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'hash'; readonly entries: readonly (readonly [string, SyntaxNode])[] }
  | { readonly kind: 'list'; readonly operands: readonly SyntaxNode[] }
  | {
      readonly kind:
        | 'or'
        | 'and'
        | 'pipe'
        | 'subexpression'
        | 'indexExpression'
        | 'projection'
        | 'valueProjection'
        | 'filter';
      readonly left: SyntaxNode;
      readonly right: SyntaxNode;
      /** For filters: the condition for an element. */
      readonly condition?: SyntaxNode;
    };

export function syntaxNode(form: SyntaxForm, ...children: readonly SyntaxNode[]): SyntaxNode {
  let depth = 1;
  for (const child of children) if (child.depth >= depth) depth = child.depth + 1;
  return { ...form, depth };
}

/** The function name from the node before a parenthesis. Kyverno also accepts a quoted string or a call. */
export function functionNameOf(node: SyntaxNode): string | undefined {
  if (node.kind === 'field' || node.kind === 'call') return node.name;
  return node.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
}
