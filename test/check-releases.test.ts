// `preadmit check --kubernetes-version 1.31,1.37`: the changes of an upgrade come first.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleaseComparison } from '../src/report/comparison/release-comparison.ts';
import { runPrinted } from './support/printed.ts';
import { configMap, createWorkspace, sizePolicy, type Workspace } from './support/workspace.ts';

const policy = (name: string, group: string, resource: string, expression: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: ['${group}'], apiVersions: [v1], operations: [CREATE], resources: [${resource}]}]
  validations:
    - expression: "${expression}"
      message: words of ${name}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: [Deny]}
`;

const FILES = {
  'policies/size.yaml': sizePolicy(),
  'policies/one-by-one.yaml': policy(
    'one-by-one',
    'apps',
    'statefulsets',
    '!has(object.spec.updateStrategy.rollingUpdate.maxUnavailable)',
  ),
  'policies/wait.yaml': policy('wait', 'apps', 'statefulsets', "duration(int(object.spec.replicas)) < duration('1m')"),
  'apps/large.yaml': configMap('large', 9),
  'apps/db.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: db}]}
`,
  'apps/flow.yaml': `apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: {name: shop}
spec:
  priorityLevelConfiguration: {name: global-default}
  rules: []
`,
};

let workspace: Workspace;
beforeAll(() => {
  workspace = createWorkspace(FILES);
});
afterAll(() => workspace.remove());

function check(...args: readonly string[]) {
  return runPrinted(workspace.folder, ['check', ...args]);
}

describe('several releases', () => {
  it('are checked once each, by version and not by name', async () => {
    const { out, err } = await check('--kubernetes-version', '1.36,1.37,next', '--format', 'json');
    const { releases } = JSON.parse(out) as ReleaseComparison;
    expect({ releases: releases.map(({ kubernetesVersion }) => kubernetesVersion), err }).toEqual({
      releases: ['1.36', '1.37'],
      err: '',
    });
  });

  it('give one report with the differences first', async () => {
    const { status, out, err } = await check('--kubernetes-version', '1.31,1.37');
    expect({ status, err }).toEqual({ status: 1, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "Policy verdicts

        apps/db.yaml:4:1 StatefulSet shop/db: wait/validations[0], by an API server default
          1.31: expression 'duration(int(object.spec.replicas)) < duration('1m')' resulted in error: type conversion error from 'int' to 'google.protobuf.Duration'
          1.37: no finding

        apps/db.yaml:4:1 StatefulSet shop/db: one-by-one/validations[0], by an API server default
          1.31: no finding
          1.37: words of one-by-one

      Kinds and versions not served

        apps/flow.yaml:1:13 FlowSchema default/shop: unserved-kind
          1.31: nothing
          1.37: no matches for kind "FlowSchema" in version "flowcontrol.apiserver.k8s.io/v1beta3"; flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema was removed in Kubernetes 1.32; write \`apiVersion: flowcontrol.apiserver.k8s.io/v1\` instead

      Policies and expressions

        policies/wait.yaml:9:28 invalid-expression
          1.31: nothing
          1.37: found no matching overload for 'duration' applied to '(int)'

      Objects

        apps/flow.yaml:1:13 FlowSchema shop: server-warning
          1.31: flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use flowcontrol.apiserver.k8s.io/v1 FlowSchema
          1.37: nothing

      The same in every release

        apps/large.yaml:7:9 error: ConfigMap default/large: size is at most 3

      Kubernetes 1.31: denied: 2 denied, 0 warned about, 0 errors, of 3 of 9 evaluated
      Kubernetes 1.37: denied: 2 denied, 0 warned about, 2 errors, of 2 of 9 evaluated
      5 differences
      "
    `);
  });

  it('are reported as JSON', async () => {
    const { out } = await check('--kubernetes-version', '1.31, 1.37', '--format', 'json');
    const { releases, differences, same }: ReleaseComparison = JSON.parse(out);
    expect(releases.map(({ kubernetesVersion, verdict }) => [kubernetesVersion, verdict.denied])).toEqual([
      ['1.31', 2],
      ['1.37', 2],
    ]);
    expect(differences.map(({ kind, what, defaulted }) => [kind, what, defaulted])).toEqual([
      ['verdict', 'wait/validations[0]', true],
      ['verdict', 'one-by-one/validations[0]', true],
      ['served', 'unserved-kind', undefined],
      ['policy', 'invalid-expression', undefined],
      ['object', 'server-warning', undefined],
    ]);
    expect(same.findings.map(({ policy: { name } }) => name)).toEqual(['size-limit']);
  });

  it('are reported as Markdown with all texts escaped', async () => {
    expect((await check('--kubernetes-version', '1.31,1.37', '--format', 'markdown')).out).toMatchInlineSnapshot(`
      "## Kubernetes 1\\.31, 1.37

      - Kubernetes 1.31: denied: 2 denied, 0 warned about, 0 errors, of 3 of 9 evaluated
      - Kubernetes 1.37: denied: 2 denied, 0 warned about, 2 errors, of 2 of 9 evaluated
      - 5 differences

      ### Policy verdicts

      - **StatefulSet shop/db**: wait/validations\\[0\\], by an API server default (apps/db.yaml:4:1)
        - 1.31: expression 'duration\\(int\\(object.spec.replicas\\)\\) &lt; duration\\('1m'\\)' resulted in error: type conversion error from 'int' to 'google.protobuf.Duration'
        - 1.37: no finding
      - **StatefulSet shop/db**: one\\-by\\-one/validations\\[0\\], by an API server default (apps/db.yaml:4:1)
        - 1.31: no finding
        - 1.37: words of one\\-by\\-one

      ### Kinds and versions not served

      - **FlowSchema default/shop**: unserved\\-kind (apps/flow.yaml:1:13)
        - 1.31: nothing
        - 1.37: no matches for kind "FlowSchema" in version "flowcontrol.apiserver.k8s.io/v1beta3"; flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema was removed in Kubernetes 1.32; write \\\`apiVersion: flowcontrol.apiserver.k8s.io/v1\\\` instead

      ### Policies and expressions

      - **invalid\\-expression** (policies/wait.yaml:9:28)
        - 1.31: nothing
        - 1.37: found no matching overload for 'duration' applied to '\\(int\\)'

      ### Objects

      - **FlowSchema shop**: server\\-warning (apps/flow.yaml:1:13)
        - 1.31: flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29\\+, unavailable in v1.32\\+; use flowcontrol.apiserver.k8s.io/v1 FlowSchema
        - 1.37: nothing

      The same in every release: 1.
      "
    `);
  });

  it('report no difference if their results are equal', async () => {
    const { status, out } = await check(
      'apps/large.yaml',
      '--policies',
      'policies/size.yaml',
      '--kubernetes-version',
      '1.35,1.36',
      '--quiet',
    );
    expect(status).toBe(1);
    expect(out).toContain('All releases give the same result.\n');
    expect(out).toContain('\n0 differences\n');
  });

  it.each([
    [['1.31,1.99'], '`1.99` is not supported'],
    [['1.31,'], '`` is not a Kubernetes version'],
    [['1.31,1.31'], '`--kubernetes-version` names `1.31` twice'],
    [['1.31,1.32', '--shard', '1/2'], 'cannot be combined with `-` or `--shard`'],
    [['1.31,1.32', '--format', 'sarif'], '`sarif` is not a format: expected one of `text`, `json`, `markdown`'],
  ])('%j are rejected', async (args, problem) => {
    expect(await check('--kubernetes-version', ...args)).toEqual({
      status: 2,
      out: '',
      err: expect.stringContaining(problem),
    });
  });
});
