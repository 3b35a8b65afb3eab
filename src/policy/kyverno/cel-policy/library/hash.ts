// `sha1`, `sha256`, `md5`, also as `hash.sha256` and similar (Kyverno sdk `cel/libs/hash`).
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Library } from '../../../../cel/declaration/library.ts';
import { declarationsOf, type FunctionRow } from '../../../../kubernetes/cel/library/declaration.ts';

const HASHES: readonly (readonly [string, (message: Uint8Array) => Uint8Array])[] = [
  ['sha1', sha1],
  ['sha256', sha256],
  ['md5', md5],
];

export const HASH_LIBRARY: Library = {
  name: 'kyverno.hash',
  functions: declarationsOf(
    HASHES.flatMap(([name, hash]): readonly FunctionRow[] => {
      const digest = (text: string): string =>
        [...hash(new TextEncoder().encode(text))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return [
        [name, `${name}_string_non_prefixed`, `${name}(string) -> string`, 'unit', digest],
        [`hash.${name}`, `${name}_string_prefixed`, `hash.${name}(string) -> string`, 'unit', digest],
      ];
    }),
  ),
};
