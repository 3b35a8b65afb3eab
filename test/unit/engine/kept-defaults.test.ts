// Defaults of the stored object that stay after an apply.
import { describe, expect, test } from 'vitest';
import { withKeptDefaults } from '../../../src/engine/object/kept-defaults.ts';
import { DEFAULT_VERSION } from '../../../src/kubernetes/api/version.ts';
import { MergeTypes } from '../../../src/kubernetes/patch/merge-types.ts';
import { AdmissionObjects } from '../../../src/kubernetes/schema/admission-object.ts';
import type { JsonObject } from '../../../src/source/json/json.ts';
import { stringifyJson } from '../../../src/source/json/json.ts';
import { parseJson } from '../../../src/source/json/parse-json.ts';

const MERGE_TYPES = new MergeTypes(new AdmissionObjects(DEFAULT_VERSION));
const GROUPS: Readonly<Record<string, string>> = { Deployment: 'apps', Job: 'batch' };

function json(value: unknown): JsonObject {
  return (parseJson(JSON.stringify(value)) as { readonly value: JsonObject }).value;
}

function kept(kind: string, spec: object, old: object, written: object, isServerSide = false, now = spec): unknown {
  const objectOf = (of: object): JsonObject => json({ kind, spec: of });
  const object = withKeptDefaults({
    object: objectOf(spec),
    old: objectOf(old),
    written: objectOf(written),
    now: objectOf(now),
    mergeType: MERGE_TYPES.ofBuiltin({ group: GROUPS[kind] ?? '', version: 'v1', kind }),
    isServerSide,
  });
  return (JSON.parse(stringifyJson(object, { sortKeys: false, escapeHtml: false })) as { readonly spec: unknown }).spec;
}

const RECREATE = { strategy: { type: 'Recreate' } };
const ROLLING = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } };
const SOURCE = { volumes: [{ name: 'a', configMap: { name: 'a' } }] };
const NO_SOURCE = { volumes: [{ name: 'a', emptyDir: {} }] };

describe('an apply', () => {
  test('leaves a default that the new object lacks', () => {
    expect(kept('Job', { parallelism: 2 }, { parallelism: 1, completions: 1 }, {})).toEqual({
      parallelism: 2,
      completions: 1,
    });
  });

  test('removes what was written', () => {
    expect(kept('Job', { parallelism: 2 }, { completions: 1 }, { completions: 1 })).toEqual({ parallelism: 2 });
  });

  test('leaves the pull policy, whose default depends on the tag', () => {
    const container = (image: string, more: object = {}): object => ({ containers: [{ name: 'a', image, ...more }] });
    const old = container('a:latest', { imagePullPolicy: 'Always' });
    const spec = container('a:1', { imagePullPolicy: 'IfNotPresent' });
    const now = container('a:1');
    expect(kept('Pod', spec, old, container('a:latest'), false, now)).toEqual(
      container('a:1', { imagePullPolicy: 'Always' }),
    );
    expect(kept('Pod', spec, old, container('a:latest'))).toEqual(spec);
  });

  test('takes the new value where both have one', () => {
    expect(kept('Job', { completions: 2 }, { completions: 1 }, {})).toEqual({ completions: 2 });
  });

  test('drops the parameters of another strategy as a patch, and leaves them on the server', () => {
    expect(kept('Deployment', RECREATE, ROLLING, {})).toEqual(RECREATE);
    expect(kept('Deployment', RECREATE, ROLLING, {}, true)).toEqual({
      strategy: { type: 'Recreate', rollingUpdate: { maxSurge: '25%' } },
    });
  });

  test('treats volumes of one name alike', () => {
    const written = { volumes: [{ name: 'a' }] };
    expect(kept('Pod', SOURCE, NO_SOURCE, written)).toEqual(SOURCE);
    expect(kept('Pod', SOURCE, NO_SOURCE, written, true)).toEqual({
      volumes: [{ name: 'a', configMap: { name: 'a' }, emptyDir: {} }],
    });
    expect(kept('Pod', SOURCE, NO_SOURCE, NO_SOURCE, true)).toEqual(SOURCE);
  });

  test('replaces atomic lists and maps', () => {
    const term = (more: object): object => ({ tolerations: [{ key: 'a', ...more }] });
    expect(kept('Pod', term({}), term({ effect: 'NoSchedule' }), term({}))).toEqual(term({}));
    const limits = (more: object): object => ({ nodeSelector: { a: 'b', ...more } });
    expect(kept('Pod', limits({}), limits({ c: 'd' }), limits({}))).toEqual(limits({}));
  });

  test('finds elements by all their keys', () => {
    const port = (protocol: string, more: object): object => ({ ports: [{ port: 53, protocol, ...more }] });
    expect(kept('Service', port('UDP', {}), port('UDP', { nodePort: 30000 }), port('UDP', {}))).toEqual(
      port('UDP', { nodePort: 30000 }),
    );
    expect(kept('Service', port('UDP', {}), port('TCP', { nodePort: 30000 }), port('TCP', {}))).toEqual(
      port('UDP', {}),
    );
  });
});
