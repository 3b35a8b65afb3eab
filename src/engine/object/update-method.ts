// What a tool does with an object that exists when it applies another version: it changes the object, or deletes and creates it.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { Applier } from '../../source/manifest/manifest.ts';

export type UpdateMethod = 'changed' | 'recreated' | 'recreated-if-refused';

/** Annotations of other tools are texts without a meaning. */
const UNKNOWN_APPLIER: Applier = { obeys: ['argo-cd', 'flux'] };

export function updateMethod({ manifest, value }: Resource): UpdateMethod {
  const { obeys, recreatesRefused } = manifest.applier ?? UNKNOWN_APPLIER;
  const metadata = objectOrEmpty(value.get('metadata'));
  const annotations = objectOrEmpty(metadata.get('annotations'));
  if (obeys.includes('helm') && textField(annotations, HELM_HOOK) !== '') return 'recreated';
  const told = [
    obeys.includes('argo-cd') ? byArgo(annotations) : undefined,
    obeys.includes('flux') ? byFlux(annotations, objectOrEmpty(metadata.get('labels'))) : undefined,
  ].find((each) => each !== undefined);
  return told ?? (recreatesRefused === true ? 'recreated-if-refused' : 'changed');
}

/**
 * Helm never updates a hook: it deletes it before the next one or after the last one, or the next one fails, because the object exists
 * (pkg/action/hooks.go).
 */
const HELM_HOOK = 'helm.sh/hook';

/** Of an Application (gitops-engine pkg/sync: hook/delete_policy.go, sync_context.go `applyObject`). */
function byArgo(annotations: JsonObject): UpdateMethod | undefined {
  const listed = (name: string): readonly string[] => listOf(textField(annotations, name));
  if (listed('argocd.argoproj.io/hook').length > 0 || listed(HELM_HOOK).length > 0) {
    const policies = [
      ...listed('argocd.argoproj.io/hook-delete-policy'),
      ...listed('helm.sh/hook-delete-policy'),
    ].filter((policy) => KEEPS.has(policy) || REMOVES.has(policy));
    return policies.length > 0 && policies.every((policy) => KEEPS.has(policy)) ? 'changed' : 'recreated';
  }
  const options = listed('argocd.argoproj.io/sync-options');
  if (!options.includes('Force=true')) return undefined;
  return options.includes('Replace=true') ? 'recreated' : 'recreated-if-refused';
}

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
function byFlux(...metadata: readonly JsonObject[]): UpdateMethod | undefined {
  const has = (name: string, value: string): boolean =>
    metadata.some((of) => textField(of, `kustomize.toolkit.fluxcd.io/${name}`).toLowerCase() === value);
  // The object stays as it is, and is created where it is missing.
  if (has('ssa', 'ifnotpresent')) return 'recreated';
  return has('force', 'enabled') ? 'recreated-if-refused' : undefined;
}
