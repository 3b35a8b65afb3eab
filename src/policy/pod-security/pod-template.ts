// Finds the Pod in objects that Pod Security checks (pod-security-admission `admission/admission.go: ExtractPodSpec`).
import type { GroupVersionResource } from '../../kubernetes/api/group-version.ts';
import { UnknownPodField } from '../../kubernetes/pod-security/evaluate-pod.ts';
import { type CheckedPod, checkedPod } from '../../kubernetes/pod-security/pod.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { withHiddenFields } from '../../source/json/hidden-fields.ts';
import { isJsonObject, type JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField, valueAt } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

export interface PodPart {
  /** Path from the object to the value with the Pod's metadata and spec. Empty for a Pod. */
  readonly path: FieldPath;
  readonly pod: CheckedPod;
  /** Empty: none. */
  readonly runtimeClassName: string;
}

const TEMPLATE: FieldPath = ['spec', 'template'];

const PATHS: ReadonlyMap<string, FieldPath> = new Map([
  ['/pods', []],
  ['/replicationcontrollers', TEMPLATE],
  ['/podtemplates', ['template']],
  ['apps/replicasets', TEMPLATE],
  ['apps/deployments', TEMPLATE],
  ['apps/statefulsets', TEMPLATE],
  ['apps/daemonsets', TEMPLATE],
  ['batch/jobs', TEMPLATE],
  ['batch/cronjobs', ['spec', 'jobTemplate', ...TEMPLATE]],
]);

export function mayHoldPod({ group, resource }: Pick<GroupVersionResource, 'group' | 'resource'>): boolean {
  return PATHS.has(`${group}/${resource}`);
}

/** Annotations that a check reads. */
const CHECKED_ANNOTATION = /^(?:seccomp\.security|container\.(?:seccomp|apparmor)\.security)\./;

/** The object with unknown values in the open fields that a check may read. */
export function openPodObject(request: AdmissionRequest, which: 'object' | 'oldObject'): JsonObject | null {
  const { [which]: object, invented } = request;
  const open = (invented?.unseen ?? []).filter((path) => {
    const [parent, last] = [path.at(-2), path.at(-1)];
    if (path[0] === 'status' || (typeof parent === 'number' && last === 'name')) return false;
    return parent !== 'annotations' || CHECKED_ANNOTATION.test(String(last));
  });
  return object === null || open.length === 0
    ? object
    : withHiddenFields(object, open, (path) => new UnknownPodField(path));
}

/** Undefined for a ReplicationController without a template, which is valid. */
export function podPartOf(resource: GroupVersionResource, object: JsonObject): PodPart | undefined {
  const path = PATHS.get(`${resource.group}/${resource.resource}`);
  const holder = path && valueAt(object, path);
  if (path === undefined || !isJsonObject(holder)) return undefined;
  const spec = objectOrEmpty(holder.get('spec'));
  return {
    path,
    pod: checkedPod(objectOrEmpty(holder.get('metadata')), spec),
    runtimeClassName: textField(spec, 'runtimeClassName'),
  };
}
