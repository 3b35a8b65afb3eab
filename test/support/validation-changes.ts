// The table `test/validation/changes.yaml`: objects, and changes of their text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const VALIDATION_FOLDER = join(import.meta.dirname, '../validation');

interface Row {
  readonly object: string;
  /** By title; each text to replace, in all places. */
  readonly changes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By title, where the line to edit is not one that the change writes: the texts of these lines, without indentation. */
  readonly lines?: Readonly<Record<string, readonly string[]>>;
}

export interface ValidationChange {
  readonly kind: string;
  readonly title: string;
  readonly base: string;
  readonly head: string;
  /** Numbers of the lines in `head` that a person edits for the refusal, from 1. */
  readonly lines: readonly number[];
  /** True if the change does not write these lines. */
  readonly isElsewhere: boolean;
}

export function validationChanges(): readonly ValidationChange[] {
  const rows = parse(readFileSync(join(VALIDATION_FOLDER, 'changes.yaml'), 'utf8')) as readonly Row[];
  return rows.flatMap(({ object, changes, lines = {} }) =>
    Object.entries(changes).map(([title, edits]) => {
      const head = changed(object, edits);
      const kind = /^kind: (\w+)/m.exec(object)?.[1] ?? '';
      const given = lines[title];
      const edited = editedLines(object, head, given ?? []);
      return { kind, title, base: object, head, lines: edited, isElsewhere: given !== undefined };
    }),
  );
}

function changed(object: string, edits: Readonly<Record<string, string>>): string {
  let text = object;
  for (const [from, to] of Object.entries(edits)) {
    if (!text.includes(from)) throw new Error(`the object has no text ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

function editedLines(base: string, head: string, given: readonly string[]): readonly number[] {
  const before = base.split('\n');
  const after = head.split('\n');
  if (given.length > 0) return after.flatMap((line, index) => (given.includes(line.trim()) ? [index + 1] : []));
  // A line that base has more often was not written by the change.
  const left = [...before];
  return after.flatMap((line, index) => {
    const at = left.indexOf(line);
    if (at === -1) return [index + 1];
    left.splice(at, 1);
    return [];
  });
}
