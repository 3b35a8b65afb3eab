// Equality of the members of containers (`Equal` of cel-go's values).
import { equalsOrError } from '../../../cel/value/equality.ts';
import { HostList, HostMap } from '../../../cel/value/host-container.ts';
import { ErrorValue, type Value } from '../../../cel/value/value.ts';
import type { Meter } from '../../../go/meter.ts';

/** Unlike `==`, returns an error if a container is compared with a value of another type. */
export function sameMember(left: Value, right: Value, meter: Meter | undefined): boolean | ErrorValue {
  if (left instanceof ErrorValue) return left;
  if (left === null) return right === null;
  if (left instanceof HostMap || left instanceof HostList) return left.equals(right, meter);
  return equalsOrError(left, right, meter);
}
