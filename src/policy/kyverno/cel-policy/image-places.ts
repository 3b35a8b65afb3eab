// Locations of images in Pods and their controllers, as in Kyverno's built-in extractors (`pkg/cel/compiler/images.go`).
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

/** `group/version/resource`, with the path of its Pod's `spec`. */
const POD_SPECS: ReadonlyMap<string, readonly string[]> = new Map([
  ['/v1/pods', ['spec']],
  ['batch/v1/cronjobs', ['spec', 'jobTemplate', 'spec', 'template', 'spec']],
  ...[
    'batch/v1/jobs',
    ...['deployments', 'statefulsets', 'daemonsets', 'replicasets'].map((name) => `apps/v1/${name}`),
  ].map((name): [string, readonly string[]] => [name, ['spec', 'template', 'spec']]),
]);

const CONTAINER_LISTS: readonly string[] = ['containers', 'initContainers', 'ephemeralContainers'];

/** Undefined for kinds that only the policy's own extractors support. */
export function podSpecPath({ group, version, resource }: AdmissionRequest['resource']): readonly string[] | undefined {
  return POD_SPECS.get(`${group}/${version}/${resource}`);
}

/** Extractor names with their expressions. */
export function builtinExtractors(
  podSpec: readonly string[],
): readonly (readonly [name: string, expression: string])[] {
  const root = `(object != null ? object : oldObject).${podSpec.join('.')}`;
  return CONTAINER_LISTS.map((list) => [list, `${root}.?${list}.orValue([]).map(e, e.image)`]);
}

/** All fields that contain the image. Empty if an extractor computed it. */
export function placesOf(image: string, object: JsonObject, podSpec: readonly string[]): readonly FieldPath[] {
  const spec = podSpec.reduce((outer, field) => objectOrEmpty(outer.get(field)), object);
  return CONTAINER_LISTS.flatMap((list) =>
    objectItems(spec.get(list)).flatMap((container, index) =>
      textField(container, 'image') === image ? [[...podSpec, list, index, 'image']] : [],
    ),
  );
}
