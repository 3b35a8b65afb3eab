// Checks a small Argo CD repository end to end: evaluated objects, namespaces and lines.
import { describe, expect, it } from 'vitest';
import { checkState } from '../../../../src/pipeline/check-state.ts';
import { defaultConfiguration } from '../../../../src/settings/configuration.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import { engine, tree } from '../../../support/render.ts';

const HERE = 'https://git.example/shop/fleet.git';

const FILES = {
  'policies/namespace.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
  validations:
  - expression: object.data.image != 'latest' || namespaceObject.metadata.labels['stage'] == 'test'
    message: no latest in live
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny]}
`,
  'argo/all.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators:
  - list: {elements: [{stage: test}, {stage: live}]}
  template:
    metadata: {name: 'shop-{{ .stage }}'}
    spec:
      project: default
      destination: {name: in-cluster, namespace: 'shop-{{ .stage }}'}
      source: {repoURL: ${HERE}, path: apps/shop}
      syncPolicy:
        syncOptions: [CreateNamespace=true]
        managedNamespaceMetadata: {labels: {stage: '{{ .stage }}'}}
`,
  'apps/shop/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data:
  image: latest
`,
};

describe('a repository of Argo CD', () => {
  it('evaluates the objects of each Application once, in its namespace', () => {
    const files = Object.entries(FILES).map(([path, text]) => ({ file: new SourceFile(path, text), selected: true }));
    const { findings, diagnostics } = checkState({
      files,
      paths: new Set(Object.keys(FILES)),
      notRead: [],
      configuration: defaultConfiguration(),
      today: '2026-11-22',
      rendering: { tree: tree(FILES), engine },
    });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    expect(findings.map(({ message, primary }) => [message, primary?.path, primary?.startLine])).toEqual([
      [expect.stringContaining('no latest in live'), 'apps/shop/config.yaml', 5],
    ]);
  });
});
