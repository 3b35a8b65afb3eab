// Every policy and binding of the corpus either compiles or is refused with the API server's message. Needs the corpus.
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { type Resource, resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION } from '../../src/kubernetes/api/version.ts';
import { Reviewer } from '../../src/pipeline/answer-review.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { hasCorpus, manifestPaths, withCorpus } from '../support/corpus.ts';
import { needs } from '../support/evidence.ts';

interface Expected {
  readonly policies: number;
  readonly bindings: number;
  /** Number of objects per refusal. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Answers of `pkg/apis/admissionregistration/validation` of Kubernetes 1.36.3 for each of these objects. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  'kolteq+validating-admission-policies-pss': { policies: 84, bindings: 504, refused: {} },
  'kubescape+cel-admission-library': {
    policies: 68,
    bindings: 4,
    // Bindings without validationActions, from its documentation and a workflow.
    refused: { 'spec.validationActions: Required value: at least one validation action is required': 2 },
  },
  'openshift+managed-cluster-config': { policies: 5, bindings: 5, refused: {} },
  // Assertions of Chainsaw tests contain a policy's name and status, but are not policies.
  'redhat-appstudio+infra-deployments': {
    policies: 31,
    bindings: 15,
    refused: {
      'spec.matchConstraints: Required value': 16,
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item': 16,
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item': 16,
    },
  },
  'xunholy+k8s-gitops': { policies: 0, bindings: 0, refused: {} },
};

const REFUSALS: ReadonlySet<string> = new Set(['invalid-policy', 'invalid-binding', 'invalid-expression']);

describe.each(Object.entries(EXPECTED))('%s (skipped without the corpus)', (repository, expected) => {
  needs('corpus', hasCorpus(repository)).it('accepts and refuses the same policies as the server', () => {
    const resources = withCorpus(repository, policiesIn) ?? [];
    const reviewer = new Reviewer({ resources, kubernetesVersion: DEFAULT_VERSION });
    const refused: Record<string, number> = {};
    for (const { code, message } of reviewer.diagnostics) {
      if (REFUSALS.has(code)) refused[message] = (refused[message] ?? 0) + 1;
    }
    const count = (kind: string) => resources.filter(({ gvk }) => gvk.kind === kind).length;
    expect({
      policies: count('ValidatingAdmissionPolicy'),
      bindings: count('ValidatingAdmissionPolicyBinding'),
      refused,
    }).toEqual(expected);
  });
});

function policiesIn(folder: string): readonly Resource[] {
  return manifestPaths(folder)
    .map((path) => new SourceFile(path.slice(folder.length + 1), readFileSync(path, 'utf8')))
    .filter(({ text }) => text.includes('ValidatingAdmissionPolicy'))
    .flatMap((file) => readManifests(file).manifests.flatMap(resourcesOf))
    .flatMap((result) => ('resource' in result ? [result.resource] : []))
    .filter(({ gvk }) => gvk.kind.startsWith('ValidatingAdmissionPolicy'));
}
