// Volumes of Pods (pkg/apis/core/validation `ValidateVolumes`; overlapping paths lead to warnings).
import type { JsonObject } from '../../source/json/json.ts';
import { resourceField, volumeField } from './environment.ts';
import { hasNoBackstep, isLabelKey, isSubdomain, label, localPath } from './formats.ts';
import { milliValue } from './quantities.ts';
import {
  anyText,
  filledText,
  flag,
  hasOneOf,
  integer,
  itemsOf,
  list,
  listBy,
  member,
  oneOf,
  struct,
  text,
  textMap,
  union,
} from './rule.ts';

const mode = integer(0n, 0o777n);
const item = struct({ key: filledText, path: localPath, mode }, 'key path');
const items = list(item);
const file = struct(
  { path: localPath, fieldRef: volumeField, resourceFieldRef: resourceField('containerName'), mode },
  'path',
  hasOneOf(['fieldRef', 'resourceFieldRef']),
);

function isApart(paths: readonly string[]): boolean {
  if (paths.length > 200) return false;
  const folders = paths.map((path) => `${path.replace(/\/+$/, '')}/`);
  return folders.every((one, index) =>
    folders.every((other, place) => place === index || !(one.startsWith(other) || other.startsWith(one))),
  );
}

function pathsOf(volume: JsonObject): readonly string[] {
  return itemsOf(volume.get('items')).map((each) => each.get('path') as string);
}

const hasApartItems = (volume: JsonObject): boolean => isApart(pathsOf(volume));

const projection = union({
  configMap: struct({ name: filledText, items, optional: flag }, 'name'),
  secret: struct({ name: filledText, items, optional: flag }, 'name'),
  downwardAPI: struct({ items: list(file) }),
  serviceAccountToken: struct(
    { path: localPath, audience: anyText, expirationSeconds: integer(600n, 2n ** 32n) },
    'path',
  ),
});

function hasApartSources(volume: JsonObject): boolean {
  const paths = itemsOf(volume.get('sources')).flatMap((source) => [
    ...pathsOf(member(source, 'configMap')),
    ...pathsOf(member(source, 'secret')),
    ...pathsOf(member(source, 'downwardAPI')),
    ...(source.has('serviceAccountToken') ? [member(source, 'serviceAccountToken').get('path') as string] : []),
  ]);
  return isApart(paths);
}

const SOURCES = {
  emptyDir: struct({ medium: oneOf('', 'Memory'), sizeLimit: (value) => milliValue(value) !== undefined }),
  hostPath: struct(
    {
      path: text((path) => path !== '' && hasNoBackstep(path)),
      type: oneOf('', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'),
    },
    'path',
  ),
  configMap: struct({ name: filledText, items, defaultMode: mode, optional: flag }, 'name', hasApartItems),
  secret: struct({ secretName: filledText, items, defaultMode: mode, optional: flag }, 'secretName', hasApartItems),
  persistentVolumeClaim: struct({ claimName: filledText, readOnly: flag }, 'claimName'),
  downwardAPI: struct({ items: list(file), defaultMode: mode }, '', hasApartItems),
  projected: struct({ sources: list(projection), defaultMode: mode }, 'sources', hasApartSources),
  nfs: struct({ server: filledText, path: text((path) => path.startsWith('/')), readOnly: flag }, 'server path'),
  csi: struct(
    {
      driver: text((name) => name.length <= 63 && isSubdomain(name)),
      readOnly: flag,
      fsType: anyText,
      volumeAttributes: textMap(isLabelKey, () => true),
      nodePublishSecretRef: struct({ name: filledText }, 'name'),
    },
    'driver',
  ),
};

export const volumes = listBy('name', struct({ name: label, ...SOURCES }, 'name', hasOneOf(Object.keys(SOURCES))));

/** True if a Pod needs a ServiceAccount for one of its volumes. */
export function needsToken(all: readonly JsonObject[]): boolean {
  return all.some((volume) =>
    itemsOf(member(volume, 'projected').get('sources')).some((source) => source.has('serviceAccountToken')),
  );
}
