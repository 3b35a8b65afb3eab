// Every hostile input ends with its own diagnostic, or when a small work budget is spent.
import { describe, expect, it } from 'vitest';
import type { HostileInput } from '../../../scripts/fuzz/hostile-input.ts';
import { hostileInputs } from '../../../scripts/fuzz/hostile-inputs.ts';
import { checkState } from '../../../src/pipeline/check-state.ts';
import type { Report } from '../../../src/report/report.ts';
import { defaultConfiguration } from '../../../src/settings/configuration.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

/** A hundredth of a run's default budget. */
const SMALL_BUDGET = 5_000_000;

function check({ files }: HostileInput, workLimit: number): Report {
  return checkState({
    files: Object.entries(files).map(([path, text]) => ({ file: new SourceFile(path, text), selected: true })),
    paths: new Set(Object.keys(files)),
    notRead: [],
    configuration: { ...defaultConfiguration(), workLimit },
    today: '2026-11-22',
  });
}

function codesOf({ findings, diagnostics }: Report): readonly string[] {
  return [...new Set([...findings, ...diagnostics].map(({ code }) => code))];
}

function inputNamed(text: string): HostileInput {
  const input = hostileInputs().find(({ name }) => name.startsWith(text));
  if (input === undefined) throw new Error(`there is no input ${text}`);
  return input;
}

const TIMEOUT = { timeout: 120_000 };

describe('a hostile input that takes little work gets its own diagnostic', () => {
  it.each([
    'lists doubled',
    'texts doubled',
    'reads doubled',
    'conditions doubled',
    'annotation doubled',
    'Kyverno: JMESPath doubled',
    'Kyverno: pattern of 5,000',
    'Kyverno: 1,000 variables',
  ])('%s', TIMEOUT, (name) => {
    const input = inputNamed(name);
    expect(codesOf(check(input, 100 * SMALL_BUDGET))).toContain(input.expects);
  });
});

describe('a hostile input that takes much work stops when the budget is spent', () => {
  it.each([
    ['nested all', 'ValidatingAdmissionPolicy hostile'],
    ['7,500 defaults', 'CustomResourceDefinition widgets.example.com'],
    ['oneOf', 'CustomResourceDefinition widgets.example.com'],
    ['3,000 params by selector', 'ValidatingAdmissionPolicy hostile'],
    ['3,000 validations', 'ValidatingAdmissionPolicy hostile'],
    ['Kyverno: foreach', 'ClusterPolicy hostile'],
    ['Kyverno: 2,000 rules', 'ClusterPolicy hostile'],
    ['Kyverno: CEL nested all', 'ValidatingPolicy hostile'],
  ])('%s', TIMEOUT, (name, spender) => {
    const { diagnostics, coverage, verdict } = check(inputNamed(name), SMALL_BUDGET);
    const [spent] = diagnostics.filter(({ code, resource }) => code === 'too-much-work' && resource === undefined);
    expect(spent?.message).toContain(`most work: ${spender} (`);
    expect(coverage.skipped.some(({ reason }) => reason === 'too-much-work')).toBe(true);
    expect(verdict.conclusion).toBe('denied');
  });

  it('stops at the same object every time', TIMEOUT, () => {
    const [one, other] = [1, 2].map(() => check(inputNamed('nested all'), SMALL_BUDGET));
    expect(one).toEqual(other);
  });
});
