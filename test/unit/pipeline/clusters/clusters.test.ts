// Derives the clusters of a repository without configuration, and the resources of each.
import { describe, expect, it } from 'vitest';
import { checkState } from '../../../../src/pipeline/check-state.ts';
import { clusterFolders } from '../../../../src/pipeline/clusters/cluster-folders.ts';
import { MAXIMUM_CLUSTERS } from '../../../../src/pipeline/clusters/clusters.ts';
import { compareStates } from '../../../../src/pipeline/compare-states.ts';
import { separated } from '../../../../src/report/builder/join-roots.ts';
import type { Report } from '../../../../src/report/report.ts';
import { defaultConfiguration } from '../../../../src/settings/configuration.ts';
import { engine } from '../../../support/render.ts';
import { statesInGit } from '../../../support/states-in-git.ts';

type Texts = Readonly<Record<string, string>>;

function check(texts: Texts): Report {
  const { tree, ...state } = statesInGit(new Map(), new Map(Object.entries(texts))).head;
  if (tree === undefined) throw new Error('no tree');
  return checkState({
    ...state,
    configuration: { ...defaultConfiguration(), unreached: 'judge' },
    today: '2026-11-22',
    rendering: { tree, engine },
  });
}

function compare(base: Texts, head: Texts): Report {
  return compareStates({
    ...statesInGit(new Map(Object.entries(base)), new Map(Object.entries(head))),
    engine,
    names: { base: 'base', head: 'head' },
    configuration: { ...defaultConfiguration(), unreached: 'judge' },
    policiesFrom: 'base',
    only: 'new',
    today: '2026-11-22',
  });
}

const names = ({ targets }: Report): readonly string[] => targets.map(({ name }) => name);
const denied = ({ findings }: Report): readonly string[] =>
  findings
    .flatMap(separated)
    .map(({ target, resource }) => `${target} ${resource.kind} ${resource.name}`)
    .sort();

function flux(path: string, name = 'apps', more = ''): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {path: ${path}, sourceRef: {kind: GitRepository, name: flux-system}${more}}
`;
}

function application(name: string, path: string, destination: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec: {source: {repoURL: "https://git.example.com/fleet", path: ${path}}, destination: {${destination}}}
`;
}

function workload(name: string, replicas = 1): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
}

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: object.spec.replicas >= 2}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;

