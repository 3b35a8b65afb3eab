// Library rows written as a table, gathered into declarations by function name.
import type { FunctionDeclaration, Overload } from '../../../cel/library.ts';

export type FunctionRow = readonly [name: string, id: string, signature: string, evaluate: Overload['evaluate']];

/** Functions and their overloads keep the order of the rows. */
export function declarationsOf(rows: readonly FunctionRow[]): readonly FunctionDeclaration[] {
  const overloads = new Map<string, Overload[]>();
  for (const [name, id, signature, evaluate] of rows) {
    const known = overloads.get(name);
    if (known === undefined) overloads.set(name, [{ id, signature, evaluate }]);
    else known.push({ id, signature, evaluate });
  }
  return [...overloads].map(([name, rowsOfName]) => ({ name, overloads: rowsOfName }));
}
