// Objects that an admission plugin of the server forbids, before validating policies are asked.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { formatGroupResource } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { AdmissionObjectResult } from '../../kubernetes/schema/admission-object.ts';
import type { PluginRefusal } from '../../kubernetes/schema/plugins/plugin-request.ts';
import { quotedInMessage } from '../../kubernetes/validation/field-error.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import type { ConvertedObject, ObjectValidity, ReplacedObject } from '../object/admission-object.ts';
import { isPathStart } from '../unknown/open-fields.ts';
import { placeholderAt } from '../unknown/placeholder.ts';
import { storedName, whether } from './registry-validation.ts';

interface AdmittedObject {
  readonly resource: Resource;
  readonly plural: string;
  readonly converted: Pick<ConvertedObject, 'open' | 'reasonOf'>;
}

/** Adds what the plugins answer to the object's validity. A plugin that validates is not asked about an invalid object. */
export function withPlugins(
  object: AdmittedObject,
  admitted: Exclude<AdmissionObjectResult, { readonly error: unknown }>,
  validity: ObjectValidity,
  old: ReplacedObject | undefined,
): ObjectValidity {
  const { plugins, forbidden, validating } = admitted;
  const early = old === undefined ? plugins.refusals : [];
  const isValid = validity.refusals.length === 0 && early.length === 0;
  const refusals = isValid ? forbidden(old?.stored().object) : early;
  const told = refusals
    .filter(({ isAfterPolicies }) => isAfterPolicies !== true)
    .map((refusal) => judged(object, refusal, validating.object));
  const late = refusals
    .filter(({ isAfterPolicies }) => isAfterPolicies === true)
    .map((refusal) => judged(object, refusal, validating.object));
  const missing = (old === undefined ? plugins.missing : []).filter(({ path }) => openIn(object, [path]) === undefined);
  if (told.length === 0 && late.length === 0 && missing.length === 0) return validity;
  return {
    ...validity,
    refusals: [...told.flatMap((each) => ('refusal' in each ? [each.refusal] : [])), ...validity.refusals],
    lateRefusals: late.flatMap((each) => ('refusal' in each ? [each.refusal] : [])),
    unknowns: [
      ...[...told, ...late].flatMap((each) => ('unknown' in each ? [each.unknown] : [])),
      ...validity.unknowns,
    ],
    ...(missing.length > 0 && { missing: missing.map(({ kind }) => kind) }),
  };
}

function judged(
  object: AdmittedObject,
  refusal: PluginRefusal,
  stored: JsonObject,
): { readonly refusal: Diagnostic } | { readonly unknown: string } {
  const open = openIn(object, refusal.reads);
  if (open === undefined) return { refusal: forbidden(object, refusal) };
  return { unknown: `${whether(object.resource, storedName(stored))} depends on ${open}` };
}

/** The first unknown value among the fields, in words. */
function openIn({ resource, converted }: AdmittedObject, reads: readonly FieldPath[]): string | undefined {
  for (const path of reads) {
    const open = converted.open.find((each) => isPathStart(each, path) || isPathStart(path, each));
    if (open !== undefined) return converted.reasonOf?.(open)?.depends ?? formatFieldPath(open);
    const placeholder = placeholderAt(resource, path);
    if (placeholder !== undefined) return `${placeholder} in ${formatFieldPath(path)}`;
  }
  return undefined;
}

/** `errors.NewForbidden` as admission words it (apiserver `pkg/admission/errors.go`). */
function forbidden(
  { resource, plural }: AdmittedObject,
  { message, path, isAfterPolicies }: PluginRefusal,
): Diagnostic {
  const { name, generateName, gvk } = resource;
  const shown = name === '' ? (generateName === '' ? 'Unknown' : generateName) : name;
  return {
    code: 'forbidden-object',
    severity: 'error',
    message: `${formatGroupResource(gvk.group, plural)} ${quotedInMessage(shown)} is forbidden: ${message}`,
    primary: resource.locate(path, 'value'),
    related: [],
    help:
      isAfterPolicies === true
        ? 'no policy denies this object, but it exceeds a quota; the files do not say what else the Namespace uses'
        : 'no policy sees this object: an admission plugin of the API server forbids it first',
    field: path,
  };
}
