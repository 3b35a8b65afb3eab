// Sentences about policies that depend on a Namespace that no file defines.
import { visitPostOrder } from '../../../cel/syntax/children.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { undecidedKeys } from '../../../kubernetes/selector/label-selector.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import type { AdmissionBinding, AdmissionPolicy, PlacedExpression } from './admission-policy.ts';

/** Further labels are only counted. */
const MAX_LABELS = 3;

/** For a policy whose match depends on labels that the Namespace is assumed not to have. */
export function assumedLabels(
  policy: AdmissionPolicy,
  bindings: readonly AdmissionBinding[],
  namespace: string,
  cluster: Cluster,
): string {
  const criteria = [policy.matchConstraints, ...bindings.map(({ matchResources }) => matchResources)];
  const labels = new Set(
    criteria.flatMap((each) => (each === undefined ? [] : decidingLabels(each, namespace, cluster))),
  );
  if (labels.size === 0)
    return `whether ${policy.name} applies depends on labels of objects that have no value in the repository`;
  const which = labels.size === 1 ? 'its label' : 'its labels';
  return `${isAbsent(namespace)}: whether ${policy.name} applies there depends on ${which} ${listed([...labels])}, assumed to be absent`;
}

/** For a policy that reads the Namespace object. */
export function assumedContent(policy: AdmissionPolicy, namespace: string): string {
  return `${isAbsent(namespace)}: ${policy.name} reads \`namespaceObject\`, but only its name is known`;
}

/** False if no expression can read the Namespace. matchConditions never see it. */
export function readsNamespace(expressions: readonly PlacedExpression[]): boolean {
  return readsVariable(
    expressions.filter(({ path }) => path[1] !== 'matchConditions'),
    /^\.?namespaceObject$/,
  );
}

/** False if no expression can call the authorizer. */
export function readsAuthorizer(expressions: readonly PlacedExpression[]): boolean {
  return readsVariable(expressions, /^\.?authorizer\b/);
}

function readsVariable(expressions: readonly PlacedExpression[], name: RegExp): boolean {
  return expressions.some(({ compiled: { ast } }) => {
    let isRead = false;
    if (ast === undefined) return isRead;
    visitPostOrder(ast.expr, (node) => {
      isRead ||= node.kind === 'ident' && name.test(node.name);
    });
    return isRead;
  });
}

function decidingLabels({ namespaceSelector }: MatchResources, namespace: string, cluster: Cluster): readonly string[] {
  return 'error' in namespaceSelector ? [] : undecidedKeys(namespaceSelector, cluster.namespace(namespace).labels);
}

function isAbsent(namespace: string): string {
  return `Namespace ${namespace} is not in the repository`;
}

function listed(labels: readonly string[]): string {
  const sorted = [...labels].sort();
  const shown = sorted.slice(0, MAX_LABELS);
  const rest = sorted.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} and ${last}`;
}
