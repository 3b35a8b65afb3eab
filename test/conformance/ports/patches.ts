// Port: JSON patch and structured merge, as kube-apiserver 1.36 applies the mutations of policies.

import { parseApiVersion } from '../../../src/kubernetes/api/group-version.ts';
import { BuiltinMergeTypes } from '../../../src/kubernetes/patch/builtin-merge-type.ts';
import { applyJsonPatch, type JsonPatchOperation } from '../../../src/kubernetes/patch/json-patch.ts';
import { mergeConfiguration } from '../../../src/kubernetes/patch/merge-configuration.ts';
import { type MergeType, UNTYPED_DEDUCED } from '../../../src/kubernetes/patch/merge-type.ts';
import { structuredMerge } from '../../../src/kubernetes/patch/structured-merge.ts';
import { typeMismatch } from '../../../src/kubernetes/patch/typed-value.ts';
import { SchemaCatalog } from '../../../src/kubernetes/schema/schema-catalog.ts';
import { objectItems, objectOrEmpty, textField } from '../../../src/source/json/json-field.ts';
import type { Chance } from './chance.ts';
import { type MergeSchema, mergeTypeOf, SCHEMA, schemaValue } from './merge-schema.ts';
import type { Answer, Arguments, Port } from './port.ts';
import { jsonArgument, tagged } from './tagged-json.ts';
import { structValue } from './typed-objects.ts';

const SCALARS = [null, true, false, 0, 1, -1, 1.5, 2e21, '', 'a', 'b', '1', 'é😀', '<&>\u2028', '\u0000'];
const KEYS = ['a', 'b', 'c', 'a/b', 'm~n', '', '0', '-', 'é'];

function anyValue(chance: Chance, depth: number): unknown {
  const kind = chance.below(depth > 0 ? 10 : 4);
  if (kind < 4) return chance.pick(SCALARS);
  if (kind < 7) return chance.several(0, 3, () => anyValue(chance, depth - 1));
  return Object.fromEntries(chance.several(0, 3, () => [chance.pick(KEYS), anyValue(chance, depth - 1)]));
}

const STEPS = [
  ...['a', 'b', 'c', 'a~1b', 'm~0n', '', '0', '1', '2', '-', '-1', '-2', '-4', '3', '99', '00', '+1', '01', '1.0'],
  ...['é', '~', '~2', '~01', 'x', ' 1', '9223372036854775808', '\u0007', '\u007f', '"', '\\'],
];

function pathOf(chance: Chance): string {
  if (chance.in(4)) return chance.pick(['', '/', 'a', 'a/b', '//', '/a/', '#/a']);
  return chance
    .several(1, 3, () => `/${chance.in(80) ? chance.pick(STEPS.slice(0, 13)) : chance.pick(STEPS)}`)
    .join('');
}

function operation(chance: Chance): Readonly<Record<string, unknown>> {
  const op = chance.in(97)
    ? chance.pick(['add', 'remove', 'replace', 'move', 'copy', 'test'])
    : chance.pick(['', 'Add', 'x\u0007']);
  const needsValue = ['add', 'replace', 'test'].includes(op);
  return {
    op,
    path: pathOf(chance),
    ...(chance.in(['move', 'copy'].includes(op) ? 95 : 5) && { from: pathOf(chance) }),
    ...(chance.in(needsValue ? 93 : 10) && { value: anyValue(chance, 2) }),
  };
}

function answerJsonPatch([document, written]: Arguments): Answer {
  const operations = objectItems(jsonArgument(written)).map(
    (fields): JsonPatchOperation => ({
      op: textField(fields, 'op'),
      path: textField(fields, 'path'),
      from: textField(fields, 'from'),
      value: fields.get('value'),
    }),
  );
  const result = applyJsonPatch(objectOrEmpty(jsonArgument(document)), operations);
  return 'document' in result ? { value: tagged(result.document) } : { ...result };
}

