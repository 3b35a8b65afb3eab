// Objects that server-side apply refuses because they do not fit the merge schema. The server notices before it decodes the object (structured-merge-diff).
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { MergeType } from '../../kubernetes/patch/merge-type.ts';
import { mismatchText, typeMismatches } from '../../kubernetes/patch/typed-value.ts';
import type { DecodeError } from '../../kubernetes/schema/decode-failures.ts';
import { type FieldPath, isSamePath } from '../../source/node/field-path.ts';
import { isOpenKey, isPathStart } from '../unknown/open-fields.ts';
import { placeholderAt } from '../unknown/placeholder.ts';
import { invalidObject, shortened, unknownFieldHelp } from './object-diagnostics.ts';

export interface AppliedObject {
  readonly resource: Resource;
  readonly mergeType: MergeType;
  /** Empty for kinds of the cluster. */
  readonly namespace: string;
  readonly isBuiltin: boolean;
  readonly open: readonly FieldPath[];
  /** Errors of strict decoding. */
  readonly unknown: readonly DecodeError[];
}

/** One diagnostic for each mismatch. The server's order of several is random; here it is the order in the manifest. */
export function refusedByApply(object: AppliedObject): readonly Diagnostic[] {
  const { resource, mergeType, namespace, open, unknown } = object;
  const isByFlux = resource.manifest.applier?.obeys.includes('flux') === true;
  const misfits = typeMismatches(mergeType, resource.value, {
    allowUndeclared: isByFlux && isNormalized(object),
  }).filter(
    ({ at, isUndeclared }) =>
      !(isByFlux && at[0] === 'status') &&
      !open.some((path) => isPathStart(path, at) || isPathStart(at, path)) &&
      placeholderAt(resource, at) === undefined &&
      !(isUndeclared && isOpenKey(resource, at)),
  );
  const { gvk, apiVersion, name } = resource;
  const version = gvk.group === '' ? `/${apiVersion}` : apiVersion;
  const of = `${namespace === '' ? '' : namespace}/${name}; ${version}, Kind=${gvk.kind}`;
  const refusal = (text: string): string => `failed to create typed patch object (${of}): ${text}`;
  const whole = misfits.length > 1 ? { serverMessage: shortened(refusal(mismatchText(misfits) as string)) } : {};
  return misfits.map(({ at, message, isUndeclared }) => {
    const unknownField = isUndeclared ? unknown.find(({ path }) => isSamePath(path, at)) : undefined;
    const location = resource.locate(at, isUndeclared ? 'key' : 'value');
    return {
      ...invalidObject(refusal(message), location, []),
      ...(unknownField && { code: 'unknown-field' as const, help: unknownFieldHelp(resource, unknownField) }),
      ...whole,
      field: at,
    };
  });
}

/** Flux drops unknown fields of built-in kinds, except of roles (fluxcd/pkg `ssa/normalize`). */
function isNormalized({ resource: { gvk }, isBuiltin }: AppliedObject): boolean {
  return (
    isBuiltin && !(gvk.group === 'rbac.authorization.k8s.io' && (gvk.kind === 'Role' || gvk.kind === 'ClusterRole'))
  );
}
