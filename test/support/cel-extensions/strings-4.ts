// `ext.StringsVersion(4)` of cel-go, which is in no Kubernetes release; CEL's own test data requires it.

import type { Library } from '../../../src/cel/declaration/library.ts';
import { STRINGS_2 } from '../../../src/cel/library/strings.ts';
import { formatString4 } from './format-4.ts';

export const STRINGS_4: Library = {
  ...STRINGS_2,
  functions: [
    ...STRINGS_2.functions.filter(({ name }) => name !== 'format'),
    {
      name: 'format',
      overloads: [
        {
          id: 'string_format',
          signature: 'string.format(list(dyn)) -> string',
          evaluate: formatString4,
          variadic: true,
          textWork: 10,
        },
      ],
    },
    {
      name: 'reverse',
      overloads: [
        {
          id: 'string_reverse',
          signature: 'string.reverse() -> string',
          evaluate: (text: string) => [...text].reverse().join(''),
        },
      ],
    },
  ],
};
