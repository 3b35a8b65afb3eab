// Validates objects of built-in kinds as the registry of the API server does, with what the repository leaves open.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../../kubernetes/api/version.ts';
import type { MergeTypes } from '../../kubernetes/patch/merge-types.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';
import { placeholderIn } from '../../source/placeholder/placeholder-text.ts';
import { isSubstitutionDisabled } from '../../source/placeholder/substitution.ts';
import { causePath, warningPath } from '../../validation/cause-path.ts';
import {
  type AnswerCause,
  type RegistryAnswer,
  type ServerValidation,
  type ValidationRequest,
  ValidationStop,
} from '../../validation/server-validation.ts';
import type { ConvertedObject, ObjectValidity, ReplacedObject } from '../object/admission-object.ts';
import { isAppliedServerSide } from '../object/existing-object.ts';
import { withKeptDefaults } from '../object/kept-defaults.ts';
import { isPathStart } from '../unknown/open-fields.ts';
import { placeholderAt } from '../unknown/placeholder.ts';
import { invalidBuiltin, serverWarnings, validationStopped } from './object-diagnostics.ts';

/** The minor releases that the engine emulates; docs/limits.md says how exactly. */
const [OLDEST, NEWEST] = [31, 37];

/** The release that the engine emulates for a target. */
export function emulatedRelease({ major, minor }: KubernetesVersion): string {
  return `${major}.${Math.min(Math.max(minor, OLDEST), NEWEST)}`;
}

const ACCEPTED: ObjectValidity = { refusals: [], unknowns: [] };

export interface RegistryOptions extends Pick<ValidationRequest, 'featureGates' | 'settings'> {
  /** Undefined if the labels are unknown. */
  readonly namespaceLabels?: (namespace: string) => ReadonlyMap<string, string> | undefined;
  readonly mergeTypes: MergeTypes;
}

/** What a verdict on a built-in object depends on besides its values. */
interface ValidatedBuiltin {
  readonly resource: Resource;
  readonly converted: Pick<ConvertedObject, 'open' | 'reasonOf'>;
}

export class RegistryValidation {
  readonly #server: ServerValidation;
  readonly #release: string;
  readonly #options: RegistryOptions;

  constructor(server: ServerValidation, version: KubernetesVersion, options: RegistryOptions) {
    this.#server = server;
    this.#release = emulatedRelease(version);
    this.#options = options;
  }

  /** Undefined if the engine does not know the kind. `stored`: the object with all defaults. */
  validity(
    object: ValidatedBuiltin,
    requested: JsonObject,
    stored: JsonObject,
    old: ReplacedObject | undefined,
  ): ObjectValidity | undefined {
    const { featureGates, settings, namespaceLabels, mergeTypes } = this.#options;
    const { gvk, namespace } = object.resource;
    // Only these kinds depend on a label of their Namespace.
    const labels = gvk.group === 'resource.k8s.io' ? namespaceLabels?.(namespace) : undefined;
    const request: ValidationRequest = {
      ...appliedObject(object.resource, requested, old, mergeTypes),
      release: this.#release,
      ...(featureGates && { featureGates }),
      ...(settings && { settings }),
      ...(labels && { namespaceLabels: labels }),
    };
    try {
      const answer = this.#server.validate(request);
      return answer && ofAnswer(object, stored, answer, old?.resource);
    } catch (reason) {
      if (!(reason instanceof ValidationStop)) throw reason;
      return { ...ACCEPTED, stopped: validationStopped(object.resource, storedName(stored), reason) };
    }
  }
}

/** The object with what its update leaves as it is. `old` is undefined if the server could not have stored it. */
function appliedObject(
  resource: Resource,
  object: JsonObject,
  replaced: ReplacedObject | undefined,
  mergeTypes: MergeTypes,
): Pick<ValidationRequest, 'object' | 'old' | 'isApplied'> {
  const old = replaced?.stored().requested();
  if (replaced === undefined || old === undefined) return { object };
  const written = replaced.resource.value;
  const kept = withKeptDefaults({
    object,
    old,
    written,
    now: resource.value,
    mergeType: mergeTypes.ofBuiltin(resource.gvk),
    isServerSide: isAppliedServerSide(resource),
  });
  return { object: kept, old: withoutDefaultClass(replaced.resource, old), isApplied: true };
}

/** The default class of a claim may have been another one when the claim was created. */
function withoutDefaultClass({ gvk, value }: Resource, old: JsonObject): JsonObject {
  const spec = objectOrEmpty(old.get('spec'));
  const isWritten = objectOrEmpty(value.get('spec')).has('storageClassName');
  if (gvk.kind !== 'PersistentVolumeClaim' || gvk.group !== '' || isWritten || !spec.has('storageClassName'))
    return old;
  const kept = [...spec].filter(([field]) => field !== 'storageClassName');
  return new Map(old).set('spec', new Map(kept));
}

