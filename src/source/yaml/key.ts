// Keys of YAML mappings: detects merge keys and converts keys to JSON strings.
import { formatFloatKey } from '../../go/strconv/number.ts';
import type { Node } from '../node/node.ts';
import { type GoScalar, MERGE_TAG } from './resolve.ts';

/** Prefix of the substitutes for keys that JSON cannot hold. No text that was read starts with it. */
const UNSUPPORTED = '\ud800';

/** go-yaml `isMerge`: a plain `<<`, or one tagged `!!merge`, but not an alias to one. */
export function isMergeKey(node: Node): boolean {
  return node.kind === 'scalar' && node.value === '<<' && (node.implicit || node.tag === MERGE_TAG);
}

/** sigs.k8s.io/yaml `convertToJSONableObject`. null and uint64, which it rejects, become strings that no key can equal. */
export function jsonKey(key: GoScalar): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number') return formatFloatKey(key);
  return isSupportedKey(key) ? String(key) : `${UNSUPPORTED}${key}`;
}

export function isSupportedKey(key: GoScalar): boolean {
  return key !== null && !(typeof key === 'bigint' && key >= 2n ** 63n);
}
