// Selects the parts of a server's answer to compare, without the values that every server chooses differently.
import { isDeepStrictEqual } from 'node:util';

export interface RecordedLine {
  readonly world?: string;
  readonly id?: string;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly after?: unknown;
}

const COMPARED: readonly string[] = ['code', 'reason', 'message', 'warnings', 'annotations'];

/** Metadata fields that every server fills differently. */
const MADE_UP: ReadonlySet<string> = new Set(['uid', 'creationTimestamp', 'managedFields', 'resourceVersion']);

export interface ComparedAnswers {
  readonly expected: unknown;
  readonly actual: unknown;
}

/** `withObjects`: also compares the resulting object. */
export function comparedAnswers(
  line: RecordedLine,
  answer: Readonly<Record<string, unknown>>,
  withObjects: boolean,
): ComparedAnswers {
  return {
    expected: { ...pick(line.answer ?? {}), ...(withObjects && { after: masked(line.after) }) },
    actual: { ...pick(answer), ...(withObjects && { after: masked(answer['after']) }) },
  };
}

export function isSameAnswer(
  line: RecordedLine,
  answer: Readonly<Record<string, unknown>>,
  withObjects: boolean,
): boolean {
  const { expected, actual } = comparedAnswers(line, answer, withObjects);
  return isDeepStrictEqual(expected, actual);
}

function pick(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(COMPARED.map((field) => [field, answer[field]]));
}

function masked(value: unknown, path: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, [...path, '[]']));
  if (typeof value === 'string') return value.replace(/kube-api-access-\w{5}/g, 'kube-api-access-xxxxx');
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => !isMadeUp(key, path));
  return Object.fromEntries(fields.map(([key, item]) => [key, masked(item, [...path, key])]));
}

function isMadeUp(key: string, path: readonly string[]): boolean {
  if (path.length === 1 && path[0] === 'metadata' && MADE_UP.has(key)) return true;
  if (path.length === 1 && path[0] === 'spec' && (key === 'clusterIP' || key === 'clusterIPs')) return true;
  return key === 'nodePort' || key.endsWith('controller-uid') || key === 'lastPhaseTransitionTime';
}
