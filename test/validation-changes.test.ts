// The server's answer to changes of built-in objects: immutable fields, and mistakes that people make. `BLESS=1` writes the golden file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { parse } from 'yaml';
import { compareStates } from '../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../src/pipeline/scope/reading-scope.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { expectGolden } from './support/bless.ts';
import { serverValidation } from './support/server-validation.ts';

interface Row {
  readonly object: string;
  /** Texts to replace, in all places. */
  readonly changes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const FOLDER = join(import.meta.dirname, 'validation');
const ROWS = parse(readFileSync(join(FOLDER, 'changes.yaml'), 'utf8')) as readonly Row[];

function stateOf(text: string): RepositoryState {
  const file = new SourceFile('object.yaml', text);
  return { files: [{ file, selected: true }], paths: new Set([file.path]), notRead: [] };
}

function changed(object: string, edits: Readonly<Record<string, string>>): string {
  let text = object;
  for (const [from, to] of Object.entries(edits)) {
    if (!text.includes(from)) throw new Error(`the object has no text ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

function answers(object: string, edits: Readonly<Record<string, string>>): readonly string[] {
  const head = changed(object, edits);
  const report = compareStates({
    base: stateOf(object),
    head: stateOf(head),
    names: { base: 'base', head: 'head' },
    configuration: defaultConfiguration(),
    serverValidation: serverValidation(),
    policiesFrom: 'base',
    only: 'new',
  });
  const unknowns = report.targets.flatMap((target) =>
    target.unknowns.filter((text) => text.startsWith('whether')).map((text) => `  unknown: ${text}`),
  );
  const told = report.diagnostics
    .filter(({ status }) => status !== 'existing')
    .map(({ code, message, primary }) => {
      const line = head.split('\n')[(primary?.startLine ?? 0) - 1]?.trim();
      return `  ${code} at ${primary?.startLine} (${line}): ${message.replaceAll('\n', ' ')}`;
    });
  return [...told, ...unknowns, ...(told.length + unknowns.length === 0 ? ['  accepted'] : [])];
}

test('the server answers changes of built-in objects', () => {
  const lines = ROWS.flatMap(({ object, changes }) =>
    Object.entries(changes).flatMap(([title, edits]) => {
      const kind = /^kind: (\w+)/m.exec(object)?.[1];
      return [`${kind}: ${title}`, ...answers(object, edits)];
    }),
  );
  expectGolden(join(FOLDER, 'expected.txt'), `${lines.join('\n')}\n`);
});
