// The API server's own validation between mutating and validating admission: metadata, and custom resources by their definition.

import { isCustomResourceDefinition, readDefinition } from '../../kubernetes/api/custom-resource-definition.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import type {
  CustomResourceKind,
  CustomResourceResult,
} from '../../kubernetes/custom-resource/custom-resource-kind.ts';
import type { CustomResourceKinds } from '../../kubernetes/custom-resource/custom-resource-kinds.ts';
import { schemaPlace } from '../../kubernetes/custom-resource/schema-place.ts';
import type { ServerError } from '../../kubernetes/custom-resource/server-error.ts';
import type { AdmissionObjectResult } from '../../kubernetes/schema/admission-object.ts';
import { PLACEHOLDER_FACTS } from '../../kubernetes/schema/creation/server-facts.ts';
import { dns1123Label } from '../../kubernetes/validation/name-format.ts';
import { formatFieldPath } from '../../source/node/field-path.ts';
import type { ConvertedObject, ObjectValidity, ReplacedObject } from '../object/admission-object.ts';
import { isPathStart } from '../unknown/open-fields.ts';
import { placeholderAt } from '../unknown/placeholder.ts';
import {
  deprecatedVersion,
  impossibleNamespace,
  invalidCustomResource,
  invalidDefinition,
  invalidMetadata,
  undecodable,
} from './object-diagnostics.ts';
import { withPlugins } from './plugin-refusals.ts';
import { type RegistryValidation, storedName, whether } from './registry-validation.ts';

/** A kind with the CustomResourceDefinition from the files that defines it. */
export interface DefinedKind {
  readonly kind: CustomResourceKind;
  readonly definition: Resource;
}

/** A manifest as the server holds it on creation. */
export type Conversion = { readonly builtin: AdmissionObjectResult } | CustomConversion;

export interface CustomConversion {
  readonly custom: CustomResourceResult;
  readonly definedKind: DefinedKind;
}

/** A resource with its conversion and namespace; `namespace` is undefined for cluster-scoped kinds. */
export interface ValidatedObject {
  readonly resource: Resource;
  /** Plural of the kind, as messages name it. */
  readonly plural: string;
  readonly conversion: Conversion | undefined;
  readonly namespace: string | undefined;
  readonly converted: Pick<ConvertedObject, 'open' | 'reasonOf' | 'refused'>;
}

const VALID: ObjectValidity = { refusals: [], unknowns: [] };

export class ObjectValidation {
  readonly #customKinds: CustomResourceKinds;
  readonly #registry: RegistryValidation | undefined;

  /** Without `registry`, only the metadata of built-in kinds is checked. */
  constructor(customKinds: CustomResourceKinds, registry: RegistryValidation | undefined) {
    this.#customKinds = customKinds;
    this.#registry = registry;
  }

  /** `old` is undefined on creation. Checks the namespace first, like the server. */
  validate(object: ValidatedObject, old: ReplacedObject | undefined): ObjectValidity {
    const { resource, conversion, namespace, converted } = object;
    const [problem] = namespace === undefined ? [] : dns1123Label(namespace);
    if (problem !== undefined) return { refusals: [impossibleNamespace(resource, problem)], unknowns: [] };
    if (conversion === undefined || converted.refused) return VALID;
    if ('custom' in conversion)
      return ofCustomResource(resource, conversion, namespace ?? '', old?.resource, converted);
    if ('error' in conversion.builtin) return VALID;
    const { validating, metadataErrors } = conversion.builtin;
    const answered = this.#registry?.validity(object, conversion.builtin.requested, validating.object, old);
    if (answered !== undefined) return withPlugins(object, conversion.builtin, answered, old);
    const name = storedName(validating.object);
    const judged = judge(resource, name, metadataErrors(old === undefined ? 'CREATE' : 'UPDATE'), converted);
    const refusals = [
      ...invalidMetadata(resource, name, judged.errors),
      ...invalidDefinition(resource, this.#definitionProblems(resource, old?.resource)),
    ];
    return withPlugins(object, conversion.builtin, { refusals, unknowns: judged.unknowns }, old);
  }

  #definitionProblems(definition: Resource, old: Resource | undefined): Parameters<typeof invalidDefinition>[1] {
    if (!isCustomResourceDefinition(definition)) return [];
    const ofSchemas = readDefinition(definition).versions.flatMap(({ version }) => {
      const result = this.#customKinds.kind(definition, version);
      return 'problems' in result ? result.problems : [];
    });
    const ofSpec = this.#customKinds.specProblems(definition, old);
    return [...ofSpec.filter(({ path }) => placeholderAt(definition, path) === undefined), ...ofSchemas];
  }
}

