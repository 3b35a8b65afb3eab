// Rounds resource amounts up to thousandths (`SetDefaults_ResourceList` of pkg/apis/core/v1/defaults.go).
import { formatQuantity, parseQuantity } from '../../quantity/quantity.ts';
import { roundedUp } from '../../quantity/quantity-amount.ts';
import type { MutableObject } from '../typed-field.ts';

const MILLI = -3;

/** Fast check for most amounts: whole numbers or whole thousandths. */
const COARSE = /^-?\d+(?:[mkMGTPE]|[KMGTPE]i)?$/;

export function roundResources(resources: MutableObject): void {
  for (const [name, text] of resources) {
    if (typeof text === 'string' && !COARSE.test(text)) resources.set(name, roundedToMilli(text));
  }
}

function roundedToMilli(text: string): string {
  const quantity = parseQuantity(text);
  if ('error' in quantity || quantity.amount.scale >= MILLI) return text;
  return formatQuantity({ amount: roundedUp(quantity.amount, MILLI), format: quantity.format });
}
