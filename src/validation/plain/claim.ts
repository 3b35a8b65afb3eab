// PersistentVolumeClaims (pkg/apis/core/validation `ValidatePersistentVolumeClaimSpec`).
import { isJsonArray, type JsonObject } from '../../source/json/json.ts';
import { isSubdomain, subdomain } from './formats.ts';
import { objectOf, type PlainKind } from './kind.ts';
import { selector } from './labels.ts';
import { metadata } from './metadata.ts';
import { isWhole, milliValue } from './quantities.ts';
import { isAbsent, list, oneOf, structOf, textThat } from './rule.ts';
import { sameJson } from './same-json.ts';

const MODES = oneOf('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod');

export const claimSpec = structOf(
  {
    accessModes: list(MODES, 1),
    selector,
    resources: structOf({ requests: structOf({ storage: isStorage }, 'storage') }, 'requests'),
    storageClassName: textThat((name) => name === '' || isSubdomain(name)),
    volumeMode: oneOf('Filesystem', 'Block'),
    volumeName: subdomain,
  },
  'accessModes resources',
  (spec) => {
    const modes = spec.get('accessModes');
    return (
      !isJsonArray(modes) || !modes.includes('ReadWriteOncePod') || modes.every((mode) => mode === 'ReadWriteOncePod')
    );
  },
);

function isStorage(value: unknown): boolean {
  const milli = milliValue(value as string);
  return isWhole(milli) && milli > 0;
}

export const persistentVolumeClaim: PlainKind = {
  rule: objectOf(
    {
      metadata: metadata(isSubdomain, {
        isNamespaced: true,
        finalizers: list(oneOf('kubernetes.io/pvc-protection'), 0, 1),
      }),
      spec: claimSpec,
      status: structOf({ phase: oneOf('Pending') }),
    },
    'metadata spec',
  ),
  allowsUpdate: (object: JsonObject, old: JsonObject) =>
    !isAbsent(object.get('spec')) && sameJson(object.get('spec'), old.get('spec')),
};
