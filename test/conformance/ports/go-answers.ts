// Answers and arguments of the port of Go's standard library, in the form of the Go program.
import type { GoFunction } from './go.ts';
import type { Answer } from './port.ts';

/** A value, or an object with an error of Go. */
export function answered(value: unknown): Answer {
  if (typeof value === 'object' && value !== null && 'error' in value) return { error: value.error };
  return { value };
}

/** A function whose arguments are texts. */
export function textFunction(
  name: string,
  generate: GoFunction['generate'],
  answer: (first: string, second: string, third: string) => unknown,
): GoFunction {
  return {
    name,
    generate,
    answer: (args) => {
      const [first = '', second = '', third = ''] = args as readonly string[];
      return answered(answer(first, second, third));
    },
  };
}

const VIEW = new DataView(new ArrayBuffer(8));

/** The bits of a double as hexadecimal text, because JSON has neither NaN nor negative zero. */
export function bitsOf(value: number): string {
  VIEW.setFloat64(0, value);
  return Number.isNaN(value) ? 'NaN' : VIEW.getBigUint64(0).toString(16).padStart(16, '0');
}

export function doubleOf(bits: string): number {
  VIEW.setBigUint64(0, BigInt(`0x${bits}`));
  return VIEW.getFloat64(0);
}
