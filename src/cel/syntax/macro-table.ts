// Finds the macro of a call (cel-go `parser.makeMacroKey`).
import type { Macro } from './macro.ts';

/** By name; of two macros with the same shape, the later wins. */
export type MacroTable = ReadonlyMap<string, readonly Macro[]>;

export function macroTable(macros: Iterable<Macro>): MacroTable {
  const table = new Map<string, Macro[]>();
  for (const macro of macros) {
    const namesakes = table.get(macro.name) ?? [];
    table.set(macro.name, [macro, ...namesakes.filter((other) => !sameShape(other, macro))]);
  }
  return table;
}

export function findMacro(
  table: MacroTable,
  name: string,
  argCount: number,
  receiverStyle: boolean,
): Macro | undefined {
  const namesakes = table.get(name);
  if (namesakes === undefined) return undefined;
  const find = (count: number | 'any'): Macro | undefined =>
    namesakes.find((macro) => macro.argCount === count && macro.receiverStyle === receiverStyle);
  return find(argCount) ?? find('any');
}

function sameShape(one: Macro, other: Macro): boolean {
  return one.argCount === other.argCount && one.receiverStyle === other.receiverStyle;
}
