// Policies that admit an object only because of the user that Preadmit assumes.
import type { Expr } from '../../../cel/syntax/ast.ts';
import { visitPostOrder } from '../../../cel/syntax/children.ts';
import type { UserInfo } from '../../../kubernetes/request/admission-request.ts';
import type { AdmissionPolicy, PlacedExpression } from './admission-policy.ts';

/** Which expressions of a policy may depend on the user. Static analysis that never reports too few. */
export class UserReads {
  readonly #texts: ReadonlySet<string>;
  readonly #lists: ReadonlySet<string>;

  constructor(expressions: readonly PlacedExpression[]) {
    const texts = new Set<string>();
    const lists = new Set<string>();
    for (const { path, compiled } of expressions) {
      if (compiled.ast === undefined || !readsUser(compiled.ast.expr)) continue;
      lists.add(String(path[1]));
      collectTexts(compiled.ast.expr, texts);
    }
    this.#lists = lists;
    this.#texts = texts;
  }

  /** True if the policy may skip or admit a request because of its user. Variables count for both. */
  mayDecide(outcome: 'skip' | 'admit'): boolean {
    if (this.#lists.size === 0) return false;
    return this.#lists.has('variables') || this.#lists.has(outcome === 'skip' ? 'matchConditions' : 'validations');
  }

  /** True if the policy names this user, its service account's namespace or its group, so that its author decided about it. */
  names({ username }: UserInfo): boolean {
    const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(username) ?? [];
    if (this.#texts.has(username)) return true;
    if (namespace === undefined) return false;
    const account = `system:serviceaccount:${namespace}:`;
    const isOfNamespace = (text: string): boolean => text.startsWith(account) && username.startsWith(text);
    return this.#texts.has(`system:serviceaccounts:${namespace}`) || [...this.#texts].some(isOfNamespace);
  }
}

/** For a policy that admits an object, but may reject it for other users. */
export function assumedUser({ name }: AdmissionPolicy, { username }: UserInfo): string {
  return `${name} admits some objects only because of the assumed user ${username}; set \`user\` to the user that applies the manifests`;
}

/** `request.userInfo`, the whole `request`, or an authorizer for the user. */
function readsUser(root: Expr): boolean {
  let reads = 0;
  visitPostOrder(root, (node) => {
    if (isNamed(node, 'request') || isNamed(node, 'authorizer') || isNamed(node, 'authorizer.requestResource'))
      reads += 1;
    else if (node.kind === 'select' && node.field !== 'userInfo' && isNamed(node.operand, 'request')) reads -= 1;
    // Another user's permissions.
    else if (node.kind === 'call' && node.function === 'serviceAccount' && isNamed(node.target, 'authorizer'))
      reads -= 1;
  });
  return reads > 0;
}

function isNamed(node: Expr | undefined, name: string): boolean {
  return node?.kind === 'ident' && node.name.replace(/^\./, '') === name;
}

function collectTexts(root: Expr, texts: Set<string>): void {
  visitPostOrder(root, (node) => {
    if (node.kind === 'literal' && typeof node.value === 'string') texts.add(node.value);
  });
}
