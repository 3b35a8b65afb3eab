// The target cluster of a Flux object with `spec.kubeConfig`.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { namespaceOf, specOf } from './source-reference.ts';

/** `kubeConfig apps/staging`, named after the Secret or ConfigMap with the address; undefined for the object's own cluster. */
export function remoteCluster(declaration: Resource): string | undefined {
  const kubeConfig = objectOrEmpty(specOf(declaration).get('kubeConfig'));
  const [name] = ['secretRef', 'configMapRef']
    .map((field) => textField(objectOrEmpty(kubeConfig.get(field)), 'name'))
    .filter((found) => found !== '');
  return name === undefined ? undefined : `kubeConfig ${namespaceOf(declaration)}/${name}`;
}
