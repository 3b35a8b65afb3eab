// Hash functions on strings. Results are hexadecimal.
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf } from './byte-text.ts';
import { type QueryFunction, textAt } from './function-table.ts';

export const DIGEST_FUNCTIONS: readonly QueryFunction[] = [
  declare('sha256', sha256),
  declare('sha1', sha1),
  declare('md5', md5),
];

function declare(name: string, hash: (message: Uint8Array) => Uint8Array): QueryFunction {
  return {
    name,
    parameters: [['string']],
    handler: (values, { budget }) => {
      const text = textAt(values, 0);
      budget.spend(10 + text.length);
      const bytes = Uint8Array.from(bytesOf(text), (byte) => byte.charCodeAt(0));
      return [...hash(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
}
