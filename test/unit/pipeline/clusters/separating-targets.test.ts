// The configuration that an error suggests must load and must separate the two clusters.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkState } from '../../../../src/pipeline/check-state.ts';
import { separatingTargets } from '../../../../src/pipeline/clusters/separating-targets.ts';
import type { Report } from '../../../../src/report/report.ts';
import { type Configuration, defaultConfiguration } from '../../../../src/settings/configuration.ts';
import { loadConfiguration } from '../../../../src/settings/load-configuration.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {tier: one}}
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations: [{expression: object.spec.replicas >= 2}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
`;
const namespace = (tier: string): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {tier: ${tier}}}\n`;

function check(texts: ReadonlyMap<string, string>, configuration: Configuration = defaultConfiguration()): Report {
  const files = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  return checkState({
    files: files.map(([path, text]) => ({ file: new SourceFile(path, text), selected: true })),
    paths: new Set(texts.keys()),
    notRead: [],
    configuration,
    today: '2026-11-22',
  });
}

function configured(text: string): Configuration {
  const { configuration, diagnostics } = loadConfiguration(new SourceFile('.preadmit.yaml', text));
  if (configuration === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return configuration;
}

const twice = ({ diagnostics }: Report): number => diagnostics.filter(({ code }) => code === 'defined-twice').length;

describe('the suggested configuration', () => {
  it('is undefined for one file', () => {
    expect(separatingTargets('a/b.yaml', 'a/b.yaml', [])).toBeUndefined();
  });

  it('replaces characters that a target name must not contain', () => {
    const proposal = separatingTargets('_a b/n.yaml', 'ä/n.yaml', []);
    expect(proposal).toContain('targets: {a-b: {manifests: {exclude: ["ä"]}, policies: ["_a b"]}, cluster:');
    expect(configured(proposal ?? '').targets.map(({ name }) => name)).toEqual(['a-b', 'cluster']);
  });

  it('resolves the contradiction, and each side follows its own policies', () => {
    const step = fc.constantFrom('a', 'b', 'apps', 'policies', 'clusters', 'x.y');
    const path = fc.array(step, { maxLength: 3 }).map((steps) => [...steps, ''].join('/'));
    fc.assert(
      fc.property(path, path, path, path, (one, other, policies, apps) => {
        const places = [`${one}one.yaml`, `${other}two.yaml`] as const;
        const texts = new Map([
          [`${policies}policy.yaml`, POLICY],
          [`${apps}web.yaml`, WEB],
          [places[0], namespace('one')],
          [places[1], namespace('two')],
        ]);
        const before = check(texts);
        expect(twice(before)).toBe(1);
        expect(before.verdict.conclusion).toBe('denied');
        const [, proposal = ''] =
          /`(targets: .*)`$/.exec(before.diagnostics.find(({ code }) => code === 'defined-twice')?.help ?? '') ?? [];
        const after = check(texts, configured(proposal));
        expect(twice(after)).toBe(0);
        // If one side contains the shared policies, the other side is empty and reports that.
        const isEmpty = after.diagnostics.some(({ code }) => code === 'empty-target');
        expect(after.findings.length === 1 || isEmpty || isApart(apps, places)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

/** True if the workload is only in the second side's folder, where no policy denies it. */
function isApart(apps: string, [one, other]: readonly [string, string]): boolean {
  const [ours, theirs] = [one.split('/'), other.split('/')];
  let at = 0;
  while (ours[at] === theirs[at]) at += 1;
  return `${apps}web.yaml`.startsWith(`${theirs.slice(0, at + 1).join('/')}/`);
}