function ofCustomResource(
  resource: Resource,
  { custom, definedKind: { kind, definition } }: CustomConversion,
  namespace: string,
  old: Resource | undefined,
  converted: ValidatedObject['converted'],
): ObjectValidity {
  if ('error' in custom) return VALID;
  const validity = old === undefined ? custom.validity() : updateValidity(kind, resource, old, namespace);
  if ('error' in validity) return { refusals: [undecodable(resource, validity.error)], unknowns: [] };
  const name = storedName(custom.validating.object);
  const { isUnfinished } = validity;
  const { errors, unknowns } = judge(resource, name, validity.errors, converted);
  const unsettled = validity.unknowns.map((unknown) => `${whether(resource, name)}: ${unknown}`);
  return {
    refusals: invalidCustomResource(resource, name, errors, definition, ({ path, rule }) =>
      rule === undefined ? schemaPlace(kind.version, path) : [...kind.version.schemaPath, ...rule, 'rule'],
    ),
    warnings: versionWarnings(resource, definition, kind.version.deprecationWarning),
    unknowns: [...unsettled, ...unknowns],
    ...(isUnfinished && { isUnfinished }),
  };
}

function versionWarnings(
  resource: Resource,
  definition: Resource,
  warning: string | undefined,
): NonNullable<ObjectValidity['warnings']> {
  if (warning === undefined) return [];
  const { versions } = readDefinition(definition);
  const index = versions.findIndex(({ version }) => version === resource.gvk.version);
  return [deprecatedVersion(resource, warning, definition.locate(['spec', 'versions', index, 'deprecated'], 'value'))];
}

/** Moves errors about placeholders and open fields to `unknowns`: the server validates the substituted value, which is unknown here. */
function judge<E extends Pick<ServerError, 'path' | 'rule'>>(
  resource: Resource,
  name: string,
  errors: readonly E[],
  { open, reasonOf }: ValidatedObject['converted'],
): { readonly errors: readonly E[]; readonly unknowns: readonly string[] } {
  const certain: E[] = [];
  const unknowns: string[] = [];
  // A rule can read every field below its location.
  const anywhere = errors.some(({ rule }) => rule !== undefined) ? placeholderAt(resource, []) : undefined;
  for (const error of errors) {
    const placeholder = error.rule === undefined ? placeholderAt(resource, error.path) : anywhere;
    const depends = open.find((path) => isPathStart(path, error.path) || isPathStart(error.path, path));
    const reason =
      depends && (reasonOf?.(depends)?.depends ?? (placeholder === undefined ? formatFieldPath(depends) : undefined));
    if (reason !== undefined) unknowns.push(`${whether(resource, name)} depends on ${reason}`);
    else if (placeholder === undefined) certain.push(error);
    else if (error.path.length > 0)
      unknowns.push(`${whether(resource, name)} depends on ${placeholder} in ${formatFieldPath(error.path)}`);
  }
  return { errors: certain, unknowns };
}

function updateValidity(
  kind: CustomResourceKind,
  resource: Resource,
  old: Resource,
  namespace: string,
): ReturnType<CustomResourceKind['validateUpdate']> {
  return kind.validateUpdate(resource.value, old.value, { namespace, facts: PLACEHOLDER_FACTS });
}
