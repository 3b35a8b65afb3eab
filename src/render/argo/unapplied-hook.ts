// Objects of an Application that no sync applies: hooks marked `Skip`, and hooks without a phase, e.g. Helm tests.
import type { JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { NeverApplied } from '../../source/manifest/manifest.ts';

const OWN = 'argocd.argoproj.io/hook';
const OF_HELM = 'helm.sh/hook';

/** `NewHookType` in gitops-engine pkg/sync/common/types.go. */
const OWN_TYPES: ReadonlySet<string> = new Set(['PreSync', 'Sync', 'PostSync', 'SyncFail', 'Skip']);
const HELM_TYPES: ReadonlySet<string> = new Set(['pre-install', 'pre-upgrade', 'post-install', 'post-upgrade']);
/** These hooks run when the Application is deleted (`hookTypeAnnotations` in controller/hook.go). */
const AT_DELETION: ReadonlySet<string> = new Set(['PreDelete', 'PostDelete', 'pre-delete', 'post-delete']);

/**
 * Follows `syncPhases` in gitops-engine pkg/sync/sync_phase.go. A hook without a phase is no longer one of the objects that Argo CD compares
 * with the cluster, so an object that became one is pruned (`Reconcile` in reconcile.go).
 */
export function unappliedHook(object: JsonObject): NeverApplied | undefined {
  const annotations = objectOrEmpty(objectOrEmpty(object.get('metadata')).get('annotations'));
  const isOwn = annotations.has(OWN);
  const name = isOwn ? OWN : OF_HELM;
  const text = textField(annotations, name);
  // Argo CD does not treat this event as a hook.
  if (!annotations.has(name) || (!isOwn && text === 'crd-install')) return undefined;
  const own = eventsIn(textField(annotations, OWN));
  const helm = eventsIn(textField(annotations, OF_HELM));
  const types = own.filter((event) => OWN_TYPES.has(event));
  const isApplied =
    types.some((type) => type !== 'Skip') ||
    (types.length === 0 && helm.some((event) => HELM_TYPES.has(event))) ||
    [...own, ...helm].some((event) => AT_DELETION.has(event));
  if (isApplied) return undefined;
  return { because: `${name}: ${text}`, staysIfExisting: types.length === 1 };
}

function eventsIn(text: string): readonly string[] {
  return text.split(',').map((event) => event.trim());
}
