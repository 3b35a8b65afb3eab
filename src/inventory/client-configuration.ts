// Kinds with apiVersion and kind like a resource that are configuration of a program and not served by any API server.
import { isJsonArray, type JsonObject } from '../source/json/json.ts';

/** API groups without any served resource. Add a group only if its owner documents this; a document of a doubtful group is evaluated. */
const CLIENT_GROUPS = new Set([
  'apiserver.config.k8s.io',
  'apiserver.k8s.io',
  'audit.k8s.io',
  'backstage.io',
  'builtin',
  'chainsaw.kyverno.io',
  'cli.kyverno.io',
  'client.authentication.k8s.io',
  'config.kubernetes.io',
  'credentialprovider.kubelet.k8s.io',
  'ctlptl.dev',
  'eksctl.io',
  'eventratelimit.admission.k8s.io',
  'k3d.io',
  'kind.x-k8s.io',
  'krew.googlecontainertools.github.com',
  'kubeadm.k8s.io',
  'kubelet.config.k8s.io',
  'kubeproxy.config.k8s.io',
  'kubescheduler.config.k8s.io',
  'kuttl.dev',
  'pod-security.admission.config.k8s.io',
  'resourcequota.admission.k8s.io',
  'skaffold',
]);

export function isClientConfiguration(apiVersion: string, kind: string, document: JsonObject): boolean {
  const slash = apiVersion.indexOf('/');
  if (slash >= 0) return CLIENT_GROUPS.has(apiVersion.slice(0, slash));
  if (CLIENT_GROUPS.has(apiVersion)) return true;
  return apiVersion === 'v1' && kind === 'Config' && isJsonArray(document.get('contexts'));
}
