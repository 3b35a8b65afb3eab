// Reads the expectations of a test suite for Kyverno's CLI.
import { describe, expect, it } from 'vitest';
import { isKyvernoTest, readKyvernoTest } from '../../../../src/policy/kyverno/suite/kyverno-test.ts';
import type { JsonObject, JsonValue } from '../../../../src/source/json/json.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

function document(text: string): JsonValue {
  return readManifests(new SourceFile('kyverno-test.yaml', text)).manifests[0]?.value ?? null;
}

const SUITE = `
apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata:
  name: labels
policies: [policy.yaml]
resources: [web.yaml]
jsonPayload: plan.json
userinfo: user.yaml
values:
  globalValues:
    request.operation: UPDATE
results:
  - policy: shop/require-team
    rule: team
    resources: [web, shop/api]
    resourceSpecs:
      - { group: apps, version: v1, namespace: shop, name: db }
    kind: Deployment
    result: fail
    operation: UPDATE
  - policy: add-team
    generatedResource: team.yaml
    generatedResources: [more.yaml]
    patchedResources: patched.yaml
    failOnMissingResources: true
    status: pass
  - policy: odd
    result: perhaps
`;

describe('a suite', () => {
  it('is read with its inputs', () => {
    const test = readKyvernoTest(document(SUITE) as JsonObject);
    expect(test.name).toBe('labels');
    expect([test.policies, test.resources]).toEqual([['policy.yaml'], ['web.yaml']]);
    expect(test.jsonPayloads).toEqual(['plan.json']);
    expect([test.userInfo, test.variables]).toEqual(['user.yaml', '']);
    expect(test.values?.size).toBe(1);
  });

  it('expects results of named objects, or of all', () => {
    const [team, generated, odd] = readKyvernoTest(document(SUITE) as JsonObject).results;
    expect(team).toMatchObject({ policy: 'require-team', policyNamespace: 'shop', rule: 'team', result: 'fail' });
    expect(team?.operation).toBe('UPDATE');
    expect(team?.resources).toEqual([
      { name: 'web', namespace: undefined, apiVersion: undefined },
      { name: 'api', namespace: 'shop', apiVersion: undefined },
      { name: 'db', namespace: 'shop', apiVersion: 'apps/v1' },
    ]);
    expect(generated).toMatchObject({ resources: [], result: 'pass', patchedResources: 'patched.yaml' });
    expect(generated?.generatedResources).toEqual(['more.yaml', 'team.yaml']);
    expect(generated?.failsOnMissingResources).toBe(true);
    expect(odd?.result).toBe('');
  });

  it('is recognized by group and kind', () => {
    expect(isKyvernoTest(document(SUITE))).toBe(true);
    expect(isKyvernoTest(document(SUITE.replace('cli.kyverno.io/v1alpha1', 'kyverno.io/v1')))).toBe(true);
    expect(isKyvernoTest(document('apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\n'))).toBe(false);
    expect(isKyvernoTest(document('apiVersion: cli.kyverno.io/v1alpha1\nkind: Values\n'))).toBe(false);
  });
});
