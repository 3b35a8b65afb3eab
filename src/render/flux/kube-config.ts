// The cluster that a Flux object is applied to, where that is not the one it lies in itself: `spec.kubeConfig`.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { namespaceOf, specOf } from './source-reference.ts';

/** `kubeConfig apps/staging`: the Secret or ConfigMap that says where the cluster is; undefined for the own cluster. */
export function remoteCluster(declaration: Resource): string | undefined {
  const kubeConfig = objectOrEmpty(specOf(declaration).get('kubeConfig'));
  const [name] = ['secretRef', 'configMapRef']
    .map((field) => textField(objectOrEmpty(kubeConfig.get(field)), 'name'))
    .filter((found) => found !== '');
  return name === undefined ? undefined : `kubeConfig ${namespaceOf(declaration)}/${name}`;
}
