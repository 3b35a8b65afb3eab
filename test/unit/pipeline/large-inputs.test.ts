// Lists that are too long to be passed as arguments, and short inputs with exponential values.
import { describe, expect, it } from 'vitest';
import { hostileInputs } from '../../../scripts/fuzz/hostile-inputs.ts';
import { checkState } from '../../../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../../../src/settings/configuration.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

/** Findings and problems of one hostile input. */
function problemsOf(name: string): readonly string[] {
  const input = hostileInputs().find((each) => each.name === name);
  if (input === undefined) throw new Error(`there is no input ${name}`);
  const files = Object.entries(input.files).map(([path, text]) => ({
    file: new SourceFile(path, text),
    selected: true,
  }));
  const { findings, diagnostics } = checkState({
    files,
    paths: new Set(Object.keys(input.files)),
    notRead: [],
    configuration: defaultConfiguration(),
    today: '2026-11-22',
  });
  return [...findings.map(({ message }) => message), ...diagnostics.map(({ code }) => code)];
}

describe('reads a list of any length', () => {
  it.each([
    ['200,000 labels', /^failed expression: size\(object\.metadata\.labels\) < 3$/],
    ['150,000 unknown fields of a custom resource', /^unknown-field$/],
  ])('%s', { timeout: 60_000 }, (name, problem) => {
    expect(problemsOf(name).some((each) => problem.test(each))).toBe(true);
  });
});

describe('evaluates a value once if every variable doubles it', () => {
  it.each([
    ['lists doubled 59 times', /^undecided, depends on an evaluation that exceeds the work limit/],
    ['reads doubled 22 times', /^failed expression: variables\.v22 == 'x'$/],
    ['conditions doubled 40 times', /^failed expression: variables\.v40$/],
  ])('%s', (name, problem) => {
    expect(problemsOf(name).filter((each) => problem.test(each))).toHaveLength(1);
  });
});
