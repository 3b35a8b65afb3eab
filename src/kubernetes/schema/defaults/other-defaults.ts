// Defaults of the remaining groups that depend on other fields (pkg/apis/*/v*/defaults.go).
import {
  childList,
  childObject,
  childObjects,
  childText,
  ensureObject,
  type MutableObject,
  ownObject,
  setIfNil,
  setIfZero,
} from '../typed-field.ts';
import type { DefaultContext, DefaultFunctions } from './default-function.ts';

export const OTHER_DEFAULTS: DefaultFunctions = new Map([
  ['networking/v1.NetworkPolicySpec', defaultNetworkPolicy],
  ['rbac/v1.Subject', defaultSubject],
  ['apiextensions/v1.CustomResourceDefinition', defaultCustomResourceDefinition],
  ['scheduling/v1beta1.PodGroup', defaultPodGroup],
  ['scheduling/v1alpha3.PodGroup', defaultPodGroup],
  ['scheduling/v1alpha3.CompositePodGroup', defaultPodGroup],
  ...['v1', 'v1beta1', 'v1beta2', 'v1alpha3'].flatMap(deviceDefaults),
]);

function defaultNetworkPolicy(spec: MutableObject): void {
  if (childList(spec, 'policyTypes').length > 0) return;
  const hasEgress = childList(spec, 'egress').length > 0;
  spec.set('policyTypes', hasEgress ? ['Ingress', 'Egress'] : ['Ingress']);
}

function defaultSubject(subject: MutableObject): void {
  const kind = childText(subject, 'kind');
  if (kind === 'User' || kind === 'Group') setIfZero(subject, 'apiGroup', 'rbac.authorization.k8s.io');
}

function defaultCustomResourceDefinition(definition: MutableObject): void {
  const spec = ensureObject(definition, 'spec');
  const names = ensureObject(spec, 'names');
  const kind = childText(names, 'kind');
  if (kind !== '') {
    setIfZero(names, 'singular', kind.toLowerCase());
    setIfZero(names, 'listKind', `${kind}List`);
  }
  const conversion = childObject(spec, 'conversion');
  if (conversion === undefined) spec.set('conversion', new Map([['strategy', 'None']]));
  const status = ensureObject(definition, 'status');
  const stored = childObjects(spec, 'versions').find((version) => version.get('storage') === true);
  if (childList(status, 'storedVersions').length === 0 && stored !== undefined) {
    ownObject(definition, 'status').set('storedVersions', [childText(stored, 'name')]);
  }
}

function defaultPodGroup(group: MutableObject): void {
  setIfNil(ensureObject(group, 'spec'), 'disruptionMode', new Map([['single', new Map()]]));
}

/** Dynamic resource allocation has the same defaults in all versions. */
function deviceDefaults(
  version: string,
): readonly [string, (object: MutableObject, context: DefaultContext) => void][] {
  return [
    [`resource/${version}.DeviceRequest`, defaultDeviceRequest],
    [`resource/${version}.DeviceSubRequest`, defaultDeviceCount],
    [`resource/${version}.ExactDeviceRequest`, defaultDeviceCount],
    [`resource/${version}.DeviceTaint`, defaultDeviceTaint],
  ];
}

/** Since 1.33, a request without a class has alternatives instead of a count. */
function defaultDeviceRequest(request: MutableObject, { minor }: DefaultContext): void {
  if (minor < 33 || childText(request, 'deviceClassName') !== '') defaultDeviceCount(request);
}

function defaultDeviceCount(request: MutableObject): void {
  setIfZero(request, 'allocationMode', 'ExactCount');
  if (childText(request, 'allocationMode') === 'ExactCount') setIfZero(request, 'count', 1n);
}

function defaultDeviceTaint(taint: MutableObject, { now }: DefaultContext): void {
  setIfNil(taint, 'timeAdded', now);
}
