// An object that makes a controller apply others, with the chain of roots above it.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { stringifyJson } from '../../../source/json/json.ts';
import type { Controller, DeclarationFacts } from '../controller.ts';
import type { Reach } from '../kustomization/kustomization-graph.ts';
import type { RenderedRoot } from '../root/rendered-root.ts';

export interface Declaration {
  readonly resource: Resource;
  readonly controller: Controller;
  readonly declaredBy: readonly string[];
  /** Start of the chain of declarations. It separates clusters: objects of equal name in two clusters are unrelated. */
  readonly cluster: string;
  /** Files whose change can change the declaration; absent for declarations in files. */
  readonly reach?: Reach;
  /** Target cluster, if it differs from that of the chain. */
  readonly destination?: string;
}

/** Includes the cluster, because objects of equal name in two clusters are different. */
export function declarationKey({ resource, cluster, destination = '' }: Declaration): string {
  const { gvk, namespace, name } = resource;
  return [cluster, destination, gvk.group, gvk.kind, namespace, name].join('\0');
}

/** Label for users, e.g. `Flux Kustomization flux-system/apps`. */
export function declarationName({ gvk, namespace, name }: Resource): string {
  const isFlux = gvk.group.endsWith('.fluxcd.io') && gvk.kind === 'Kustomization';
  return `${isFlux ? 'Flux ' : ''}${gvk.kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Target cluster of the declaration's objects, as far as known. */
export function applied({ cluster, destination }: Declaration): Pick<RenderedRoot, 'entry' | 'destination'> {
  return { entry: cluster, ...(destination !== undefined && { destination }) };
}

/** The declaration and the objects that say where its content is. Sorted, so that a reordered object is the same object. */
export function declarationText({ resource, controller }: Declaration, known: DeclarationFacts): string {
  return [resource, ...(controller.sources?.(resource, known) ?? [])]
    .map(({ value }) => stringifyJson(value, { sortKeys: true, escapeHtml: false }))
    .join('\n');
}
