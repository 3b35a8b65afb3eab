// Ingresses and NetworkPolicies (pkg/apis/networking/validation).
import type { JsonObject } from '../../source/json/json.ts';
import {
  isServiceName,
  isSubdomain,
  portName,
  portNumber,
  portNumberOrName,
  protocol,
  readAddress,
  readBlock,
  subdomain,
} from './formats.ts';
import { anyUpdate, objectOf, type PlainKind } from './kind.ts';
import { selector } from './labels.ts';
import { metadata } from './metadata.ts';
import { childOf, isAbsent, itemsOf, list, nothing, oneOf, structOf, textThat, unionOf } from './rule.ts';

const backend = structOf(
  {
    service: structOf(
      { name: textThat(isServiceName), port: unionOf({ name: portName, number: portNumber }) },
      'name port',
    ),
  },
  'service',
);

const INVALID_PATH = /\/\/|\/\.\/|\/\.\.\/|%2f|%2F|\/\.\.?$/;

const path = structOf(
  {
    path: textThat((value) => value.startsWith('/')),
    pathType: oneOf('Exact', 'Prefix', 'ImplementationSpecific'),
    backend,
  },
  'path pathType backend',
  (object) => object.get('pathType') === 'ImplementationSpecific' || !INVALID_PATH.test(object.get('path') as string),
);

/** A DNS name with at most one asterisk, as its first label. */
function isHost(host: string): boolean {
  return (
    isSubdomain(host.startsWith('*.') ? host.slice(2) : host) && host.length <= 253 && readAddress(host) === undefined
  );
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

const ingressSpec = structOf(
  {
    ingressClassName: subdomain,
    defaultBackend: backend,
    rules: list(
      structOf({
        host: textThat((host) => isHost(host) && !/^[\d.]+$/.test(host)),
        http: structOf({ paths: list(path, 1) }, 'paths'),
      }),
    ),
    tls: list(
      structOf({ hosts: list(textThat(isHost)), secretName: textThat((name) => name === '' || isSubdomain(name)) }),
    ),
  },
  '',
  (spec) => !isAbsent(spec.get('defaultBackend')) || itemsOf(spec.get('rules')).length > 0,
);

export const ingress: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata(isSubdomain, { isNamespaced: true, isKnownAnnotation: (key) => key === CLASS_ANNOTATION }),
      spec: ingressSpec,
      status: structOf({ loadBalancer: nothing }),
    },
    'metadata spec',
    hasOneClass,
  ),
  allowsUpdate: anyUpdate,
};

/** The annotation alone leads to a warning; a different one is refused. */
function hasOneClass(object: JsonObject): boolean {
  const annotation = childOf(childOf(object, 'metadata'), 'annotations').get(CLASS_ANNOTATION);
  return annotation === undefined || annotation === childOf(object, 'spec').get('ingressClassName');
}

const block = structOf(
  {
    cidr: textThat((cidr) => cidr === '::/0' || readBlock(cidr) !== undefined),
    except: list(textThat((cidr) => readBlock(cidr) !== undefined)),
  },
  'cidr',
  hasInnerExceptions,
);

function hasInnerExceptions(object: JsonObject): boolean {
  const except = object.get('except') ?? [];
  const outer = readBlock(object.get('cidr') as string);
  return (except as readonly string[]).every((cidr) => {
    const inner = readBlock(cidr);
    if (outer === undefined || inner === undefined || inner.bits <= outer.bits) return false;
    const size = 2 ** (32 - outer.bits);
    return Math.floor(inner.address / size) === Math.floor(outer.address / size);
  });
}

const peer = structOf({ podSelector: selector, namespaceSelector: selector, ipBlock: block }, '', (object) => {
  const hasSelector = !isAbsent(object.get('podSelector')) || !isAbsent(object.get('namespaceSelector'));
  return hasSelector === isAbsent(object.get('ipBlock'));
});

const policyPort = structOf({ protocol, port: portNumberOrName, endPort: portNumber }, '', (object) => {
  const [first, last] = [object.get('port'), object.get('endPort')];
  return isAbsent(last) || (typeof first === 'bigint' && (last as bigint) >= first);
});

const ports = list(policyPort);

export const networkPolicy: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata(isSubdomain, { isNamespaced: true }),
      spec: structOf({
        podSelector: selector,
        ingress: list(structOf({ ports, from: list(peer) })),
        egress: list(structOf({ ports, to: list(peer) })),
        policyTypes: list(oneOf('Ingress', 'Egress'), 0, 2),
      }),
      status: nothing,
    },
    'metadata',
  ),
  allowsUpdate: anyUpdate,
};
