// Name formats of built-in kinds, by release (pkg/apis/*/validation, pkg/registry/*/*/strategy.go).
import { goQuoteBytes } from '../../../go/strconv/quote.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { type FieldError, forbidden, invalid } from '../../validation/field-error.ts';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  longName,
  maskTrailingDash,
  pathSegmentName,
} from '../../validation/name-format.ts';
import type { NameFormat } from '../../validation/object-meta.ts';
import { isServed } from '../minor-range.ts';

type FormatName = 'subdomain' | 'long' | 'label' | 'label1035' | 'path' | 'segment' | 'any';

/** `Kind format[@minors] …`, with the group before the kind. Other kinds have names that are DNS subdomains. */
const NAME_FORMATS: readonly string[] = [
  'Event any',
  'Namespace label',
  'ReplicationController long@35-',
  'Service label1035@28-35 label@36-',
  'apps/StatefulSet label',
  'certificates.k8s.io/CertificateSigningRequest any',
  'certificates.k8s.io/ClusterTrustBundle any',
  'coordination.k8s.io/LeaseCandidate any',
  'internal.apiserver.k8s.io/StorageVersion any',
  'lifecycle.k8s.io/Eviction long',
  'lifecycle.k8s.io/EvictionRequest long',
  'networking.k8s.io/ClusterCIDR label',
  'networking.k8s.io/IPAddress any',
  'policy/PodDisruptionBudget segment',
  'rbac.authorization.k8s.io/ClusterRole path',
  'rbac.authorization.k8s.io/ClusterRoleBinding path',
  'rbac.authorization.k8s.io/Role path',
  'rbac.authorization.k8s.io/RoleBinding path',
  'resource.k8s.io/DeviceClass long@35-',
];

/** Kinds for which the server checks only the generated name, not the generateName prefix. */
const UNCHECKED_PREFIXES: readonly string[] = [
  'ReplicationController@35-',
  'resource.k8s.io/DeviceClass@35-',
  'lifecycle.k8s.io/Eviction',
  'lifecycle.k8s.io/EvictionRequest',
];

const FORMATS: Readonly<Record<FormatName, NameFormat>> = {
  subdomain: (name, isPrefix) => dns1123Subdomain(isPrefix ? maskTrailingDash(name) : name),
  long: longName,
  label: (name, isPrefix) => dns1123Label(isPrefix ? maskTrailingDash(name) : name),
  label1035: (name, isPrefix) => dns1035Label(isPrefix ? maskTrailingDash(name) : name),
  path: pathSegmentName,
  segment: (name, isPrefix) => (isPrefix && /^\.\.?$/.test(name) ? [] : pathSegmentName(name)),
  any: () => [],
};

/** `kind` has its group as a prefix: `apps/Deployment`; core kinds have none. Some formats depend on other fields of the object. */
export function nameFormatOf(kind: string, object: JsonObject, minor: number): NameFormat {
  const spec = objectOrEmpty(object.get('spec'));
  const group = textField(spec, 'group');
  if (kind === 'apiextensions.k8s.io/CustomResourceDefinition') {
    const wanted = `${textField(objectOrEmpty(spec.get('names')), 'plural')}.${group}`;
    const complaint = 'must be spec.names.plural+"."+spec.group';
    return (name, isPrefix) => [...FORMATS.subdomain(name, isPrefix), ...(name === wanted ? [] : [complaint])];
  }
  if (kind === 'apiregistration.k8s.io/APIService') {
    const wanted = `${textField(spec, 'version')}.${group}`;
    return (name) => {
      const problems = pathSegmentName(name);
      if (problems.length > 0 || name === wanted) return problems;
      return [`must be \`spec.version+"."+spec.group\`: ${goQuoteBytes(wanted)}`];
    };
  }
  return FORMATS[formatName(kind, minor)];
}

function formatName(kind: string, minor: number): FormatName {
  formatsByKind ??= new Map(
    NAME_FORMATS.map((line) => {
      const [name = '', ...columns] = line.split(' ');
      return [name, columns];
    }),
  );
  for (const column of formatsByKind.get(kind) ?? []) {
    const [name = '', minors] = column.split('@');
    if (isServed(minors, minor)) return name as FormatName;
  }
  return 'subdomain';
}

/** Parsed on first use. */
let formatsByKind: ReadonlyMap<string, readonly string[]> | undefined;

export function checksPrefix(kind: string, minor: number): boolean {
  return !UNCHECKED_PREFIXES.some((row) => {
    const [unchecked, minors] = row.split('@');
    return unchecked === kind && isServed(minors, minor);
  });
}

const NAME_PATH: FieldPath = ['metadata', 'name'];

/** Errors about the names of individual kinds, apart from the format. */
export function specialNameErrors(kind: string, name: string): readonly FieldError[] {
  switch (kind) {
    case 'batch/CronJob':
      return name.length > MAX_CRON_JOB_NAME
        ? [invalid(NAME_PATH, name, `must be no more than ${MAX_CRON_JOB_NAME} characters`)]
        : [];
    case 'scheduling.k8s.io/PriorityClass':
      return isReserved(name) ? [forbidden(NAME_PATH, reservedName(name))] : [];
    default:
      return [];
  }
}

/** Leaves room for eleven more characters in the names of its Jobs, which must be labels. */
const MAX_CRON_JOB_NAME = 52;

function isReserved(name: string): boolean {
  return name.startsWith('system-') && name !== 'system-node-critical' && name !== 'system-cluster-critical';
}

function reservedName(name: string): string {
  return `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
}
