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
import {
  isAbsent,
  itemsOf,
  list,
  member,
  nothing,
  oneOf,
  struct,
  text,
  union,
} from './rule.ts';

const backend = struct(
  {
    service: struct({ name: text(isServiceName), port: union({ name: portName, number: portNumber }) }, 'name port'),
  },
  'service',
);

const INVALID_PATH = /\/\/|\/\.\/|\/\.\.\/|%2f|%2F|\/\.\.?$/;

const path = struct(
  {
    path: text((value) => value.startsWith('/')),
    pathType: oneOf('Exact', 'Prefix', 'ImplementationSpecific'),
    backend,
  },
  'path pathType backend',
  (object) => object.get('pathType') === 'ImplementationSpecific' || !INVALID_PATH.test(object.get('path') as string),
);

/** A DNS name with at most one asterisk, as its first label. */
function isHost(host: string): boolean {
  return isSubdomain(host.startsWith('*.') ? host.slice(2) : host) && host.length <= 253 && readAddress(host) === undefined;
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

const ingressSpec = struct(
  {
    ingressClassName: subdomain,
    defaultBackend: backend,
    rules: list(
      struct({
        host: text((host) => isHost(host) && !/^[\d.]+$/.test(host)),
        http: struct({ paths: list(path, 1) }, 'paths'),
      }),
    ),
    tls: list(struct({ hosts: list(text(isHost)), secretName: text((name) => name === '' || isSubdomain(name)) })),
  },
  '',
  (spec) => !isAbsent(spec.get('defaultBackend')) || itemsOf(spec.get('rules')).length > 0,
);

export const ingress: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata(isSubdomain, { isNamespaced: true, isKnownAnnotation: (key) => key === CLASS_ANNOTATION }),
      spec: ingressSpec,
      status: struct({ loadBalancer: nothing }),
    },
    'metadata spec',
    hasOneClass,
  ),
  allowsUpdate: anyUpdate,
};

/** The annotation alone leads to a warning; a different one is refused. */
function hasOneClass(object: JsonObject): boolean {
  const annotation = member(member(object, 'metadata'), 'annotations').get(CLASS_ANNOTATION);
  return annotation === undefined || annotation === member(object, 'spec').get('ingressClassName');
}

const block = struct(
  {
    cidr: text((cidr) => cidr === '::/0' || readBlock(cidr) !== undefined),
    except: list(text((cidr) => readBlock(cidr) !== undefined)),
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

const peer = struct(
  { podSelector: selector, namespaceSelector: selector, ipBlock: block },
  '',
  (object) => {
    const hasSelector = !isAbsent(object.get('podSelector')) || !isAbsent(object.get('namespaceSelector'));
    return hasSelector === isAbsent(object.get('ipBlock'));
  },
);

const policyPort = struct({ protocol, port: portNumberOrName, endPort: portNumber }, '', (object) => {
  const [first, last] = [object.get('port'), object.get('endPort')];
  return isAbsent(last) || (typeof first === 'bigint' && (last as bigint) >= first);
});

const ports = list(policyPort);

export const networkPolicy: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata(isSubdomain, { isNamespaced: true }),
      spec: struct({
        podSelector: selector,
        ingress: list(struct({ ports, from: list(peer) })),
        egress: list(struct({ ports, to: list(peer) })),
        policyTypes: list(oneOf('Ingress', 'Egress'), 0, 2),
      }),
      status: nothing,
    },
    'metadata',
  ),
  allowsUpdate: anyUpdate,
};
