// cel-go's `ext.StringsVersion(4)`. Not in Kubernetes.
import { STRINGS_2 } from '../../../src/cel/library/strings.ts';
import type { FunctionDeclaration, Library } from '../../../src/cel/library.ts';
import { formatString4 } from './format-4.ts';

function newer(declaration: FunctionDeclaration): FunctionDeclaration {
  if (declaration.name !== 'format') return declaration;
  return { ...declaration, overloads: declaration.overloads.map((of) => ({ ...of, evaluate: formatString4 })) };
}

export const STRINGS_4: Library = {
  name: STRINGS_2.name,
  functions: [
    ...STRINGS_2.functions.map(newer),
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
