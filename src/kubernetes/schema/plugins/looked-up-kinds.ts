// Which kinds admission plugins look up for an object. Readers of parts of a repository must read these objects, too.
import type { GroupVersionKind } from '../../api/group-version.ts';
import {
  INGRESS_CLASS,
  LIMIT_RANGE,
  PRIORITY_CLASS,
  RESOURCE_QUOTA,
  RUNTIME_CLASS,
  SERVICE_ACCOUNT,
  STORAGE_CLASS,
} from './plugin-request.ts';

/** A kind, and whether the plugins look only in the object's Namespace. */
export interface LookedUpKind extends GroupVersionKind {
  readonly namespaced: boolean;
}

const IN_NAMESPACE = (gvk: GroupVersionKind): LookedUpKind => ({ ...gvk, namespaced: true });
const IN_CLUSTER = (gvk: GroupVersionKind): LookedUpKind => ({ ...gvk, namespaced: false });

const BY_KIND: ReadonlyMap<string, readonly LookedUpKind[]> = new Map([
  [
    '/Pod',
    [
      IN_NAMESPACE(SERVICE_ACCOUNT),
      IN_NAMESPACE(LIMIT_RANGE),
      IN_NAMESPACE(RESOURCE_QUOTA),
      IN_CLUSTER(PRIORITY_CLASS),
      IN_CLUSTER(RUNTIME_CLASS),
    ],
  ],
  ['/PersistentVolumeClaim', [IN_NAMESPACE(LIMIT_RANGE), IN_NAMESPACE(RESOURCE_QUOTA), IN_CLUSTER(STORAGE_CLASS)]],
  ['/Service', [IN_NAMESPACE(RESOURCE_QUOTA)]],
  ['networking.k8s.io/Ingress', [IN_CLUSTER(INGRESS_CLASS)]],
]);

/** Empty for most kinds. */
export function lookedUpKinds({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): readonly LookedUpKind[] {
  return BY_KIND.get(`${group}/${kind}`) ?? [];
}

/** True if a plugin looks up objects of the kind for some object. */
export function isLookedUp({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): boolean {
  return [...BY_KIND.values()].flat().some((each) => each.group === group && each.kind === kind);
}
