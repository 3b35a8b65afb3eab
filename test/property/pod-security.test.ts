// Pod Security evaluates objects of any shape, and its errors refer only to existing fields.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluatePod, violationsOf } from '../../src/kubernetes/pod-security/evaluate-pod.ts';
import { POD_SECURITY_LEVELS, podSecurityVersion } from '../../src/kubernetes/pod-security/level-version.ts';
import { checkedPod } from '../../src/kubernetes/pod-security/pod.ts';
import { isJsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { objectOrEmpty, valueAt } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';

const KEYS = [
  'annotations',
  'add',
  'appArmorProfile',
  'capabilities',
  'containers',
  'drop',
  'ephemeralContainers',
  'hostPort',
  'hostPath',
  'hostUsers',
  'httpGet',
  'initContainers',
  'lifecycle',
  'livenessProbe',
  'name',
  'os',
  'ports',
  'preStop',
  'privileged',
  'procMount',
  'runAsUser',
  'seLinuxOptions',
  'seccompProfile',
  'securityContext',
  'sysctls',
  'type',
  'volumes',
  'windowsOptions',
  'hostProcess',
];

/** Pod fields in unusual positions and with invalid values. */
const shapeless = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, false, 0, 1.5, '', 'Unconfined', 'windows', 'ALL'),
    tie('object'),
    fc.array(tie('object'), { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 5 }),
})).object;

describe('Pod Security checks', () => {
  it('evaluate any object, and report only existing values', () => {
    fc.assert(
      fc.property(shapeless, shapeless, fc.integer({ min: 0, max: 40 }), (metadata, spec, minor) => {
        const pod = jsonOf({ metadata, spec });
        const checked = checkedPod(objectOrEmpty(valueAt(pod, ['metadata'])), objectOrEmpty(valueAt(pod, ['spec'])));
        for (const level of POD_SECURITY_LEVELS) {
          const results = evaluatePod({ level, version: podSecurityVersion(minor) }, checked);
          for (const { errors } of violationsOf(results)) {
            expect(errors.length).toBeGreaterThan(0);
            for (const { path, value } of errors) {
              if (typeof value === 'boolean' || typeof value === 'bigint') expect(valueAt(pod, path)).toBe(value);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

function jsonOf(plain: unknown): JsonValue {
  const parsed = parseJson(JSON.stringify(plain));
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : null;
}
