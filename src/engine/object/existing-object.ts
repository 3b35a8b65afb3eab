// What a tool does with an object that exists when it applies another version: it changes the object, or deletes and creates it.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { Applier } from '../../source/manifest/manifest.ts';
import type { ObjectChange } from './object-request.ts';

type ExistingObject = 'changed' | 'recreated' | 'recreated-if-refused';

interface ServerAnswers {
  /** True if the cluster holds the old object, because the server took it. */
  isStored(old: Resource): boolean;
  /** Empty if the server accepts the object: as an update of `old`, or as a new object without `old`. */
  refusals(resource: Resource, old?: Resource): readonly Diagnostic[];
}

export interface RequestedChange {
  readonly change: ObjectChange;
  /** What the server answers if the old object still exists; absent if that makes no difference. */
  readonly ifOldExists?: { readonly refusals: readonly Diagnostic[]; readonly deletedBy: string };
}

/**
 * An update becomes a create if the tool deletes the old object, or if the cluster does not hold it. A refused update of an object that a
 * controller may have deleted is both.
 */
export function requestedChange(change: ObjectChange, server: ServerAnswers): RequestedChange {
  if (change.operation !== 'UPDATE') return { change };
  const { resource, old } = change;
  const creation: ObjectChange = { operation: 'CREATE', resource };
  const existing = existingObject(resource);
  if (existing === 'recreated' || !server.isStored(old)) return { change: creation };
  const deletedBy = deletingController(old);
  if (existing === 'changed' && deletedBy === undefined) return { change };
  const refusals = server.refusals(resource, old);
  if (refusals.length === 0) return { change };
  if (existing === 'recreated-if-refused' || deletedBy === undefined) return { change: creation };
  return server.refusals(resource).length > 0 ? { change } : { change: creation, ifOldExists: { refusals, deletedBy } };
}

/** What deletes the object after its use, if anything (kube-controller-manager `pkg/controller/ttlafterfinished`). */
function deletingController({ gvk: { group, kind }, value }: Resource): string | undefined {
  const isDeleted =
    group === 'batch' && kind === 'Job' && objectOrEmpty(value.get('spec')).has('ttlSecondsAfterFinished');
  return isDeleted ? '`ttlSecondsAfterFinished` deletes it when it has finished' : undefined;
}

/** Only annotations of the tools that apply the object count. */
const UNKNOWN_APPLIER: Applier = { obeys: ['argo-cd', 'flux'] };

/** True if the server merges the object by the ownership of fields. */
export function isAppliedServerSide({ manifest, value }: Resource): boolean {
  const { obeys, isServerSide } = manifest.applier ?? UNKNOWN_APPLIER;
  if (isServerSide === true) return true;
  const annotations = objectOrEmpty(objectOrEmpty(value.get('metadata')).get('annotations'));
  return obeys.includes('argo-cd') && listOf(textField(annotations, SYNC_OPTIONS)).includes('ServerSideApply=true');
}

function existingObject({ manifest, value }: Resource): ExistingObject {
  const { obeys, recreatesRefused } = manifest.applier ?? UNKNOWN_APPLIER;
  const metadata = objectOrEmpty(value.get('metadata'));
  const annotations = objectOrEmpty(metadata.get('annotations'));
  if (obeys.includes('helm') && textField(annotations, HELM_HOOK) !== '') return 'recreated';
  const declared = [
    obeys.includes('argo-cd') ? byArgo(annotations) : undefined,
    obeys.includes('flux') ? byFlux(annotations, objectOrEmpty(metadata.get('labels'))) : undefined,
  ].find((each) => each !== undefined);
  return declared ?? (recreatesRefused === true ? 'recreated-if-refused' : 'changed');
}

/**
 * Why the tool leaves the object in the cluster once it is no longer in Git. Undefined: the tool deletes it, or is unknown. Sources: `deleteObjects`
 * of kustomize-controller, `isPruningDisabled` of gitops-engine, `resourcePolicy` of Helm's pkg/kube/resource_policy.go.
 */
export function keptWhenRemoved({ manifest: { applier }, value }: Resource): string | undefined {
  if (applier === undefined) return undefined;
  const metadata = objectOrEmpty(value.get('metadata'));
  const annotations = objectOrEmpty(metadata.get('annotations'));
  const { obeys, keepsRemoved } = applier;
  if (obeys.includes('flux')) {
    const found = KEPT_BY_FLUX.find(([key, text]) =>
      [objectOrEmpty(metadata.get('labels')), annotations].some((each) => textField(each, key).toLowerCase() === text),
    );
    if (found !== undefined) return `\`${found.join(': ')}\``;
  }
  if (obeys.includes('argo-cd')) {
    const [option] = listOf(textField(annotations, SYNC_OPTIONS)).filter((each) => each.startsWith('Prune='));
    if (option === 'Prune=false') return `\`${SYNC_OPTIONS}: ${option}\``;
  }
  const isKeptByHelm =
    obeys.includes('helm') && textField(annotations, RESOURCE_POLICY).trim().toLowerCase() === 'keep';
  return isKeptByHelm ? `\`${RESOURCE_POLICY}: keep\`` : keepsRemoved;
}

const KEPT_BY_FLUX = [
  ['kustomize.toolkit.fluxcd.io/prune', 'disabled'],
  ['kustomize.toolkit.fluxcd.io/reconcile', 'disabled'],
  ['kustomize.toolkit.fluxcd.io/ssa', 'ignore'],
] as const;
const RESOURCE_POLICY = 'helm.sh/resource-policy';

/**
 * Helm never updates a hook: it deletes it before the next one or after the last one, or the next one fails, because the object exists
 * (pkg/action/hooks.go).
 */
const HELM_HOOK = 'helm.sh/hook';

/** Of an Application (gitops-engine pkg/sync: hook/delete_policy.go, sync_context.go `applyObject`). */
function byArgo(annotations: JsonObject): ExistingObject | undefined {
  const listed = (name: string): readonly string[] => listOf(textField(annotations, name));
  if (listed('argocd.argoproj.io/hook').length > 0 || listed(HELM_HOOK).length > 0) {
    const policies = [
      ...listed('argocd.argoproj.io/hook-delete-policy'),
      ...listed('helm.sh/hook-delete-policy'),
    ].filter((policy) => KEEPS.has(policy) || REMOVES.has(policy));
    return policies.length > 0 && policies.every((policy) => KEEPS.has(policy)) ? 'changed' : 'recreated';
  }
  const options = listed(SYNC_OPTIONS);
  if (!options.includes('Force=true')) return undefined;
  return options.includes('Replace=true') ? 'recreated' : 'recreated-if-refused';
}

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

const REMOVES: ReadonlySet<string> = new Set([
  'BeforeHookCreation',
  'HookSucceeded',
  'before-hook-creation',
  'hook-succeeded',
]);
const KEEPS: ReadonlySet<string> = new Set(['HookFailed', 'hook-failed']);

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Of a Kustomization (fluxcd/pkg ssa/manager_apply.go `shouldForceApply`, `shouldSkipApply`). */
function byFlux(...metadata: readonly JsonObject[]): ExistingObject | undefined {
  const has = (name: string, value: string): boolean =>
    metadata.some((of) => textField(of, `kustomize.toolkit.fluxcd.io/${name}`).toLowerCase() === value);
  // The object stays as it is, and is created where it is missing.
  if (has('ssa', 'ifnotpresent')) return 'recreated';
  return has('force', 'enabled') ? 'recreated-if-refused' : undefined;
}
