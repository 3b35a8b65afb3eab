// Converts manifests to typed objects and validates them, once per object under evaluation.

import type { GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { KubernetesVersion } from '../../kubernetes/api/version.ts';
import type { CompleteObjects, ResourceMapping } from '../../kubernetes/cluster/cluster.ts';
import { CustomResourceKinds } from '../../kubernetes/custom-resource/custom-resource-kinds.ts';
import type { MergeType } from '../../kubernetes/patch/merge-type.ts';
import { MergeTypes } from '../../kubernetes/patch/merge-types.ts';
import type { Mutate } from '../../kubernetes/patch/mutation-stage.ts';
import type { PatchTarget } from '../../kubernetes/patch/patch-target.ts';
import type { PatchTargets } from '../../kubernetes/patch/patch-targets.ts';
import { patchTargetsOf } from '../../kubernetes/patch/patch-targets-of.ts';
import type { FieldValidation } from '../../kubernetes/request/field-validation.ts';
import { hasFreeKeys } from '../../kubernetes/request/free-keys.ts';
import type { RunBudget } from '../../kubernetes/request/run-budget.ts';
import { AdmissionObjects } from '../../kubernetes/schema/admission-object.ts';
import type { ServerFacts } from '../../kubernetes/schema/creation/creation-function.ts';
import { managedFields, POSSIBLE_FACTS } from '../../kubernetes/schema/creation/server-facts.ts';
import type { AdmissionPlugin } from '../../kubernetes/schema/plugins/plugin-request.ts';
import { generatedName } from '../../kubernetes/validation/generated-name.ts';
import { countValues } from '../../source/json/count-values.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { jsonDifferences } from '../../source/json/json-differences.ts';
import { objectOrEmpty, valueAt } from '../../source/json/json-field.ts';
import { type FieldPath, isSamePath } from '../../source/node/field-path.ts';
import { firstVariable } from '../../source/placeholder/substitution.ts';
import type { ServerSettings, ServerValidation } from '../../validation/server-validation.ts';
import type {
  ConvertedObject,
  MutatedObject,
  ObjectConverter,
  ObjectValidity,
  ReplacedObject,
} from '../object/admission-object.ts';
import { isAppliedServerSide } from '../object/existing-object.ts';
import {
  FIRST_FILLING,
  type Filling,
  filled,
  isOpenKey,
  limited,
  type Misfit,
  type OpenObject,
  OTHER_FILLINGS,
  openObject,
  reasonsOf,
  storedPaths,
  withStandIns,
} from '../unknown/open-fields.ts';
import { placeholderAt } from '../unknown/placeholder.ts';
import { LookedUpObjects } from '../validation/looked-up-objects.ts';
import { duplicateFields, undecodable, unknownFields } from '../validation/object-diagnostics.ts';
import { type Conversion, ObjectValidation, type ValidatedObject } from '../validation/object-validation.ts';
import { RegistryValidation } from '../validation/registry-validation.ts';
import { refusedByApply } from '../validation/server-side-apply.ts';
import { DefinedKinds } from './defined-kinds.ts';

/**
 * For one target. ServiceAccounts and PriorityClasses among `facts` change how the server admits a Pod. If the server
 * refuses an object, the result is the manifest's own value.
 */
export function typedConverter(options: ConverterOptions): ObjectConverter {
  return new TypedConverter(options);
}

export interface ConverterOptions {
  readonly kubernetesVersion: KubernetesVersion;
  readonly facts: readonly Resource[];
  readonly fieldValidation?: FieldValidation;
  readonly disabledAdmissionPlugins?: readonly AdmissionPlugin[];
  readonly work?: RunBudget;
  readonly serverValidation?: ServerValidation;
  readonly featureGates?: ReadonlyMap<string, boolean>;
  readonly apiServer?: ServerSettings;
  /** Kinds of which the facts hold all objects. */
  readonly complete?: readonly CompleteObjects[];
  /** True if the facts are complete. */
  readonly isComplete?: boolean;
  /** Namespace of namespaced facts without one. */
  readonly defaultNamespace?: string;
  /** Names of Namespaces that only the judged change defines, so that their labels are unknown. */
  readonly claimedNamespaces?: ReadonlySet<string>;
}

/** Number of cached objects. Decoded objects are larger than their manifests, so a large cache slows garbage collection. */
const MOST_RECENT = 16;

/** Work per value of one attempt to decode an object, in steps. */
const STEPS_FOR_VALUE = 12;

interface Entry {
  readonly converted: ConvertedObject;
  readonly conversion: Conversion | undefined;
  /** The resource without what only encryption adds. */
  readonly applied: Resource;
  /** Validity on creation; computed on demand. */
  created: ObjectValidity | undefined;
}

class TypedConverter implements ObjectConverter {
  readonly #options: ConverterOptions;
  readonly #looked: LookedUpObjects;
  readonly #builtin = new Map<ServerFacts, AdmissionObjects>();
  readonly #definedKinds: DefinedKinds;
  readonly #validation: ObjectValidation;
  /** An object is converted several times during its evaluation and rarely afterwards. */
  #recent = new Map<Resource, Entry>();
  #older = new Map<Resource, Entry>();
  readonly #mergeTypes: MergeTypes;
  #knownPatchTargets: PatchTargets | undefined;

  constructor(options: ConverterOptions) {
    this.#options = options;
    this.#looked = new LookedUpObjects(options, (resource, namespace) => this.#entry(resource, namespace).converted);
    const customKinds = new CustomResourceKinds(options.kubernetesVersion, options.work);
    this.#definedKinds = new DefinedKinds(customKinds, options.facts);
    const { kubernetesVersion, serverValidation, featureGates, apiServer } = options;
    this.#mergeTypes = new MergeTypes(this.#builtinObjects(POSSIBLE_FACTS[0]));
    const registry =
      serverValidation &&
      new RegistryValidation(serverValidation, kubernetesVersion, {
        ...(featureGates && { featureGates }),
        ...(apiServer && { settings: apiServer }),
        namespaceLabels: (namespace) => this.#looked.namespaceLabels(namespace),
        mergeTypes: this.#mergeTypes,
      });
    this.#validation = new ObjectValidation(customKinds, registry);
  }

  convert(resource: Resource, { namespaced }: ResourceMapping, namespace: string): ConvertedObject {
    return this.#entry(resource, namespaced ? namespace : '').converted;
  }

  mutated(resource: Resource, mapping: ResourceMapping, namespace: string, mutate: Mutate): MutatedObject {
    const own = mapping.namespaced ? namespace : '';
    const object = validatedObject(this.#converted(resource, own, mutate), mapping, namespace);
    const { converted } = object;
    return { converted, validity: (old) => this.#validated(object, old) };
  }

  validate(
    resource: Resource,
    old: ReplacedObject | undefined,
    mapping: ResourceMapping,
    namespace: string,
  ): ObjectValidity {
    const entry = this.#entry(resource, mapping.namespaced ? namespace : '');
    const object = validatedObject(entry, mapping, namespace);
    if (old !== undefined) return this.#validated(object, old);
    entry.created ??= this.#validated(object, undefined);
    return entry.created;
  }

  patchTarget(kind: GroupVersionKind): PatchTarget {
    return (
      this.#patchTargets.ofBuiltin(kind) ??
      this.#definedKinds.patchTarget(kind, this.#patchTargets) ??
      this.#patchTargets.ofUnknown
    );
  }

  #validated(object: ValidatedObject, old: ReplacedObject | undefined): ObjectValidity {
    const validity = this.#validation.validate(object, old);
    const unknowns = this.#definedKinds.unknownsOf(object.resource.gvk);
    return unknowns.length === 0 ? validity : { ...validity, unknowns: [...validity.unknowns, ...unknowns] };
  }

  #entry(resource: Resource, namespace: string): Entry {
    const recent = this.#recent.get(resource);
    if (recent !== undefined) return recent;
    const entry = this.#older.get(resource) ?? this.#newEntry(resource, namespace);
    if (this.#recent.size >= MOST_RECENT) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(resource, entry);
    return entry;
  }

  #newEntry(resource: Resource, namespace: string): Entry {
    return { ...this.#converted(resource, namespace, undefined), created: undefined };
  }

  #converted(resource: Resource, namespace: string, mutate: Mutate | undefined): Omit<Entry, 'created'> {
    const applied = openObject(resource);
    const decoded = this.#decoded(applied, FIRST_FILLING, namespace, mutate);
    const { conversion } = decoded;
    const { resource: known } = decoded.object;
    const stored = (each: Conversion | undefined, server: ServerFacts, from = known): JsonObject =>
      storedObject(from, each, server, namespace, this.#unknownMutation(mutate));
    const possible = () =>
      POSSIBLE_FACTS.map((server) => stored(this.#admit(known, namespace, server, mutate), server));
    const ofUnknown = () => stored(conversion, POSSIBLE_FACTS[0]);
    const fieldValidation = this.#options.fieldValidation ?? 'Strict';
    const { open } = decoded.object;
    const requested = convertedObject(applied.resource, conversion, fieldValidation, ofUnknown, possible);
    const converted = this.#applied(applied.resource, namespace, conversion, open, requested);
    if (open.length === 0 || converted.refused) return { converted, conversion, applied: applied.resource };
    const others = OTHER_FILLINGS.flatMap((filling) => {
      const other = this.#decoded({ ...applied, open }, filling, namespace, mutate);
      const isRefused = isError(resultOf(other.conversion));
      return isRefused ? [] : [stored(other.conversion, POSSIBLE_FACTS[0], other.object.resource)];
    });
    const base = ofUnknown();
    const dependent = others.flatMap((other) => jsonDifferences(base, other, (path) => !hasFreeKeys(path)));
    const reasonOf = reasonsOf(resource, open);
    const opened = { ...converted, open: limited([...storedPaths(known, open), ...dependent]), reasonOf };
    return { converted: opened, conversion, applied: applied.resource };
  }

  /** Server-side apply compares the object with the merge schema first. */
  #applied(
    resource: Resource,
    namespace: string,
    conversion: Conversion | undefined,
    open: readonly FieldPath[],
    converted: ConvertedObject,
  ): ConvertedObject {
    if (conversion === undefined || converted.placeholder !== undefined || !isAppliedServerSide(resource))
      return converted;
    const isBuiltin = 'builtin' in conversion;
    const mergeType = this.#mergeTypeOf(resource, conversion);
    if (mergeType === undefined) return converted;
    const result = resultOf(conversion);
    const unknown = result === undefined || isError(result) ? [] : result.strictErrors;
    const refusals = refusedByApply({ resource, mergeType, namespace, isBuiltin, open, unknown });
    return refusals.length === 0 ? converted : { ...converted, refused: true, diagnostics: refusals };
  }

  #mergeTypeOf({ gvk }: Resource, conversion: Conversion): MergeType | undefined {
    if ('builtin' in conversion) return this.#mergeTypes.ofBuiltin(gvk);
    return this.#mergeTypes.ofCustom(conversion.definedKind.kind);
  }

  /** Puts stand-ins into fields where a placeholder is no value of the field's type. */
  #decoded(
    applied: OpenObject,
    filling: Filling,
    namespace: string,
    mutate: Mutate | undefined,
  ): { readonly object: OpenObject; readonly conversion: Conversion | undefined } {
    const [server] = POSSIBLE_FACTS;
    const object = { ...applied, resource: filled(applied, filling) };
    const conversion = this.#admit(object.resource, namespace, server, mutate);
    const mayMisfit = isError(resultOf(conversion)) || mayNotValidate(conversion, applied);
    if (!mayMisfit) return { object, conversion };
    const attempt = STEPS_FOR_VALUE * countValues(applied.resource.value);
    const stood = withStandIns(applied, filling, (tried, isSettled) => {
      this.#options.work?.spend(attempt);
      return misfitIn(this.#admit(tried, namespace, server, undefined), isSettled);
    });
    if (stood === undefined) return { object, conversion };
    return { object: stood, conversion: this.#admit(stood.resource, namespace, server, mutate) };
  }

  #admit(
    resource: Resource,
    namespace: string,
    server: ServerFacts,
    mutate: Mutate | undefined,
  ): Conversion | undefined {
    const { value, gvk } = resource;
    const mutateBuiltin =
      mutate &&
      ((object: JsonObject, admitAgain: (again: JsonObject) => JsonObject) =>
        mutate(object, { patchTarget: (kind) => this.#patchTargets.ofBuiltin(kind), admitAgain }));
    const builtin = this.#builtinObjects(server).convert(value, gvk, namespace, mutateBuiltin);
    if (builtin !== undefined) return { builtin };
    return this.#definedKinds.admit(resource, namespace, server, mutate && { mutate, targets: this.#patchTargets });
  }

  #unknownMutation(mutate: Mutate | undefined): ((object: JsonObject) => JsonObject) | undefined {
    if (mutate === undefined) return undefined;
    const target = this.#patchTargets.ofUnknown;
    return (object) => mutate(object, { patchTarget: () => target, admitAgain: (again) => again });
  }

  /** Patches work the same with all server facts. */
  get #patchTargets(): PatchTargets {
    this.#knownPatchTargets ??= patchTargetsOf(this.#builtinObjects(POSSIBLE_FACTS[0]), this.#mergeTypes);
    return this.#knownPatchTargets;
  }

  #builtinObjects(server: ServerFacts): AdmissionObjects {
    let objects = this.#builtin.get(server);
    if (objects === undefined) {
      const { kubernetesVersion, disabledAdmissionPlugins: disabledPlugins = [] } = this.#options;
      objects = new AdmissionObjects(kubernetesVersion, { facts: server, known: this.#looked, disabledPlugins });
      this.#builtin.set(server, objects);
    }
    return objects;
  }
}

function validatedObject(
  { applied, conversion, converted }: Omit<Entry, 'created'>,
  { namespaced, resource: { resource: plural } }: ResourceMapping,
  namespace: string,
): ValidatedObject & Pick<Entry, 'converted'> {
  return { resource: applied, plural, conversion, namespace: namespaced ? namespace : undefined, converted };
}

/** Invented fields of every kind. */
const INVENTED_METADATA: readonly FieldPath[] = ['uid', 'creationTimestamp', 'managedFields'].map((field) => [
  'metadata',
  field,
]);

/** Adds managedFields, which stored objects have and `validating.object` leaves out. */
function storedObject(
  resource: Resource,
  conversion: Conversion | undefined,
  facts: ServerFacts,
  namespace: string,
  mutate: ((object: JsonObject) => JsonObject) | undefined,
): JsonObject {
  const result = resultOf(conversion);
  if (result === undefined || 'error' in result) return ofUnknownKind(resource, facts, namespace, mutate);
  const { object, invented } = result.validating;
  if (!invented.some((path) => isSamePath(path, ['metadata', 'managedFields']))) return object;
  const metadata = new Map<string, JsonValue>(objectOrEmpty(object.get('metadata')));
  metadata.set('managedFields', managedFields(facts, resource.apiVersion));
  return new Map<string, JsonValue>(object).set('metadata', metadata);
}

/** Objects without a known schema are most likely custom resources. */
function ofUnknownKind(
  { value: written, apiVersion, generateName, name }: Resource,
  facts: ServerFacts,
  namespace: string,
  mutate?: (object: JsonObject) => JsonObject,
): JsonObject {
  const requested = new Map<string, JsonValue>(objectOrEmpty(written.get('metadata')));
  if (namespace !== '') requested.set('namespace', namespace);
  const incoming = new Map<string, JsonValue>(written).set('metadata', requested);
  const value = mutate === undefined ? incoming : mutate(incoming);
  const metadata = new Map<string, JsonValue>(objectOrEmpty(value.get('metadata')));
  if (name === '' && generateName !== '') metadata.set('name', generatedName(generateName, facts.nameSuffix));
  metadata.set('uid', facts.uid).set('creationTimestamp', facts.now).set('generation', 1n);
  metadata.set('managedFields', managedFields(facts, apiVersion));
  return new Map<string, JsonValue>(value).set('metadata', metadata);
}

function convertedObject(
  resource: Resource,
  conversion: Conversion | undefined,
  fieldValidation: FieldValidation,
  ofUnknown: () => JsonObject,
  possible: ConvertedObject['possible'],
): ConvertedObject {
  const result = resultOf(conversion);
  const duplicates = duplicateFields(resource, fieldValidation);
  if (result === undefined || isError(result)) {
    const placeholder = result && placeholderAt(resource, result.error.path);
    const isWrong = result !== undefined && placeholder === undefined;
    const isGenerated = resource.name === '' && resource.generateName !== '';
    return {
      object: ofUnknown(),
      diagnostics: isWrong ? [undecodable(resource, result.error)] : duplicates,
      refused: result !== undefined,
      ...(placeholder !== undefined && { placeholder }),
      open: [],
      invented: isGenerated ? [...INVENTED_METADATA, ['metadata', 'name']] : INVENTED_METADATA,
      requested: () => undefined,
      hasServerStatus: true,
      isDefaulted: (path) => path.length === 2 && path[0] === 'metadata' && valueAt(resource.value, path) === undefined,
      possible,
    };
  }
  const { validating, strictErrors } = result;
  return {
    object: validating.object,
    diagnostics: [
      ...unknownFields(
        resource,
        strictErrors.filter(({ path }) => !isOpenKey(resource, path)),
        fieldValidation,
      ),
      ...duplicates,
    ],
    refused: false,
    open: [],
    invented: validating.invented,
    requested: () => ('requested' in result ? result.requested : undefined),
    hasServerStatus: hasServerStatus(conversion, validating.object),
    isDefaulted: (path) =>
      validating.isDefaulted(path) || validating.invented.some((invented) => isSamePath(path, invented)),
    possible,
  };
}

/** True if a controller writes `status`: kinds without a status have none; without the subresource, users write it themselves. */
function hasServerStatus(conversion: Conversion | undefined, object: JsonObject): boolean {
  return conversion !== undefined && 'custom' in conversion
    ? conversion.definedKind.kind.version.hasStatus
    : object.has('status');
}

/** Custom resources are validated against their schema, so that a text in a number is no error of decoding. */
function mayNotValidate(conversion: Conversion | undefined, { resource }: OpenObject): boolean {
  return conversion !== undefined && 'custom' in conversion && firstVariable(resource.value) !== undefined;
}

function misfitIn(conversion: Conversion | undefined, isSettled: (path: FieldPath) => boolean): Misfit | undefined {
  const result = resultOf(conversion);
  if (isError(result)) return { path: result.error.path, isFatal: true };
  const validity =
    conversion !== undefined && 'custom' in conversion && !isError(conversion.custom) && conversion.custom.validity();
  if (!validity) return undefined;
  const wrong = validity.errors.find(({ path, rule }) => rule === undefined && !isSettled(path));
  return wrong && { path: wrong.path, isFatal: false };
}

function resultOf(conversion: Conversion | undefined) {
  return conversion && ('builtin' in conversion ? conversion.builtin : conversion.custom);
}

function isError<Result extends object>(
  result: Result | undefined,
): result is Extract<Result, { readonly error: unknown }> {
  return result !== undefined && 'error' in result;
}
