// An object that a controller applies something for, and the way that led to it.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { Controller } from './controller.ts';
import type { Reach } from './kustomization-graph.ts';
import type { RenderedRoot } from './rendered-root.ts';

export interface Declaration {
  readonly resource: Resource;
  readonly controller: Controller;
  /** `name`s of the roots that lead to it. */
  readonly declaredBy: readonly string[];
  /** Where the chain of declarations begins: objects of one name in two clusters have nothing to do with each other. */
  readonly cluster: string;
  /** What a change has to touch for the declaration itself to change; absent for what is written. */
  readonly reach?: Reach;
  /** The cluster that it is applied to, where that is not the one of its chain. */
  readonly destination?: string;
}

/** Objects of one name in two clusters are two. */
export function declarationKey({ resource, cluster, destination = '' }: Declaration): string {
  const { gvk, namespace, name } = resource;
  return [cluster, destination, gvk.group, gvk.kind, namespace, name].join('\0');
}

/** As messages and roots name it: `Flux Kustomization flux-system/apps`. */
export function declarationName({ gvk, namespace, name }: Resource): string {
  const isFlux = gvk.group.endsWith('.fluxcd.io') && gvk.kind === 'Kustomization';
  return `${isFlux ? 'Flux ' : ''}${gvk.kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Where what a declaration makes is applied, as far as the way to the declaration says. */
export function applied({ cluster, destination }: Declaration): Pick<RenderedRoot, 'entry' | 'destination'> {
  return { entry: cluster, ...(destination !== undefined && { destination }) };
}
