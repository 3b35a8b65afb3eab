// Sentences about policies that depend on a Namespace that no file defines.
import { visitPostOrder } from '../../../cel/syntax/children.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import { openNamespaceLabels } from '../../../kubernetes/cluster/open-namespace.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { openLabelKeys } from '../../../kubernetes/selector/open-labels.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import type { AdmissionBinding, AdmissionPolicy, PlacedExpression } from './admission-policy.ts';

/** Further labels are only counted. */
const MAX_LABELS = 3;

/** For a policy whose match depends on labels that the Namespace may have in the cluster. */
export function assumedLabels(
  policy: AdmissionPolicy,
  bindings: readonly AdmissionBinding[],
  request: AdmissionRequest,
  cluster: Cluster,
): string {
  const reason = openNamespaceLabels(cluster.namespace(request.namespace), request)?.reason;
  if (reason === 'unnamed') {
    return `no file says the namespace of some objects, and ${policy.name} selects by Namespace`;
  }
  const criteria = [policy.matchConstraints, ...bindings.map(({ matchResources }) => matchResources)];
  const labels = new Set(
    criteria.flatMap((each) => (each === undefined ? [] : decidingLabels(each, request, cluster))),
  );
  if (labels.size === 0)
    return `whether ${policy.name} applies depends on labels of objects that have no value in the repository`;
  const which = labels.size === 1 ? 'its label' : 'its labels';
  const applies = `whether ${policy.name} applies there depends on ${which} ${listed([...labels])}`;
  if (reason === 'valued')
    return `Namespace ${request.namespace} has labels without a value in the repository: ${applies}`;
  const assumption = reason === 'claimed' ? 'which may have other values in the cluster' : 'assumed to be absent';
  return `${reasonFor(request.namespace, cluster)}: ${applies}, ${assumption}`;
}

/** For a policy that reads the Namespace object. */
export function assumedContent(policy: AdmissionPolicy, namespace: string, cluster: Cluster): string {
  const known =
    cluster.namespace(namespace).openPaths.length > 0 ? 'not all its values are known' : 'only its name is known';
  return `${reasonFor(namespace, cluster)}: ${policy.name} reads \`namespaceObject\`, but ${known}`;
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

function decidingLabels(
  { namespaceSelector }: MatchResources,
  request: AdmissionRequest,
  cluster: Cluster,
): readonly string[] {
  if ('error' in namespaceSelector) return [];
  const fact = cluster.namespace(request.namespace);
  return openLabelKeys(namespaceSelector, fact.labels, openNamespaceLabels(fact, request));
}

function reasonFor(namespace: string, cluster: Cluster): string {
  const { isClaimed, openPaths } = cluster.namespace(namespace);
  if (isClaimed) return `Namespace ${namespace} is new in this change`;
  if (openPaths.length > 0) return `Namespace ${namespace} has fields without a value in the repository`;
  return `Namespace ${namespace} is not in the repository`;
}

function listed(labels: readonly string[]): string {
  const sorted = [...labels].sort();
  const shown = sorted.slice(0, MAX_LABELS);
  const rest = sorted.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} and ${last}`;
}
