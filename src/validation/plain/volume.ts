// Volumes of Pods (pkg/apis/core/validation `ValidateVolumes`; overlapping paths lead to warnings).
import { trimRight } from '../../go/strings/trim.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { resourceField, volumeField } from './environment.ts';
import { hasNoBackstep, isLabelKey, isSubdomain, label, localPath, subdomain } from './formats.ts';
import { milliValue } from './quantities.ts';
import {
  anyText,
  childOf,
  filledText,
  flag,
  hasOneOf,
  integer,
  itemsOf,
  list,
  listBy,
  oneOf,
  structOf,
  textMap,
  textThat,
  unionOf,
} from './rule.ts';

const mode = integer(0n, 0o777n);
const item = structOf({ key: filledText, path: localPath, mode }, 'key path');
const items = list(item);
const file = structOf(
  { path: localPath, fieldRef: volumeField, resourceFieldRef: resourceField('containerName'), mode },
  'path',
  hasOneOf(['fieldRef', 'resourceFieldRef']),
);

function isApart(paths: readonly string[]): boolean {
  if (paths.length > 200) return false;
  const folders = paths.map((path) => `${trimRight(path, '/')}/`);
  return folders.every((one, index) =>
    folders.every((other, place) => place === index || !(one.startsWith(other) || other.startsWith(one))),
  );
}

function pathsOf(volume: JsonObject): readonly string[] {
  return itemsOf(volume.get('items')).map((each) => each.get('path') as string);
}

const hasApartItems = (volume: JsonObject): boolean => isApart(pathsOf(volume));

const projection = unionOf({
  configMap: structOf({ name: filledText, items, optional: flag }, 'name'),
  secret: structOf({ name: filledText, items, optional: flag }, 'name'),
  downwardAPI: structOf({ items: list(file) }),
  serviceAccountToken: structOf(
    { path: localPath, audience: anyText, expirationSeconds: integer(600n, 2n ** 32n) },
    'path',
  ),
});

function hasApartSources(volume: JsonObject): boolean {
  const paths = itemsOf(volume.get('sources')).flatMap((source) => [
    ...pathsOf(childOf(source, 'configMap')),
    ...pathsOf(childOf(source, 'secret')),
    ...pathsOf(childOf(source, 'downwardAPI')),
    ...(source.has('serviceAccountToken') ? [childOf(source, 'serviceAccountToken').get('path') as string] : []),
  ]);
  return isApart(paths);
}

const SOURCES = {
  emptyDir: structOf({ medium: oneOf('', 'Memory'), sizeLimit: (value) => milliValue(value) !== undefined }),
  hostPath: structOf(
    {
      path: textThat((path) => path !== '' && hasNoBackstep(path)),
      type: oneOf('', 'DirectoryOrCreate', 'Directory', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'),
    },
    'path',
  ),
  configMap: structOf({ name: filledText, items, defaultMode: mode, optional: flag }, 'name', hasApartItems),
  secret: structOf({ secretName: filledText, items, defaultMode: mode, optional: flag }, 'secretName', hasApartItems),
  persistentVolumeClaim: structOf({ claimName: filledText, readOnly: flag }, 'claimName'),
  downwardAPI: structOf({ items: list(file), defaultMode: mode }, '', hasApartItems),
  projected: structOf({ sources: list(projection), defaultMode: mode }, 'sources', hasApartSources),
  nfs: structOf({ server: filledText, path: textThat((path) => path.startsWith('/')), readOnly: flag }, 'server path'),
  csi: structOf(
    {
      driver: textThat((name) => name.length <= 63 && isSubdomain(name)),
      readOnly: flag,
      fsType: anyText,
      volumeAttributes: textMap(isLabelKey, () => true),
      nodePublishSecretRef: structOf({ name: subdomain }, 'name'),
    },
    'driver',
  ),
};

export const volumes = listBy('name', structOf({ name: label, ...SOURCES }, 'name', hasOneOf(Object.keys(SOURCES))));

/** True if a Pod needs a ServiceAccount for one of its volumes. */
export function needsToken(all: readonly JsonObject[]): boolean {
  return all.some((volume) =>
    itemsOf(childOf(volume, 'projected').get('sources')).some((source) => source.has('serviceAccountToken')),
  );
}
