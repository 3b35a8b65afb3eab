// The FluxInstance of the Flux operator: the source and Kustomization of `spec.sync`. Flux itself is installed from files elsewhere.
import { formatGoDuration, parseGoDuration } from '../../go/time/duration.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { treeOf } from '../../source/tree/file-tree.ts';
import { readYaml } from '../../source/yaml/yaml-to-json.ts';
import type {
  Controller,
  ControllerPlan,
  DeclarationFacts,
  DeclaredObject,
  UnknownPart,
} from '../sources/controller.ts';
import { FLUX_INSTANCE } from '../sources/declaration/declared-kinds.ts';
import { patchOf } from './build-kustomization.ts';
import { ownerMetadata, textOf, withMetadata } from './object-metadata.ts';
import { isDisabled, OPERATOR_GROUP } from './operator-object.ts';
import { namespaceOf, type SyncedSource, specOf, syncOf } from './source-reference.ts';

const KUSTOMIZE_GROUP = 'kustomize.toolkit.fluxcd.io';
/** The time and the seed have no effect on patches. */
const CHANCE = { seed: 1, now: Date.UTC(2026, 0, 1) };
const DEFAULT_INTERVAL = '1m';
const PLAIN_KIND = /^[A-Za-z]+$/;

export function fluxInstance(): Controller {
  return { kinds: [FLUX_INSTANCE], plan: planOf };
}

/** Follows `build` (internal/controller/fluxinstance_controller.go) and `syncTmpl` (internal/builder/templates.go) of the operator. */
function planOf(instance: Resource, known: DeclarationFacts): ControllerPlan {
  if (isDisabled(instance)) return { declares: [] };
  const version = textField(objectOrEmpty(specOf(instance).get('distribution')), 'version');
  const installed: UnknownPart = {
    unknown: `it installs Flux${version === '' ? '' : ` ${version}`}, whose manifests are not in the repository`,
    help: 'check the manifests of `flux install --export`',
  };
  const sync = syncOf(instance);
  if (sync === undefined) return { declares: [], unknownParts: [installed] };
  const objects = patched([sourceOf(sync, instance), kustomizationOf(sync)], instance, sync, known);
  if ('unknown' in objects) return { declares: [], unknownParts: [installed, { ...objects, mayBuild: [sync.path] }] };
  const declares = objects.map((object) => declared(withOwnMetadata(object, instance), instance, sync));
  return { declares, unknownParts: [installed] };
}

function sourceOf({ kind, url, ref, name, namespace }: SyncedSource, instance: Resource): JsonObject {
  const sync = objectOrEmpty(specOf(instance).get('sync'));
  const interval = parseGoDuration(textField(sync, 'interval') || DEFAULT_INTERVAL);
  const secret = textField(sync, 'pullSecret');
  const provider = textField(sync, 'provider');
  const refField = kind === 'GitRepository' ? 'name' : 'tag';
  return objectOf({
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind,
    metadata: objectOf({ name, namespace }),
    spec: new Map<string, JsonValue>([
      ['interval', typeof interval === 'bigint' ? formatGoDuration(interval) : textField(sync, 'interval')],
      kind === 'Bucket' ? ['bucketName', ref] : ['ref', new Map([[refField, ref]])],
      ...(secret === '' ? [] : [['secretRef', new Map([['name', secret]])] as const]),
      ...(provider === '' ? [] : [['provider', provider] as const]),
      [kind === 'Bucket' ? 'endpoint' : 'url', url],
    ]),
  });
}

function kustomizationOf({ kind, path, name, namespace }: SyncedSource): JsonObject {
  return objectOf({
    apiVersion: `${KUSTOMIZE_GROUP}/v1`,
    kind: 'Kustomization',
    metadata: objectOf({ name, namespace }),
    spec: new Map<string, JsonValue>([
      ['interval', '10m0s'],
      ['path', path],
      ['prune', true],
      ['sourceRef', objectOf({ kind, name })],
    ]),
  });
}

function objectOf(fields: Readonly<Record<string, JsonValue>>): JsonObject {
  return new Map(Object.entries(fields));
}

/**
 * The objects after the patches of the instance that may be about them. Patches of the other objects, which are unknown, are left out.
 * `profileClusterMultitenant` (internal/builder/profiles.go) comes before the patches of the user.
 */
