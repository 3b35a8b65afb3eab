// Builds library declarations from table rows, grouped by function name.
import type { FunctionDeclaration, Overload } from '../../../cel/declaration/library.ts';
import { type NamePrice, UNIT } from '../../../cel/declaration/price.ts';

/** `unit`: Kubernetes has no price for the name, so cel-go's price of one unit applies. */
export type FunctionRow = readonly [
  name: string,
  id: string,
  signature: string,
  price: NamePrice | 'unit',
  evaluate: Overload['evaluate'],
];

/** Keeps the order of the rows. Rows with the same name share one price. */
export function declarationsOf(rows: readonly FunctionRow[]): readonly FunctionDeclaration[] {
  const byName = new Map<string, { readonly price: FunctionRow[3]; readonly overloads: Overload[] }>();
  for (const [name, id, signature, price, evaluate] of rows) {
    const overload: Overload = { id, signature, evaluate, price: UNIT };
    const known = byName.get(name);
    if (known === undefined) byName.set(name, { price, overloads: [overload] });
    else if (known.price !== price) throw new Error(`two prices for ${name}`);
    else known.overloads.push(overload);
  }
  return [...byName].map(([name, { price, overloads }]) =>
    price === 'unit' ? { name, overloads } : { name, overloads, price },
  );
}
