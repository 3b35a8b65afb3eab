// Static analysis of the fields that an expression may read.
import { describe, expect, test } from 'vitest';
import { DEFAULT_VERSION } from '../../../src/kubernetes/api/version.ts';
import { AdmissionEnvironments } from '../../../src/kubernetes/cel/admission-environment.ts';
import { FieldReads } from '../../../src/policy/admission/generic/field-reads.ts';
import { compilePolicy, expressionsOf } from '../../../src/policy/admission/validating/compiled-policy.ts';
import { validatingPolicy } from '../../support/validating-policy.ts';

const UID = ['metadata', 'uid'];
const VOLUME_NAME = ['spec', 'volumes', 0, 'name'];

function readsOf(expression: string, variable = 'true'): FieldReads {
  const policy = validatingPolicy({ validations: [{ expression }], variables: [{ name: 'v', expression: variable }] });
  return new FieldReads(expressionsOf(compilePolicy(policy, 'stored', new AdmissionEnvironments(DEFAULT_VERSION))));
}

describe('FieldReads', () => {
  test.each([
    ["object.metadata.uid == 'a'", UID],
    ["oldObject.metadata.uid == 'a'", UID],
    ["object['metadata']['uid'] == 'a'", UID],
    ["object.metadata.?uid.orValue('') == 'a'", UID],
    ['has(object.metadata.uid)', UID],
    ['object.metadata == oldObject.metadata', UID],
    ["object.metadata.exists(k, k == 'uid')", UID],
    ["dyn(object).metadata.uid == 'a'", UID],
    ["[object].all(o, o.metadata.uid == 'a')", UID],
    ["object.spec.volumes.all(v, v.name == 'a')", VOLUME_NAME],
    ["object.spec.volumes[0].name == 'a'", VOLUME_NAME],
    ["request.name == 'a'", ['metadata', 'name']],
    ['object.metadata.uid == null', UID],
  ])('%s may read it', (expression, path) => {
    expect(readsOf(expression).mayRead(path)).toBe(true);
  });

  test.each([
    ["object.metadata.name == 'a'", UID],
    ["'a' in object.metadata.labels", UID],
    ['has(object.metadata)', UID],
    ['object == null || null != oldObject.metadata', UID],
    ['has(object.spec.volumes)', VOLUME_NAME],
    ["object.spec.containers.all(c, c.name == 'a')", VOLUME_NAME],
    ["request.namespace == 'a'", ['metadata', 'name']],
    ["params.metadata.uid == 'a'", UID],
  ])('%s does not', (expression, path) => {
    expect(readsOf(expression).mayRead(path)).toBe(false);
  });

  test.each([
    ['has(oldObject.status)', true],
    ["object.status.?phase.orValue('') == 'a'", true],
    ["[object].all(o, o.status.phase == 'a')", true],
    ["(object == null ? oldObject : object)['status'] == {}", true],
    ['object == oldObject', false],
    ['has(object.spec.status)', false],
  ])('%s reads the status: %s', (expression, looks) => {
    expect(readsOf(expression).looksInto(['status'])).toBe(looks);
  });

  test('reads of variables count for the expressions that use them', () => {
    const rule = ['spec', 'validations', 0, 'expression'];
    expect(readsOf("variables.v == ''", 'object.metadata.uid').ruleMayRead(rule, UID)).toBe(true);
    expect(readsOf('true', 'object.metadata.uid').ruleMayRead(rule, UID)).toBe(false);
    expect(readsOf("object.metadata.uid == ''").ruleMayRead(rule, UID)).toBe(true);
    expect(readsOf("object.metadata.uid == ''").ruleMayRead(['spec', 'validations', 1, 'expression'], UID)).toBe(false);
  });
});
