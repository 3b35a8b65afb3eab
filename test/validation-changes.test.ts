// The server's answer to changes of built-in objects: immutable fields, and mistakes that people make. `BLESS=1` writes the golden file.
import { join } from 'node:path';
import { test } from 'vitest';
import { compareStates } from '../src/pipeline/compare-states.ts';
import type { RepositoryState } from '../src/pipeline/scope/reading-scope.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { expectGolden } from './support/bless.ts';
import { serverValidation } from './support/server-validation.ts';
import { VALIDATION_FOLDER, type ValidationChange, validationChanges } from './support/validation-changes.ts';

function stateOf(text: string): RepositoryState {
  const file = new SourceFile('object.yaml', text);
  return { files: [{ file, selected: true }], paths: new Set([file.path]), notRead: [] };
}

function answers({ base, head }: ValidationChange): readonly string[] {
  const report = compareStates({
    base: stateOf(base),
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

test('the server answers changes of built-in objects', { timeout: 600_000 }, () => {
  const lines = validationChanges().flatMap((change) => [`${change.kind}: ${change.title}`, ...answers(change)]);
  expectGolden(join(VALIDATION_FOLDER, 'expected.txt'), `${lines.join('\n')}\n`);
});
