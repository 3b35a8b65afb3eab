// What candidate policy sources would change: compares one state with itself under other policies.
import type { WhatIf } from '../../report/audit/what-if.ts';
import { openDiagnostics } from '../../report/baseline/excuse.ts';
import type { CheckInput } from '../check-state.ts';
import { compareStates } from '../compare-states.ts';
import type { PolicySourceState } from '../state/policy-sources.ts';

const MAX_ENTRIES = 500;
const MAX_PROBLEMS = 100;

/** A candidate replaces the source of the same name; otherwise it is added, for every target. */
export function candidatePolicies(input: CheckInput, candidates: readonly PolicySourceState[]): WhatIf {
  const { files, paths, notRead, rendering, policySources = [], baseline, today, serverValidation, ownerRules } = input;
  const names = new Set(candidates.map(({ name }) => name));
  const configuration = {
    ...input.configuration,
    targets: input.configuration.targets.map((target) => ({
      ...target,
      ...(target.policySources && { policySources: [...new Set([...target.policySources, ...names])] }),
    })),
  };
  const state = { files, paths, notRead, ...(rendering && { tree: rendering.tree }) };
  const report = compareStates({
    base: { ...state, policySources },
    head: { ...state, policySources: [...policySources.filter(({ name }) => !names.has(name)), ...candidates] },
    names: { base: 'current policies', head: 'candidate policies' },
    configuration,
    policiesFrom: 'head',
    only: 'new',
    ...(rendering && { engine: rendering.engine }),
    ...(rendering?.builder && { builder: rendering.builder }),
    ...(rendering?.repositoryUrl !== undefined && { repositoryUrl: rendering.repositoryUrl }),
    ...(rendering?.remotes && { remotes: rendering.remotes }),
    ...(serverValidation && { serverValidation }),
    ...(baseline && { baseline }),
    ...(ownerRules && { ownerRules }),
    ...(today !== undefined && { today }),
  });
  const { blastRadius } = report;
  const problems = openDiagnostics(report.diagnostics).filter(
    ({ status, code, resource }) => status === 'new' && code !== 'stricter-rule' && resource === undefined,
  );
  return {
    sources: candidates.map(({ name, version }) => ({
      name,
      version,
      replaces: policySources.some((each) => each.name === name),
    })),
    ...(blastRadius && { blastRadius: { ...blastRadius, entries: blastRadius.entries.slice(0, MAX_ENTRIES) } }),
    problems: problems.slice(0, MAX_PROBLEMS),
  };
}
