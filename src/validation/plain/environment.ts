// Environment variables of containers (pkg/apis/core/validation `ValidateEnv`, `ValidateEnvFrom`).
import { isDataKey, isLabelKey, isVariableName, subdomain } from './formats.ts';
import {
  anyText,
  flag,
  hasOneOf,
  isAbsent,
  list,
  listBy,
  oneOf,
  type PlainRule,
  structOf,
  textThat,
  unionOf,
} from './rule.ts';

const SUBSCRIPTED = /^metadata\.(labels|annotations)\['([^'[\]]+)'\]$/;

/** `validateObjectFieldSelector`. */
function fieldSelector(...paths: readonly string[]): PlainRule {
  const known = new Set(paths);
  const isKnown = (path: string): boolean => {
    if (known.has(path)) return true;
    const [, kind, key = ''] = SUBSCRIPTED.exec(path) ?? [];
    return kind !== undefined && isLabelKey(kind === 'annotations' ? key.toLowerCase() : key);
  };
  return structOf({ apiVersion: oneOf('v1'), fieldPath: textThat(isKnown) }, 'fieldPath');
}

const variableField = fieldSelector(
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
);

export const volumeField = fieldSelector(
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.labels',
  'metadata.annotations',
);

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`limits.${name}`, `requests.${name}`]);
const CPU_DIVISORS: ReadonlySet<string> = new Set(['0', '1', '1m']);
const BYTE_DIVISORS: ReadonlySet<string> = new Set(['0', '1', '1k', '1M', '1G', '1Ki', '1Mi', '1Gi']);

/** `validateContainerResourceFieldSelector`; a volume names the container. */
export function resourceField(required: string): PlainRule {
  return structOf(
    { containerName: anyText, resource: oneOf(...RESOURCES), divisor: anyText },
    `resource ${required}`,
    (selector) => {
      const divisor = selector.get('divisor') ?? '0';
      const isCpu = selector.get('resource') === 'limits.cpu' || selector.get('resource') === 'requests.cpu';
      return (isCpu ? CPU_DIVISORS : BYTE_DIVISORS).has(divisor as string);
    },
  );
}

const keySelector = structOf({ name: subdomain, key: textThat(isDataKey), optional: flag }, 'name key');

const source = unionOf({
  fieldRef: variableField,
  resourceFieldRef: resourceField(''),
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
});

const variable = structOf(
  { name: textThat(isVariableName), value: anyText, valueFrom: source },
  'name',
  (object) => isAbsent(object.get('valueFrom')) || (object.get('value') ?? '') === '',
);

/** A second variable of the same name leads to a warning. */
export const environment = listBy('name', variable);

const named = structOf({ name: subdomain, optional: flag }, 'name');

export const environmentFrom = list(
  structOf(
    { prefix: textThat((prefix) => prefix === '' || isVariableName(prefix)), configMapRef: named, secretRef: named },
    '',
    hasOneOf(['configMapRef', 'secretRef']),
  ),
);

export const command = list(anyText);
export const filledCommand = list(anyText, 1);
