// Rows of Kyverno's own suites with unexpected results, each with a reason (`npm run conformance -- kyverno-suites FOLDER`).

const CLI = 'kyverno/test/cli';

/** Row ids in the folder of a suite. */
function rows(folder: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `${folder}: ${name}`);
}

/** Rows by reason, for a folder with kyverno/policies as `policies` and kyverno/kyverno as `kyverno`. */
export const KYVERNO_SUITE_DIFFERENCES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'the suite names a rule that its policy does not have: Kyverno gives no response either, which its own runner counts as passed',
    [
      ...rows(
        'policies/istio/add-ambient-mode-namespace/.kyverno-test',
        ...['none', 'dis', 'en', 'alt'].map(
          (name) => `add-ambient-mode-namespace/check-ambient-mode-enabled istio-test-${name}-ns`,
        ),
      ),
      ...rows(
        'policies/istio/enforce-ambient-mode-namespace/.kyverno-test',
        ...['bad-istio-amb01', 'bad-istio-amb02', 'bad-istio-amb03', 'good-istio-amb01', 'good-istio-amb02'].map(
          (name) => `enforce-ambient-mode-namespace/check-ambient-mode-enabled ${name}`,
        ),
      ),
    ],
  ],
  [
    'rules that Kyverno makes of others are about batch/v1, the object is of batch/v1beta1: no response from Kyverno either (`pkg/autogen/v1/rule.go`)',
    [
      ...rows(
        'policies/other/memory-requests-equal-limits/.kyverno-test',
        'memory-requests-equal-limits/autogen-cronjob-memory-requests-equal-limits hello',
      ),
      ...rows(
        'policies/other-cel/memory-requests-equal-limits/.kyverno-test',
        'memory-requests-equal-limits/autogen-cronjob-memory-requests-equal-limits hello',
      ),
    ],
  ],
  [
    'the policy excludes the object: no response from Kyverno either (`commands/test/output.go`, Excluded)',
    rows(
      `${CLI}/sample-policy-exclusion`,
      'check-deployment-namespace deployment-excluded',
      'ivpol-sample good-pod-excluded',
      'test-mpol-jsonpatch dev-deploy-2',
    ),
  ],
  [
    'only a registry has what decides: manifests and configurations of images (`pkg/engine/context/loaders/imagedata.go`)',
    rows(
      `${CLI}/registry`,
      'check-image-base/check-image-base-rule test-pod-with-trusted-registry',
      'check-manifest-list/check-manifest-list-rule test-pod-with-trusted-registry',
      'check-manifest-list/check-manifest-list-rule test-pod-with-single-arch-index',
      'images/only-allow-trusted-images test-pod-with-non-root-user-image',
      'images/only-allow-trusted-images test-pod-with-trusted-registry',
    ),
  ],
  [
    'only a registry has what decides: signatures of images (`pkg/engine/internal/imageverifier.go`)',
    [
      ...rows(
        `${CLI}/test/images/signatures`,
        'verify-signature/check-static-key unsigned',
        'verify-signature/check-static-key signed',
      ),
      ...rows(
        `${CLI}/test/images/verify-signature`,
        'check-data-volume-image/verify-signature unsigned-registry-image-datavolume',
        'check-data-volume-image/verify-signature signed-registry-image-datavolume',
        'check-image/verify-signature unsigned',
        'check-image/verify-signature signed',
      ),
      ...rows(`${CLI}/test-image-validating-policy/sample-policy`, 'ivpol-sample bad-pod', 'ivpol-sample good-pod'),
      ...rows(
        `${CLI}/test-image-validating-policy/with-cel-exceptions`,
        'ivpol-sample test-pod-bad',
        'ivpol-sample test-pod-good',
      ),
    ],
  ],
  [
    'the signature of an object is verified with keys that a service holds (`handlers/validation/validate_manifest.go`)',
    rows(
      `${CLI}/test/manifests/verify-signature`,
      'validate-yaml/validate-yaml test-service2',
      'validate-yaml/validate-yaml-multi-sig test-service3',
    ),
  ],
  [
    'the suite names a file of resources that its repository does not have, so that there is nothing to ask about',
    rows(
      `${CLI}/test-context-resource-ivpol/.kyverno-test`,
      'check-deployment-labels negative-deployment',
      'check-deployment-labels positive-deployment',
    ),
  ],
  [
    'policies of mode Envoy and HTTP are asked about requests of other services, not about objects',
    [
      ...['envoy-allow', 'envoy-deny', 'http-allow', 'http-deny'].flatMap((name) =>
        rows(`${CLI}/test-validating-policy/${name}`, `${name} *`),
      ),
      ...rows(`${CLI}/test-validating-policy/envoy-jwt`, 'envoy-jwt-policy *'),
    ],
  ],
]);