describe('clusters', () => {
  it('are the innermost folders that declare the same name', () => {
    const at = (folder: string) => ({ key: 'flux-system', folder });
    const { leaves, namesByFolder } = clusterFolders(
      ['clusters/eu/a/flux', 'clusters/eu/b/flux', 'clusters/us/flux'].map(at),
      new Set(),
    );
    expect(leaves.map(({ name, paths }) => [name, paths])).toEqual([
      ['a', ['clusters/eu/a']],
      ['b', ['clusters/eu/b']],
      ['us', ['clusters/us']],
    ]);
    expect([...(namesByFolder.get('clusters/eu') ?? [])]).toEqual(['a', 'b']);
  });

  it('with one name are one cluster, unless they declare something twice', () => {
    const at = (key: string, folder: string) => ({ key, folder });
    const overlays = ['web', 'db'].flatMap((app) =>
      ['staging', 'production'].map((name) => at(app, `${app}/overlays/${name}`)),
    );
    expect(clusterFolders(overlays, new Set()).leaves.map(({ name }) => name)).toEqual(['production', 'staging']);
    const regions = ['eu', 'us'].flatMap((region) =>
      ['staging', 'production'].map((name) => at('flux-system', `${region}/${name}`)),
    );
    expect(
      clusterFolders(regions, new Set())
        .leaves.map(({ name }) => name)
        .sort(),
    ).toEqual(['eu-production', 'eu-staging', 'us-production', 'us-staging']);
  });

  it('are not derived if there is only one', () => {
    const report = check({ 'clusters/main/apps.yaml': flux('./apps'), 'apps/web.yaml': workload('web') });
    expect(names(report)).toEqual(['default']);
    expect(report.targets[0]?.derivedFrom).toBeUndefined();
  });

  it('are not a bootstrap and the root that replaces it', () => {
    const texts = {
      'bootstrap/argocd.yaml': application('argocd', 'argocd', 'server: "https://kubernetes.default.svc"'),
      'apps/platform/argocd.yaml': application('argocd', 'argocd', 'server: "https://kubernetes.default.svc"'),
      'argocd/web.yaml': workload('web'),
    };
    expect(names(check(texts))).toEqual(['default']);
  });

  it('are the folders of FluxInstances that apply their own files', () => {
    const instance = (name: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {name: flux, namespace: flux-system}
spec:
  distribution: {version: 2.x, registry: ghcr.io/fluxcd}
  sync: {kind: OCIRepository, url: "oci://registry.example.com/fleet", ref: latest, path: clusters/${name}}
`;
    const files = ['staging', 'production'].map((name) => [`clusters/${name}/flux-system/flux.yaml`, instance(name)]);
    expect(names(check(Object.fromEntries(files)))).toEqual(['production', 'staging']);
  });

  it('are merged if there are too many', () => {
    const texts: Record<string, string> = { 'deploy/web.yaml': workload('web') };
    for (let index = 0; index <= MAXIMUM_CLUSTERS; index++) {
      texts[`apps/${index}.yaml`] = application(`web-${index}`, 'deploy', `name: cluster-${index}`);
    }
    const report = check(texts);
    expect(names(report)).toEqual(['default']);
    expect(report.targets[0]?.unknowns.join()).toContain(`has ${MAXIMUM_CLUSTERS + 1} clusters`);
  });
});

describe('the resources of a cluster', () => {
  it('of an app of apps in a remote cluster are those that its children apply to their own cluster', () => {
    const report = check({
      'apps/remote.yaml': application('remote', 'children', 'name: remote'),
      'apps/other.yaml': application('other', 'other', 'name: other'),
      'children/web.yaml': application('web', 'web', 'server: "https://kubernetes.default.svc"'),
      'web/web.yaml': workload('web'),
      'other/db.yaml': workload('db', 2),
      'policies/replicas.yaml': POLICY,
    });
    expect(names(report)).toEqual(['other', 'remote']);
    expect(denied(report)).toEqual(['remote Deployment web']);
  });

  it('include all resources without a known cluster, and all policies that no root applies', () => {
    const report = check({
      'clusters/a/apps.yaml': flux('./apps/a'),
      'clusters/b/apps.yaml': flux('./apps/b'),
      'apps/a/web.yaml': workload('web', 2),
      'apps/b/web.yaml': workload('web', 2),
      'clusters/a/policies/replicas.yaml': POLICY,
      'tools/job.yaml': workload('job'),
    });
    expect(names(report)).toEqual(['a', 'b']);
    expect(denied(report)).toEqual(['a Deployment job', 'b Deployment job']);
    expect(report.coverage.notEvaluated.some(({ reason }) => reason === 'no-target')).toBe(false);
  });

  it('include a folder with its name only beside a folder of another cluster', () => {
    const report = check({
      'clusters/apps/flux.yaml': flux('./apps'),
      'clusters/b/flux.yaml': flux('./other'),
      'apps/web.yaml': workload('web', 2),
      'other/web.yaml': workload('web', 2),
      'stacks/apps/job.yaml': workload('job'),
      'jobs/apps/one.yaml': workload('one'),
      'jobs/b/two.yaml': workload('two'),
      'policies/replicas.yaml': POLICY,
    });
    expect(denied(report)).toEqual([
      'apps Deployment job',
      'apps Deployment one',
      'b Deployment job',
      'b Deployment two',
    ]);
  });
});

describe('a change', () => {
  const cluster = (name: string): Texts => ({ [`clusters/${name}/apps.yaml`]: flux(`./apps/${name}`) });
  const base: Texts = {
    ...cluster('a'),
    ...cluster('b'),
    'apps/a/web.yaml': workload('web'),
    'apps/b/db.yaml': workload('db', 2),
    'policies/replicas.yaml': POLICY,
  };

  it('that moves an existing finding to another cluster makes it new there', () => {
    const report = compare(base, { ...base, 'apps/b/web.yaml': workload('web') });
    expect(report.verdict.conclusion).toBe('denied');
    expect(report.findings.map(({ target, status }) => [target, status])).toEqual([
      ['a', 'existing'],
      ['b', 'new'],
    ]);
  });

  it('that adds a cluster keeps existing findings, and applies the rules of all clusters to the new one', () => {
    const report = compare(base, { ...base, ...cluster('c'), 'apps/c/web.yaml': workload('web') });
    expect(report.findings.map(({ target, status }) => [target, status])).toEqual([
      ['a', 'existing'],
      ['c', 'new'],
    ]);
  });

  it('that adds a second cluster to an unnamed one applies all rules of base to both', () => {
    const alone = {
      'flux/apps.yaml': flux('./apps/a'),
      'flux/policy.yaml': POLICY,
      'apps/a/web.yaml': workload('web', 2),
    };
    const report = compare(alone, {
      'clusters/a/apps.yaml': flux('./apps/a'),
      'clusters/b/apps.yaml': flux('./apps/b'),
      'apps/a/web.yaml': workload('web'),
      'apps/b/web.yaml': workload('web'),
    });
    expect(denied(report)).toEqual(['a Deployment web', 'b Deployment web']);
    expect(report.verdict.conclusion).toBe('denied');
  });

  it('that removes one of two clusters does not change the other', () => {
    const { 'clusters/b/apps.yaml': _, 'apps/b/db.yaml': __, ...rest } = base;
    const report = compare(base, {
      ...rest,
      'apps/a/web.yaml': workload('web', 1).replace('image: web', 'image: web2'),
    });
    expect(names(report)).toEqual(['a', 'b']);
    expect(report.findings.map(({ target, status }) => [target, status])).toEqual([['a', 'existing']]);
  });
});
