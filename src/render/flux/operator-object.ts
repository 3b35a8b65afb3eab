// What the objects of the Flux operator have in common.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';

export const OPERATOR_GROUP = 'fluxcd.controlplane.io';
/** On an object of the operator: the operator leaves it alone. On a template: the object is not applied. */
export const RECONCILE = `${OPERATOR_GROUP}/reconcile`;

/** Follows `IsDisabled` in api/v1. Objects that were applied before stay in the cluster. */
export function isDisabled({ value }: Resource): boolean {
  const annotations = objectOrEmpty(objectOrEmpty(value.get('metadata')).get('annotations'));
  return textField(annotations, RECONCILE).toLowerCase() === 'disabled';
}
