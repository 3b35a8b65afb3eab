// Services (pkg/apis/core/validation `validateService`; pkg/api/service/warnings.go).
import { isJsonArray, type JsonObject } from '../../source/json/json.ts';
import { isServiceName, isSubdomain, label, labelKeyText, portNumber, portNumberOrName, protocol } from './formats.ts';
import { keeps, objectOf, type PlainKind } from './kind.ts';
import { labels } from './labels.ts';
import { metadata } from './metadata.ts';
import {
  childOf,
  flag,
  integer,
  isAbsent,
  isUniqueBy,
  itemsOf,
  list,
  nothing,
  oneOf,
  structOf,
  textThat,
} from './rule.ts';

const port = structOf(
  {
    name: label,
    protocol,
    appProtocol: labelKeyText,
    port: portNumber,
    targetPort: portNumberOrName,
    // The default of --service-node-port-range; the engine says what other ports depend on.
    nodePort: integer(30_000n, 32_767n),
  },
  'port',
);

const headless = oneOf('None');
const trafficPolicy = oneOf('Cluster', 'Local');

const spec = structOf(
  {
    type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'),
    ports: list(port),
    selector: labels,
    clusterIP: headless,
    clusterIPs: list(headless, 1, 1),
    ipFamilies: list(oneOf('IPv4'), 1, 1),
    ipFamilyPolicy: oneOf('SingleStack'),
    externalName: textThat(isSubdomain),
    sessionAffinity: oneOf('None', 'ClientIP'),
    sessionAffinityConfig: structOf(
      { clientIP: structOf({ timeoutSeconds: integer(1n, 86_400n) }, 'timeoutSeconds') },
      'clientIP',
    ),
    publishNotReadyAddresses: flag,
    internalTrafficPolicy: trafficPolicy,
    externalTrafficPolicy: trafficPolicy,
    allocateLoadBalancerNodePorts: flag,
  },
  '',
  (object) => hasPlainPorts(object) && hasFieldsOfType(object) && hasAffinity(object),
);

function hasPlainPorts(object: JsonObject): boolean {
  const ports = itemsOf(object.get('ports'));
  if (ports.length === 0) return object.has('clusterIP') || object.get('type') === 'ExternalName';
  if (ports.length === 1) return true;
  const numbers = new Set(ports.map((each) => `${each.get('port')}/${each.get('protocol') ?? 'TCP'}`));
  const nodePorts = ports.filter((each) => !isAbsent(each.get('nodePort')));
  return (
    ports.every((each) => !isAbsent(each.get('name'))) &&
    isUniqueBy(ports, 'name') &&
    isUniqueBy(nodePorts, 'nodePort') &&
    numbers.size === ports.length
  );
}

/** Fields that only some types of Services have. */
function hasFieldsOfType(object: JsonObject): boolean {
  const has = (name: string): boolean => !isAbsent(object.get(name));
  const type = object.get('type') ?? 'ClusterIP';
  if (has('clusterIPs') && !has('clusterIP')) return false;
  const isExternal = type === 'NodePort' || type === 'LoadBalancer';
  if ((has('ipFamilies') || has('ipFamilyPolicy')) && type === 'ExternalName') return false;
  if (has('clusterIP') && type !== 'ClusterIP') return false;
  if (has('externalTrafficPolicy') && !isExternal) return false;
  if (has('allocateLoadBalancerNodePorts') && type !== 'LoadBalancer') return false;
  if (!isExternal && itemsOf(object.get('ports')).some((each) => !isAbsent(each.get('nodePort')))) return false;
  return has('externalName') === (type === 'ExternalName');
}

function hasAffinity(object: JsonObject): boolean {
  if (object.get('sessionAffinity') !== 'ClientIP') return isAbsent(object.get('sessionAffinityConfig'));
  return !object.has('clusterIP');
}

/** A name starts with a letter, which newer releases do not require. */
const rule = objectOf(
  { metadata: metadata(isServiceName, { isNamespaced: true }), spec, status: structOf({ loadBalancer: nothing }) },
  'metadata spec',
);

const keepsType = keeps('type', 'clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy');

export const service: PlainKind = {
  rule,
  // Strategic merge patches confuse ports of one number.
  allowsUpdate: (object, old) =>
    keepsType(object, old) && keepsFamilies(object, old) && [object, old].every(hasDistinctNumbers),
};

/** The server gives a headless Service without a selector two IP families. It refuses them once there is a selector, and refuses to drop one. */
function keepsFamilies(object: JsonObject, old: JsonObject): boolean {
  const isHeadless = childOf(old, 'spec').has('clusterIP');
  if (!isHeadless || hasSelector(old)) return true;
  return !hasSelector(object) && isAbsent(childOf(object, 'spec').get('ipFamilies'));
}

function hasSelector(object: JsonObject): boolean {
  return childOf(childOf(object, 'spec'), 'selector').size > 0;
}

function hasDistinctNumbers(object: JsonObject): boolean {
  const ports = (object.get('spec') as JsonObject).get('ports');
  return !isJsonArray(ports) || isUniqueBy(itemsOf(ports), 'port');
}
