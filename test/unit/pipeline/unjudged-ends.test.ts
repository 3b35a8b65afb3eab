// Nothing that is not judged leads to `allowed`: every skip reason, every failure of a root and every result of a rule is planted.
import { describe, expect, it } from 'vitest';
import { SKIP_REASONS, type SkipReason } from '../../../src/inventory/skip-reason.ts';
import { checkState } from '../../../src/pipeline/check-state.ts';
import { compareStates } from '../../../src/pipeline/compare-states.ts';
import type { RenderEngine } from '../../../src/render/engine/render-engine.ts';
import type { FailureClass } from '../../../src/render/engine/render-request.ts';
import type { Finding, Report, Verdict } from '../../../src/report/report.ts';
import { decideVerdict } from '../../../src/report/tally/verdict.ts';
import { type Configuration, defaultConfiguration } from '../../../src/settings/configuration.ts';
import { loadConfiguration } from '../../../src/settings/load-configuration.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';
import { richReport } from '../../report/rich-report.ts';
import { engine } from '../../support/render.ts';
import { contentsOf, HARMLESS, SKIP_PLANTS, type SkipPlant, type Way } from '../../support/skip-plants.ts';
import { type Contents, statesInGit } from '../../support/states-in-git.ts';
import { configMap, sizePolicy } from '../../support/workspace.ts';

interface Judging {
  readonly configuration?: Configuration;
  readonly engine?: () => RenderEngine;
}

function check(contents: Contents, { configuration = defaultConfiguration(), ...given }: Judging = {}): Report {
  const { tree, ...state } = statesInGit(new Map(), contents).head;
  if (tree === undefined) throw new Error('the state has no files');
  return checkState({
    ...state,
    configuration,
    rendering: { tree, engine: given.engine ?? engine },
    today: '2026-11-21',
  });
}

function diff(
  base: Contents,
  head: Contents,
  { configuration = defaultConfiguration(), ...given }: Judging = {},
): Report {
  return compareStates({
    ...statesInGit(base, head),
    engine: given.engine ?? engine,
    names: { base: 'base', head: 'head' },
    configuration,
    policiesFrom: 'base',
    only: 'new',
    today: '2026-11-21',
  });
}

function configurationOf({ configuration, workLimit }: SkipPlant): Configuration {
  const file = configuration === undefined ? undefined : new SourceFile('.preadmit.yaml', configuration);
  const loaded = file === undefined ? defaultConfiguration() : loadConfiguration(file).configuration;
  if (loaded === undefined) throw new Error('the configuration of the plant does not load');
  return { ...loaded, ...(workLimit !== undefined && { workLimit }) };
}

const WAYS: Readonly<Record<Way, (reason: SkipReason, plant: (size: number) => SkipPlant) => Report>> = {
  check: (reason, plant) => {
    const planted = plant(9);
    return check(contentsOf(reason, planted), { configuration: configurationOf(planted) });
  },
  created: (reason, plant) => {
    const planted = plant(9);
    const base = contentsOf(reason, { files: {} });
    return diff(base, contentsOf(reason, planted), { configuration: configurationOf(planted) });
  },
  touched: (reason, plant) => {
    const planted = plant(9);
    const base = contentsOf(reason, plant(1));
    return diff(base, contentsOf(reason, planted), { configuration: configurationOf(planted) });
  },
};

const REASONS = Object.keys(SKIP_REASONS) as SkipReason[];

describe('a skip reason', () => {
  it('has a plant', () => {
    expect(Object.keys(SKIP_PLANTS).sort()).toEqual([...REASONS].sort());
  });

  it.each(REASONS)('%s', (reason) => {
    const plant = SKIP_PLANTS[reason];
    const reports = (Object.keys(WAYS) as Way[]).map((way) => [way, WAYS[way](reason, plant)] as const);
    expect(reports[0]?.[1].coverage.skipped.map((entry) => entry.reason)).toContain(reason);
    const allowed = reports.flatMap(([way, { verdict }]) => (verdict.conclusion === 'allowed' ? [way] : []));
    expect(allowed).toEqual(HARMLESS[reason]?.ways ?? []);
  });
});

