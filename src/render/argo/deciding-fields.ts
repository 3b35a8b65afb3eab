// The fields of Argo CD objects that decide which objects the controllers apply. The others decide when, and which differences count.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';

/** Fields of the `spec` of an Application that change no applied object. */
const LEFT_OUT: ReadonlySet<string> = new Set(['ignoreDifferences', 'info', 'revisionHistoryLimit', 'syncPolicy']);

/** Options of `syncPolicy.syncOptions` that change which objects are applied, or how the server judges them. */
const DECIDING_OPTION =
  /^(?:ClientSideApplyMigration|CreateNamespace|Force|Replace|RespectIgnoreDifferences|ServerSideApply|Validate)=/;

/** With this annotation, Argo CD applies nothing. */
const SKIPS = 'argocd.argoproj.io/skip-reconcile';

/**
 * Without labels and most annotations, which Argo CD does not pass on. With `RespectIgnoreDifferences=true`, ignored fields keep the value of the
 * cluster, so `ignoreDifferences` decides.
 */
export function applicationDecidingFields({ gvk, namespace, name, value }: Resource): JsonObject {
  const spec = objectOrEmpty(value.get('spec'));
  const policy = objectOrEmpty(spec.get('syncPolicy'));
  const options = textItems(policy.get('syncOptions')).filter((option) => DECIDING_OPTION.test(option));
  const respects = options.includes('RespectIgnoreDifferences=true');
  const kept = [...spec].filter(([field]) => !LEFT_OUT.has(field) || (respects && field === 'ignoreDifferences'));
  const managed = policy.get('managedNamespaceMetadata');
  return new Map<string, JsonValue>([
    ['object', [gvk.group, gvk.kind, namespace, name]],
    ['spec', new Map(kept)],
    ['skips', textField(objectOrEmpty(objectOrEmpty(value.get('metadata')).get('annotations')), SKIPS)],
    ['operation', value.get('operation') ?? null],
    ['syncOptions', [...options].sort()],
    ...(isJsonObject(managed) ? ([['managedNamespaceMetadata', managed]] as const) : []),
  ]);
}
