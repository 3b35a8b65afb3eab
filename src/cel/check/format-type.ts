// Formats types for checker messages (cel-go `checker.FormatCELType`). `type()` uses other names.
import type { Type } from './type.ts';

/** Longer texts are cut: every level of a comprehension can double a nested type. */
const MAX_LENGTH = 10_000;

export function formatType(type: Type): string {
  const parts: string[] = [];
  write(type, parts, { left: MAX_LENGTH });
  return parts.join('');
}

/** A call's argument types: `(int, string)`, or `list(int).(string)` with the receiver first. */
export function formatArguments(types: readonly Type[], receiverStyle: boolean): string {
  const [receiver, ...rest] = types;
  if (receiverStyle && receiver !== undefined) return `${formatType(receiver)}.(${rest.map(formatType).join(', ')})`;
  return `(${types.map(formatType).join(', ')})`;
}

function write(type: Type, parts: string[], budget: { left: number }): void {
  const name = nameOf(type);
  budget.left -= name.length + 2;
  if (budget.left < 0) {
    parts.push('…');
    return;
  }
  parts.push(name);
  if (type.parameters.length === 0) return;
  parts.push('(');
  for (const [index, parameter] of type.parameters.entries()) {
    if (index > 0) parts.push(', ');
    write(parameter, parts, budget);
  }
  parts.push(')');
}

function nameOf(type: Type): string {
  switch (type.kind) {
    case 'any':
    case 'duration':
    case 'timestamp':
    case 'null':
      return type.kind;
    case 'error':
      return '!error!';
    default:
      return type.nullable ? `wrapper(${type.name})` : type.name;
  }
}
