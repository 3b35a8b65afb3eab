// The cluster of an Application, with one identifier per cluster.
import { trimRight } from '../../go/strings/trim.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { textField } from '../../source/json/json-field.ts';
import { OWN_CLUSTER_ADDRESS } from '../sources/root/rendered-root.ts';
import type { ArgoOptions } from './argo-options.ts';

export const OWN_CLUSTER = { name: 'in-cluster', server: OWN_CLUSTER_ADDRESS } as const;

/** The server if given or known by name, else the name; undefined if the destination has neither. */
export function destinationOf(destination: JsonObject, { clusters = [] }: ArgoOptions): string | undefined {
  const server = trimRight(textField(destination, 'server'), '/');
  if (server !== '') return server;
  const name = textField(destination, 'name');
  const known = [...clusters, OWN_CLUSTER].find((cluster) => cluster.name === name);
  return (known && trimRight(known.server, '/')) ?? (name === '' ? undefined : name);
}
