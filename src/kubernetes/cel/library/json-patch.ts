// `jsonpatch.escapeKey(…)`, for mutating policies (apiserver `pkg/cel/library/jsonpatch.go`).
import type { Library } from '../../../cel/declaration/library.ts';
import { declarationsOf } from './declaration.ts';
import { PASS } from './prices.ts';

export const JSON_PATCH_LIBRARY: Library = {
  name: 'kubernetes.jsonpatch',
  functions: declarationsOf([
    [
      'jsonpatch.escapeKey',
      'string_jsonpatch_escapeKey_string',
      'jsonpatch.escapeKey(string) -> string',
      PASS,
      (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
    ],
  ]),
};
