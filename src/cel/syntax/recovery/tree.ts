// The concrete syntax tree of a text that may be invalid; parts can be missing.
import type { State } from './automaton.ts';
import type { Context, ContextPool } from './context.ts';
import type { Rule } from './grammar.ts';

export interface TreeToken {
  readonly type: number;
  readonly text: string;
  /** Code-point offset. */
  readonly offset: number;
  /** Index among all tokens, including hidden ones; -1 for an inserted token. */
  readonly index: number;
}

export class TreeNode {
  readonly rule: Rule;
  /** Undefined for the root. */
  readonly parent: TreeNode | undefined;
  /** The state after the call that created this node. */
  readonly follow: State | undefined;
  readonly start: TreeToken;
  /** Name of the chosen alternative; empty before the choice. */
  name = '';
  readonly children: TreeNode[] = [];
  readonly #tokens = new Map<string, TreeToken[]>();
  readonly #nodes = new Map<string, TreeNode[]>();
  context: Context | undefined;

  constructor(rule: Rule, parent: TreeNode | undefined, follow: State | undefined, start: TreeToken) {
    this.rule = rule;
    this.parent = parent;
    this.follow = follow;
    this.start = start;
  }

  addToken(label: string, token: TreeToken): void {
    const tokens = this.#tokens.get(label);
    if (tokens === undefined) this.#tokens.set(label, [token]);
    else tokens.push(token);
  }

  addNode(label: string, node: TreeNode): void {
    const nodes = this.#nodes.get(label);
    if (nodes === undefined) this.#nodes.set(label, [node]);
    else nodes.push(node);
  }

  token(label: string): TreeToken | undefined {
    return this.#tokens.get(label)?.[0];
  }

  tokens(label: string): readonly TreeToken[] {
    return this.#tokens.get(label) ?? [];
  }

  node(label: string): TreeNode | undefined {
    return this.#nodes.get(label)?.[0];
  }

  nodes(label: string): readonly TreeNode[] {
    return this.#nodes.get(label) ?? [];
  }

  child(rule: Rule, index = 0): TreeNode | undefined {
    return this.children.filter((child) => child.rule === rule)[index];
  }
}

/** The rule calls around a node, outermost last. */
export function contextOf(node: TreeNode, pool: ContextPool): Context {
  const path: TreeNode[] = [];
  let at: TreeNode | undefined = node;
  while (at !== undefined && at.context === undefined) {
    path.push(at);
    at = at.parent;
  }
  let context = at?.context ?? pool.empty;
  for (const open of path.reverse()) {
    if (open.follow !== undefined) context = pool.push(context, open.follow);
    open.context = context;
  }
  return context;
}