function patched(
  objects: readonly JsonObject[],
  instance: Resource,
  { kind }: SyncedSource,
  known: DeclarationFacts,
): readonly JsonObject[] | UnknownPart {
  const spec = specOf(instance);
  const written = objectItems(objectOrEmpty(spec.get('kustomize')).get('patches'));
  const isMultitenant = objectOrEmpty(spec.get('cluster')).get('multitenant') === true;
  const kinds = new Set([kind, 'Kustomization']);
  const patches = [...(isMultitenant ? [MULTITENANT] : []), ...written.filter((patch) => mayChange(patch, kinds))];
  if (patches.length === 0) return objects;
  const kustomization = objectOf({ resources: ['sync.yaml'], patches: patches.map(patchOf) });
  const files = new Map([
    ['sync.yaml', objects.map(textOf).join('---\n')],
    ['kustomization.yaml', textOf(kustomization)],
  ]);
  const request = { engine: 'kustomize', root: '', anyFile: false, order: 'files' } as const;
  const outcome = known.engine().render(request, treeOf({ files }), CHANCE);
  if ('failure' in outcome) return { unknown: outcome.message, help: 'correct `spec.kustomize.patches`' };
  return outcome.objects.map(({ text }) => {
    const read = readYaml(text);
    return 'value' in read && isJsonObject(read.value) ? read.value : new Map();
  });
}

const MULTITENANT: JsonObject = new Map<string, JsonValue>([
  ['target', new Map([['kind', 'Kustomization']])],
  ['patch', '- op: add\n  path: /spec/serviceAccountName\n  value: kustomize-controller\n'],
]);

/** The kind of a target is a regular expression. */
function mayChange(patch: JsonObject, kinds: ReadonlySet<string>): boolean {
  const target = objectField(patch, 'target');
  if (target !== undefined) {
    const kind = textField(target, 'kind');
    return kind === '' || !PLAIN_KIND.test(kind) || kinds.has(kind);
  }
  const read = readYaml(textField(patch, 'patch'));
  return 'value' in read && isJsonObject(read.value) && kinds.has(textField(read.value, 'kind'));
}

/** The labels of `labelsTmpl` without the version, the annotations of `annotationsTmpl`, and the owner. */
function withOwnMetadata(object: JsonObject, instance: Resource): JsonObject {
  const namespace = namespaceOf(instance);
  const labels = new Map([
    ['app.kubernetes.io/managed-by', 'flux-operator'],
    ['app.kubernetes.io/instance', namespace],
    ['app.kubernetes.io/part-of', 'flux'],
  ]);
  const annotations = new Map([
    [`${KUSTOMIZE_GROUP}/ssa`, 'Ignore'],
    [`${KUSTOMIZE_GROUP}/prune`, 'Disabled'],
  ]);
  const owner = ownerMetadata(OPERATOR_GROUP, instance.name, namespace, specOf(instance));
  return withMetadata(withMetadata(object, { labels, annotations }), owner);
}

function declared(value: JsonObject, instance: Resource, { isNamed }: SyncedSource): DeclaredObject {
  return {
    value,
    written: (path) => writtenAt(path, isNamed),
    assumes: [
      `the objects of FluxInstance ${instance.name} have no label app.kubernetes.io/version, because its value is known only in the cluster`,
    ],
  };
}

const SYNC_FIELDS: Readonly<Record<string, string>> = {
  ...{ path: 'path', url: 'url', endpoint: 'url', ref: 'ref', bucketName: 'ref', interval: 'interval' },
  ...{ secretRef: 'pullSecret', provider: 'provider' },
};

function writtenAt([section, field = '', part]: FieldPath, isNamed: boolean): FieldPath {
  if (section === 'kind' || (field === 'sourceRef' && part === 'kind')) return ['spec', 'sync', 'kind'];
  const isName = (section === 'metadata' && field === 'name') || (field === 'sourceRef' && part === 'name');
  if (isName) return isNamed ? ['spec', 'sync', 'name'] : ['metadata', 'namespace'];
  if (section === 'metadata') return field === 'namespace' ? ['metadata', 'namespace'] : ['metadata'];
  const own = SYNC_FIELDS[String(field)];
  return own === undefined ? ['spec', 'sync'] : ['spec', 'sync', own];
}
