// action.yml, the code that reads it, the command line and docs/action.md are consistent.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CHECK_OPTIONS } from '../../src/door/cli/options/option-table.ts';
import { INPUT_NAMES, readInputs } from '../../src/github/inputs.ts';
import { OUTPUT_NAMES } from '../../src/github/outputs.ts';
import { inputVariable } from '../support/runner.ts';

interface ActionMetadata {
  readonly inputs: Record<string, { readonly description: string; readonly default?: string }>;
  readonly outputs: Record<string, { readonly description: string }>;
  readonly runs: { readonly using: string; readonly main: string };
}

const ROOT = join(import.meta.dirname, '../..');
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as ActionMetadata;

test('action.yml has the inputs the code reads, in its order', () => {
  expect(Object.keys(action.inputs)).toEqual([...INPUT_NAMES]);
});

test('action.yml has the outputs the code writes', () => {
  expect(Object.keys(action.outputs)).toEqual([...OUTPUT_NAMES]);
});

test('action.yml runs the bundle', () => {
  expect(action.runs).toEqual({ using: 'node24', main: 'dist/action.js' });
});

/**
 * `output` only redirects standard output. `allow-nothing` is for hooks: an empty check in a workflow must not succeed. In a workflow,
 * `audit-issue: per-owner` takes the place of `owner` and `group-by`.
 */
const NO_INPUTS = ['output', 'owner', 'group-by', 'allow-nothing'];

test('every option of the command line that is useful in a workflow is an input', () => {
  const options = CHECK_OPTIONS.map(({ name }) => name).filter((name) => !NO_INPUTS.includes(name));
  expect(options.filter((name) => !Object.hasOwn(action.inputs, name))).toEqual([]);
  expect(NO_INPUTS.filter((name) => !CHECK_OPTIONS.some((option) => option.name === name))).toEqual([]);
});

test('the defaults of action.yml are valid inputs', () => {
  const environment = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [inputVariable(name), input.default ?? '']),
  );
  expect(readInputs(environment).problems).toEqual([]);
});

test('docs/action.md contains the table of action.yml', () => {
  const path = join(ROOT, 'docs/action.md');
  if (process.env['BLESS'] === '1') writeFileSync(path, page());
  expect(readFileSync(path, 'utf8')).toBe(page());
});

function page(): string {
  const rows = (entries: Record<string, { readonly description: string }>): string =>
    Object.entries(entries)
      .map(([name, { description }]) => `| \`${name}\` | ${description} |\n`)
      .join('');
  return `# Inputs and outputs of the action

Look up the inputs and outputs of the action here. Every input is optional. An input with the name of a command line option has the same
meaning. [GitHub Actions](github-actions.md) has examples.

This page is generated from action.yml by \`BLESS=1 npx vitest run test/action/action-yml.test.ts\`.

| input | |
|---|---|
${rows(action.inputs)}
| output | |
|---|---|
${rows(action.outputs)}`;
}