function answerMerge([schema, name, live, applied]: Arguments): Answer {
  const type = mergeTypeOf(JSON.parse(String(schema)) as MergeSchema, String(name));
  const [before, configuration] = [jsonArgument(live), jsonArgument(applied)];
  const appliedError = typeMismatch(type, configuration, false);
  if (appliedError !== undefined) return { appliedError };
  const liveError = typeMismatch(type, before, true);
  if (liveError !== undefined) return { liveError };
  return { value: tagged(structuredMerge(type, before, configuration) ?? null) };
}

function answerApplied(mergeType: MergeType, [live, configuration]: Arguments): Answer {
  const merged = mergeConfiguration(objectOrEmpty(jsonArgument(configuration)), objectOrEmpty(jsonArgument(live)), {
    mergeType,
    fits: false,
    mayReplace: false,
  });
  return 'object' in merged ? { value: tagged(merged.object) } : { error: merged.error };
}

const KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['v1', 'Pod'],
  ['v1', 'Service'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'Namespace'],
  ['v1', 'PersistentVolumeClaim'],
  ['v1', 'ServiceAccount'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['apps/v1', 'DaemonSet'],
  ['batch/v1', 'CronJob'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
  ['policy/v1', 'PodDisruptionBudget'],
];

const catalog = new SchemaCatalog(36);

function structOf(apiVersion: string, kind: string) {
  const struct = catalog.structForKind({ ...(parseApiVersion(apiVersion) ?? { group: '', version: '' }), kind });
  if (struct === undefined) throw new Error(`no kind ${kind}`);
  return struct;
}

/** Two objects of one kind that share many identities, because their texts come from a small pool. */
function builtIn(chance: Chance): Arguments {
  const [apiVersion, kind] = chance.pick(KINDS);
  const struct = structOf(apiVersion, kind);
  const object = (): unknown => {
    const value = structValue(chance, struct, chance.pick([3, 5, 7]));
    return { ...value, apiVersion, kind };
  };
  return [object(), object()];
}

function deduced(chance: Chance): Arguments {
  const object = (): unknown => {
    const value = anyValue(chance, 3);
    const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { a: value };
    return { ...members, apiVersion: 'example.com/v1', kind: 'Widget' };
  };
  return [object(), object()];
}

type Function = readonly [generate: (chance: Chance) => Arguments, answer: (args: Arguments) => Answer];

const mergeTypes = new BuiltinMergeTypes();

const FUNCTIONS: Readonly<Record<string, Function>> = {
  'json-patch': [
    (chance) => [
      Object.fromEntries(chance.several(1, 4, () => [chance.pick(KEYS), anyValue(chance, 3)])),
      chance.several(1, 4, () => operation(chance)),
    ],
    answerJsonPatch,
  ],
  merge: [
    (chance) => {
      const value = (): unknown => schemaValue(chance, SCHEMA, { namedType: 'root' }, 3);
      return [JSON.stringify(SCHEMA), 'root', value(), value()];
    },
    answerMerge,
  ],
  'merge.built-in': [
    builtIn,
    (args) => {
      const live = objectOrEmpty(jsonArgument(args[0]));
      return answerApplied(mergeTypes.of(structOf(textField(live, 'apiVersion'), textField(live, 'kind'))), args);
    },
  ],
  'merge.deduced': [deduced, (args) => answerApplied(UNTYPED_DEDUCED, args)],
};

export const PATCHES: Port = {
  name: 'patches',
  program: 'packages',
  sources: [
    'kubernetes/patch/json-patch.ts',
    'kubernetes/patch/merge-configuration.ts',
    'kubernetes/patch/structured-merge.ts',
    'kubernetes/patch/typed-value.ts',
  ],
  originals: [
    'gopkg.in/evanphx/json-patch.v4',
    'k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch',
    'sigs.k8s.io/structured-merge-diff/v6/...',
  ],
  sampled: 200,
  functions: () => Object.entries(FUNCTIONS).map(([name, [generate]]) => ({ name, generate })),
  surface: () => Object.keys(FUNCTIONS),
  start: () => (name, args) => (FUNCTIONS[name] as Function)[1](args),
};