function ofAnswer(
  object: ValidatedBuiltin,
  stored: JsonObject,
  answer: RegistryAnswer,
  old: Resource | undefined,
): ObjectValidity {
  const { resource } = object;
  const name = storedName(stored);
  const warnings = serverWarnings(resource, certainWarnings(object, answer.warnings));
  const certain = answer.causes.filter(({ depends }: AnswerCause) => depends === undefined);
  const isRefused = answer.code >= 400 && (answer.causes.length === 0 || certain.length > 0);
  const paths = certain.map(({ field }) => causePath(field, stored));
  const open = isRefused ? openIn(object, paths) : undefined;
  // An accepted object has causes that another configuration of the server would have. One about a stand-in says nothing.
  const uncertain = answer.causes.filter(
    ({ field }) => answer.code >= 400 || !isOpenAt(object, causePath(field, stored)),
  );
  const reasons = new Set([...uncertain.flatMap(({ depends }) => depends ?? []), ...(open ?? [])]);
  const unknowns = [...reasons].map((reason) => `${whether(resource, name)} depends on ${reason}`);
  if (!isRefused || open !== undefined) return { refusals: [], unknowns, warnings };
  // The server's sentence about all causes would contain the uncertain ones.
  const message = certain.length === answer.causes.length ? answer.message : '';
  return {
    refusals: invalidBuiltin(resource, name, stored, { ...answer, causes: certain, message }, old),
    unknowns,
    warnings,
  };
}

/**
 * What the repository leaves open in the object, if anything. The registry compares fields with each other, so every open field can
 * decide about every cause.
 */
function openIn(
  { resource, converted }: ValidatedBuiltin,
  causes: readonly FieldPath[],
): readonly string[] | undefined {
  const { open, reasonOf } = converted;
  const near = open.find((path) => causes.some((cause) => isPathStart(path, cause) || isPathStart(cause, path)));
  const reason = near && reasonOf?.(near)?.depends;
  if (reason !== undefined) return [reason];
  for (const path of causes) {
    const placeholder = path.length === 0 ? undefined : placeholderAt(resource, path);
    if (placeholder !== undefined) return [`${placeholder} in ${formatFieldPath(path)}`];
  }
  const nearest = near ?? open[0];
  if (nearest !== undefined) return [reasonOf?.(nearest)?.depends ?? formatFieldPath(nearest)];
  if (isSubstitutionDisabled(objectOrEmpty(resource.value.get('metadata')))) return undefined;
  const found = placeholderField(resource.value, []);
  return found && [`${found.placeholder} in ${formatFieldPath(found.path)}`];
}

function isOpenAt({ resource, converted }: ValidatedBuiltin, path: FieldPath): boolean {
  const isOpen = converted.open.some((open) => isPathStart(open, path) || isPathStart(path, open));
  return isOpen || placeholderAt(resource, path) !== undefined;
}

/** Free texts, which no rule compares with another field, and in which `$(VAR)` and `{{ }}` have their own meaning. */
const FREE_TEXTS = new Set(['annotations', 'args', 'binaryData', 'command', 'data', 'stringData', 'value']);

interface PlaceholderField {
  readonly placeholder: string;
  readonly path: FieldPath;
}

function placeholderField(value: JsonValue, path: FieldPath): PlaceholderField | undefined {
  if (typeof value === 'string') {
    const placeholder = placeholderIn(value);
    return placeholder === undefined ? undefined : { placeholder, path };
  }
  const fields = isJsonObject(value) ? value : isJsonArray(value) ? value.entries() : [];
  for (const [step, below] of fields) {
    const inKey = typeof step === 'string' ? placeholderIn(step) : undefined;
    if (inKey !== undefined) return { placeholder: inKey, path };
    if (typeof step === 'string' && FREE_TEXTS.has(step)) continue;
    const found = placeholderField(below, [...path, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Leaves out warnings about values that the repository does not contain. */
function certainWarnings({ resource, converted }: ValidatedBuiltin, warnings: readonly string[]): readonly string[] {
  return warnings.filter((text) => {
    const path = warningPath(text, resource.value);
    if (path.length === 0) return converted.open.length === 0 && placeholderAt(resource, ['spec']) === undefined;
    return !isOpenAt({ resource, converted }, path);
  });
}

export function whether({ gvk }: Resource, name: string): string {
  return `whether the server accepts ${gvk.kind} ${name}`;
}

export function storedName(object: JsonObject): string {
  return textField(objectOrEmpty(object.get('metadata')), 'name');
}