const CLASSES: Readonly<Record<FailureClass, true>> = {
  'remote-base': true,
  plugin: true,
  'helm-chart': true,
  'missing-file': true,
  'outside-root': true,
  'missing-input': true,
  'patch-target': true,
  transformation: true,
  conflict: true,
  cycle: true,
  empty: true,
  unparsable: true,
  'missing-dependency': true,
  'library-chart': true,
  'required-value': true,
  'values-schema': true,
  template: true,
  limit: true,
  budget: true,
  busy: true,
  other: true,
};

/** An engine that fails every request for this reason. */
function failing(failure: FailureClass): () => RenderEngine {
  return () => ({ ...engine(), render: () => ({ failure, message: `no: ${failure}`, warnings: [] }) });
}

const CLEAN = { 'policies/size.yaml': sizePolicy(), 'apps/good.yaml': configMap('good', 1) };
const KUSTOMIZATION = 'kind: Kustomization\nresources: [object.yaml]\n';
const ROOTS: Readonly<Record<string, (size: number) => Readonly<Record<string, string>>>> = {
  kustomization: (size) => ({
    'planted/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1\n${KUSTOMIZATION}`,
    'planted/object.yaml': configMap('planted', size),
  }),
  component: (size) => ({
    'planted/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1\n${KUSTOMIZATION.replace('Kustomization', 'Component')}`,
    'planted/object.yaml': configMap('planted', size),
  }),
  chart: (size) => ({
    'planted/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'planted/templates/object.yaml': configMap('planted', size),
  }),
};
const FAILURES = Object.keys(ROOTS).flatMap((root) =>
  (Object.keys(CLASSES) as FailureClass[]).map((failure) => [root, failure] as const),
);

describe('a root that cannot be rendered', () => {
  it.each(FAILURES)('%s: %s', (root, failure) => {
    const at = (size: number): Contents => new Map(Object.entries({ ...CLEAN, ...ROOTS[root]?.(size) }));
    const given = { engine: failing(failure) };
    const clean = new Map(Object.entries(CLEAN));
    const conclusions = [check(at(9), given), diff(clean, at(9), given), diff(at(1), at(9), given)].map(
      ({ verdict }) => verdict.conclusion,
    );
    expect(conclusions).not.toContain('allowed');
    expect(conclusions).not.toContain('nothing-checked');
  });

  it('an unknown source', () => {
    const release = (size: number): string =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: shop}\nspec:\n  chart: {spec: {chart: shop, sourceRef: {kind: HelmRepository, name: elsewhere}}}\n  values: {size: ${size}}\n`;
    const at = (size: number): Contents => new Map(Object.entries({ ...CLEAN, 'release.yaml': release(size) }));
    const clean = new Map(Object.entries(CLEAN));
    const reports = [check(at(9)), diff(clean, at(9)), diff(at(1), at(9))];
    expect(reports.map(({ verdict }) => verdict.conclusion)).toEqual(['undecided', 'undecided', 'undecided']);
  });
});

it('another object with the mistake of an object that the change deletes', () => {
  const at = (name: string): Contents => {
    const refused = configMap(name, 1).replace('data:\n  size:', 'data: []\nimmutable:');
    return new Map(Object.entries({ ...CLEAN, 'planted/object.yaml': refused }));
  };
  expect(diff(at('old'), at('new')).verdict.conclusion).toBe('denied');
  expect(diff(at('old'), at('old')).verdict.conclusion).not.toBe('denied');
});

/** What a finding of a denying policy does. */
const RESULTS: Readonly<Record<Finding['result'], Verdict['conclusion']>> = {
  fail: 'denied',
  error: 'denied',
  unknown: 'undecided',
};

it.each(Object.entries(RESULTS))('a rule with the result %s', (result, conclusion) => {
  const [finding] = richReport.findings;
  if (finding === undefined) throw new Error('the rich report has no finding');
  const { excuse: _, ...counted } = { ...finding, result: result as Finding['result'], actions: ['Deny'] as const };
  const verdict = decideVerdict({
    findings: [counted],
    diagnostics: [],
    failOn: 'deny',
    onUndecided: 'fail',
    checked: 1,
  });
  expect(verdict.conclusion).toBe(conclusion);
});
