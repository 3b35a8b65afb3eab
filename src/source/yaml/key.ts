// Keys of YAML mappings: which one is a merge key, and what string a key becomes in JSON.
import { formatFloatKey } from '../../go/strconv/number.ts';
import type { Node } from '../node/node.ts';
import { type GoScalar, MERGE_TAG } from './resolve.ts';

/** Begins the stand-ins for keys JSON cannot hold; no text that was read begins so. */
const UNSUPPORTED = '\ud800';

/** go-yaml `isMerge`: a plain `<<`, or one tagged `!!merge`. An alias to one does not count. */
export function isMergeKey(node: Node): boolean {
  return node.kind === 'scalar' && node.value === '<<' && (node.implicit || node.tag === MERGE_TAG);
}

/** sigs.k8s.io/yaml `convertToJSONableObject`; for null and uint64, which it refuses, a string no key can be. */
export function jsonKey(key: GoScalar): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number') return formatFloatKey(key);
  return isSupportedKey(key) ? String(key) : `${UNSUPPORTED}${key}`;
}

export function isSupportedKey(key: GoScalar): boolean {
  return key !== null && !(typeof key === 'bigint' && key >= 2n ** 63n);
}
