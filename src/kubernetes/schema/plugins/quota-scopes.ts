// Whether a ResourceQuota's scopes include an object (`pkg/quota/v1/evaluator/core`: `podMatchesScopeFunc`, `pvcMatchesScopeFunc`).
import type { JsonObject } from '../../../source/json/json.ts';
import { qualityOfService } from '../creation/pod-creation.ts';
import { childList, childObject, childObjects, childText, type MutableObject } from '../typed-field.ts';
import type { ChargedKind } from './quota-usage.ts';

/** A quota without scopes includes all objects; with scopes, only Pods and claims. `minor`: of the release. */
export function isInScopes(object: JsonObject, kind: ChargedKind, quota: JsonObject, minor: number): boolean {
  const spec = childObject(quota as MutableObject, 'spec') ?? new Map();
  const selector = childObject(spec, 'scopeSelector') ?? new Map();
  const scopes = childList(spec, 'scopes').map(
    (scopeName) =>
      new Map([
        ['scopeName', scopeName],
        ['operator', 'Exists'],
      ]),
  );
  return [...scopes, ...childObjects(selector, 'matchExpressions')].every((requirement) =>
    isInScope(object, kind, requirement as MutableObject, minor),
  );
}

function isInScope(object: JsonObject, kind: ChargedKind, requirement: MutableObject, minor: number): boolean {
  const spec = childObject(object as MutableObject, 'spec') ?? new Map();
  const scope = childText(requirement, 'scopeName');
  if (kind === 'PersistentVolumeClaim')
    return scope === 'VolumeAttributesClass' && selects(requirement, childText(spec, 'volumeAttributesClassName'));
  if (kind !== 'Pod') return false;
  switch (scope) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return qualityOfService(spec, minor) === 'BestEffort';
    case 'NotBestEffort':
      return qualityOfService(spec, minor) !== 'BestEffort';
    case 'PriorityClass':
      return selects(requirement, childText(spec, 'priorityClassName'));
    case 'CrossNamespacePodAffinity':
      return hasForeignAffinity(spec);
    default:
      return false;
  }
}

/** A label selector over the name of the class. */
function selects(requirement: MutableObject, name: string): boolean {
  const values = childList(requirement, 'values');
  switch (childText(requirement, 'operator')) {
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}

function isTerminating(spec: MutableObject): boolean {
  const seconds = spec.get('activeDeadlineSeconds');
  return typeof seconds === 'bigint' && seconds >= 0n;
}

function hasForeignAffinity(spec: MutableObject): boolean {
  const affinity = childObject(spec, 'affinity') ?? new Map();
  return ['podAffinity', 'podAntiAffinity'].some((name) => {
    const terms = childObject(affinity, name) ?? new Map();
    const preferred = childObjects(terms, 'preferredDuringSchedulingIgnoredDuringExecution');
    const all = [
      ...childObjects(terms, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...preferred.flatMap((term) => childObject(term, 'podAffinityTerm') ?? []),
    ];
    return all.some(
      (term) => childList(term, 'namespaces').length > 0 || childObject(term, 'namespaceSelector') !== undefined,
    );
  });
}
