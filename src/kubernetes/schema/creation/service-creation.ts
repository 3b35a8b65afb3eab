// Creation of a Service: addresses and ports from the cluster's ranges (pkg/registry/core/service/storage/alloc.go).
import {
  childList,
  childObjects,
  childText,
  ensureObject,
  isZero,
  type MutableObject,
  setIfNil,
} from '../typed-field.ts';
import type { CreationContext } from './creation-function.ts';

/**
 * Assumes an IPv4-only cluster. Sets the fields that the server allocates before validating admission; only a server knows their values.
 */
export function createService(service: MutableObject, context: CreationContext): void {
  const spec = ensureObject(service, 'spec');
  const type = childText(spec, 'type');
  if (type === 'ExternalName') return;
  allocateAddress(spec, context);
  if (type === 'LoadBalancer' || type === 'NodePort') allocatePorts(spec, type, context);
}

function allocateAddress(spec: MutableObject, context: CreationContext): void {
  const written = childText(spec, 'clusterIP') || String(childList(spec, 'clusterIPs')[0] ?? '');
  const address = written || context.clusterIP;
  if (written === '') {
    context.invent(['spec', 'clusterIP']);
    context.invent(['spec', 'clusterIPs', 0]);
  }
  spec.set('clusterIP', address);
  setIfNil(spec, 'clusterIPs', [address]);
  const isHeadlessWithoutSelector = address === 'None' && isNilOrEmpty(spec, 'selector');
  setIfNil(spec, 'ipFamilyPolicy', isHeadlessWithoutSelector ? 'RequireDualStack' : 'SingleStack');
  if (childList(spec, 'ipFamilies').length > 0) return;
  const isDual = isHeadlessWithoutSelector && childText(spec, 'ipFamilyPolicy') !== 'SingleStack';
  const family = address.includes(':') ? 'IPv6' : 'IPv4';
  spec.set('ipFamilies', isDual ? ['IPv4', 'IPv6'] : [family]);
  if (written === '' || written === 'None') context.invent(['spec', 'ipFamilies']);
}

function isNilOrEmpty(spec: MutableObject, key: string): boolean {
  const value = spec.get(key);
  return !(value instanceof Map) || value.size === 0;
}

function allocatePorts(spec: MutableObject, type: string, context: CreationContext): void {
  const isBalanced = type === 'LoadBalancer';
  if (isBalanced && childText(spec, 'externalTrafficPolicy') === 'Local' && isZero(spec, 'healthCheckNodePort')) {
    spec.set('healthCheckNodePort', context.nodePort);
    context.invent(['spec', 'healthCheckNodePort']);
  }
  if (isBalanced && spec.get('allocateLoadBalancerNodePorts') === false) return;
  for (const [index, port] of childObjects(spec, 'ports').entries()) {
    if (!isZero(port, 'nodePort')) continue;
    port.set('nodePort', context.nodePort + BigInt(index));
    context.invent(['spec', 'ports', index, 'nodePort']);
  }
}
