// Affinity, tolerations and topology spread (pkg/apis/core/validation; pkg/api/node/util.go for deprecated labels).
import type { JsonObject } from '../../source/json/json.ts';
import { isLabelKey, isLabelValue, label } from './formats.ts';
import { hasFittingValues, selector } from './labels.ts';
import { integer, isAbsent, list, listBy, oneOf, structOf, textMap, textThat } from './rule.ts';

/** The server warns of them. */
const DEPRECATED_LABELS: ReadonlySet<string> = new Set([
  'app.kubernetes.io/created-by',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'node-role.kubernetes.io/master',
  'scheduler.alpha.kubernetes.io/preferAvoidPods',
]);

const isNodeLabel = (key: string): boolean => isLabelKey(key) && !DEPRECATED_LABELS.has(key);

export const nodeSelector = textMap(isNodeLabel, isLabelValue);

const nodeTerm = structOf(
  {
    matchExpressions: list(
      structOf(
        {
          key: textThat(isNodeLabel),
          operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'),
          values: list(textThat(isLabelValue)),
        },
        'key operator',
        hasFittingValues,
      ),
      1,
    ),
  },
  'matchExpressions',
);

const weight = integer(1n, 100n);

const podTerm = structOf(
  { labelSelector: selector, namespaces: list(label), namespaceSelector: selector, topologyKey: textThat(isLabelKey) },
  'labelSelector topologyKey',
);

const podAffinity = structOf({
  requiredDuringSchedulingIgnoredDuringExecution: list(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(
    structOf({ weight, podAffinityTerm: podTerm }, 'weight podAffinityTerm'),
  ),
});

export const affinity = structOf({
  nodeAffinity: structOf({
    requiredDuringSchedulingIgnoredDuringExecution: structOf(
      { nodeSelectorTerms: list(nodeTerm, 1) },
      'nodeSelectorTerms',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      structOf({ weight, preference: nodeTerm }, 'weight preference'),
    ),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

export const tolerations = list(
  structOf(
    {
      key: textThat((key) => key === '' || isLabelKey(key)),
      operator: oneOf('', 'Equal', 'Exists'),
      value: textThat(isLabelValue),
      effect: oneOf('', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'),
      tolerationSeconds: integer(-(2n ** 31n)),
    },
    '',
    isToleration,
  ),
);

function isToleration(toleration: JsonObject): boolean {
  const isExists = toleration.get('operator') === 'Exists';
  if ((toleration.get('key') ?? '') === '' && !isExists) return false;
  if (isExists && (toleration.get('value') ?? '') !== '') return false;
  return isAbsent(toleration.get('tolerationSeconds')) || toleration.get('effect') === 'NoExecute';
}

const nodePolicy = oneOf('Honor', 'Ignore');

/** Stricter than the server, which lets two constraints of one key differ in `whenUnsatisfiable`. */
export const topologySpread = listBy(
  'topologyKey',
  structOf(
    {
      maxSkew: integer(1n),
      topologyKey: textThat(isNodeLabel),
      whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
      labelSelector: selector,
      minDomains: integer(1n),
      nodeAffinityPolicy: nodePolicy,
      nodeTaintsPolicy: nodePolicy,
    },
    'maxSkew topologyKey whenUnsatisfiable labelSelector',
    (constraint) => isAbsent(constraint.get('minDomains')) || constraint.get('whenUnsatisfiable') === 'DoNotSchedule',
  ),
);
