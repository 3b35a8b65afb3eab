// Prepares a completed object as validating admission sees it on creation.
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { GroupVersionKind } from '../../api/group-version.ts';
import { generatedName } from '../../validation/generated-name.ts';
import { isServed } from '../minor-range.ts';
import {
  admitInTree,
  type InTreeAdmission,
  isAdmittedInTree,
  type PluginFindings,
  validateInTree,
} from '../plugins/in-tree-admission.ts';
import type { PluginRefusal } from '../plugins/plugin-request.ts';
import type { BuiltinResource } from '../resources.ts';
import type { Struct } from '../struct.ts';
import { childObject, childText, ensureObject, type MutableObject } from '../typed-field.ts';
import { zeroField } from '../zero-value.ts';
import { GENERATION_KINDS, UNSTORED_KINDS, WRITTEN_STATUS_KINDS } from './created-kinds.ts';
import type { CreationContext, ServerFacts } from './creation-function.ts';
import { FieldDropper } from './dropped-fields.ts';
import { KIND_CREATION } from './kind-creation.ts';
import { type MetadataError, metadataErrors, updatedMetadataErrors } from './metadata-errors.ts';

/** The server sets system fields and ignores the manifest's values (`WipeObjectMetaSystemFields`). */
const SYSTEM_FIELDS: readonly string[] = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'uid',
];

export interface Admitted {
  /** Fields with values that only a server knows. */
  readonly invented: readonly FieldPath[];
  readonly findings: PluginFindings;
}

export const NOTHING_ADDED: Admitted = { invented: [], findings: { refusals: [], missing: [] } };

/** The request that creates an object. */
export interface CreationRequest {
  readonly resource: BuiltinResource;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
}

/** Creation in one release, for one run. */
export class Creation {
  readonly #minor: number;
  readonly #facts: ServerFacts;
  readonly #admission: InTreeAdmission;
  readonly #generationKinds: ReadonlySet<string>;
  readonly #writtenStatusKinds: ReadonlySet<string>;
  readonly #dropper: FieldDropper;

  constructor(minor: number, facts: ServerFacts, admission: InTreeAdmission) {
    this.#minor = minor;
    this.#facts = facts;
    this.#admission = admission;
    this.#generationKinds = kindsOf(GENERATION_KINDS, minor);
    this.#writtenStatusKinds = kindsOf(WRITTEN_STATUS_KINDS, minor);
    this.#dropper = new FieldDropper(minor);
  }

  /** From the completed object to the one that mutating admission policies see. */
  admit(object: MutableObject, { resource, namespace }: CreationRequest): Admitted {
    const metadata = ensureObject(object, 'metadata');
    for (const field of SYSTEM_FIELDS) metadata.delete(field);
    if (!resource.namespaced) metadata.delete('namespace');
    else if (namespace !== '') metadata.set('namespace', namespace);
    if (isUnstored(resource)) return NOTHING_ADDED;
    const invented: FieldPath[] = [['metadata', 'managedFields']];
    const context = this.#context(resource, invented);
    return { invented, findings: admitInTree(object, groupKind(resource), namespace, this.#admission, context) };
  }

  /** What the plugins answer about the object that validating admission sees. `old`: what an update replaces. */
  forbidden(
    object: JsonObject,
    old: JsonObject | undefined,
    { resource, namespace }: CreationRequest,
  ): readonly PluginRefusal[] {
    if (isUnstored(resource)) return [];
    return validateInTree(object, old, groupKind(resource), namespace, this.#admission, this.#context(resource, []));
  }

  /** False if the plugins never change objects of this kind. */
  hasPlugins({ resource }: CreationRequest): boolean {
    return !isUnstored(resource) && isAdmittedInTree(groupKind(resource));
  }

  /** Runs the plugins again after mutating policies. Returns the paths of fields that this run invents. */
  admitAgain(object: MutableObject, { resource, namespace }: CreationRequest): readonly FieldPath[] {
    if (isUnstored(resource)) return [];
    const invented: FieldPath[] = [];
    admitInTree(object, groupKind(resource), namespace, this.#admission, this.#context(resource, invented));
    return invented;
  }

  /** From the mutated object to the one that validating admission policies see. Returns the paths of fields invented here. */
  store(object: MutableObject, struct: Struct, { resource }: CreationRequest): readonly FieldPath[] {
    if (isUnstored(resource)) return [];
    const kind = groupKind(resource);
    const invented: FieldPath[] = [];
    const written = childObject(object, 'status');
    this.#fillMetadata(ensureObject(object, 'metadata'), kind, invented);
    const status = struct.fields.get('status');
    if (status !== undefined && !this.#writtenStatusKinds.has(kind)) {
      if (status.isPointer) object.delete('status');
      else object.set('status', zeroField(status));
    }
    this.#dropper.drop(object, struct);
    KIND_CREATION.get(kind)?.(object, this.#context(resource, invented, written));
    return invented;
  }

  /** For a stored object; `invented` is the result of `store`. */
  metadataErrors(
    object: MutableObject,
    { resource }: CreationRequest,
    operation: 'CREATE' | 'UPDATE',
    invented: readonly FieldPath[],
  ): readonly MetadataError[] {
    if (isUnstored(resource)) return [];
    if (operation === 'UPDATE') return updatedMetadataErrors(object, this.#minor);
    const hasGeneratedName = invented.some(([first, second]) => first === 'metadata' && second === 'name');
    return metadataErrors(object, { resource, hasGeneratedName, minor: this.#minor });
  }

  #context({ version }: GroupVersionKind, invented: FieldPath[], writtenStatus?: MutableObject): CreationContext {
    const facts = this.#facts;
    // Listed one by one: spreading is ten times slower, and every object builds this several times.
    return {
      now: facts.now,
      uid: facts.uid,
      nameSuffix: facts.nameSuffix,
      clusterIP: facts.clusterIP,
      nodePort: facts.nodePort,
      priority: facts.priority,
      preemptionPolicy: facts.preemptionPolicy,
      resourceVersion: facts.resourceVersion,
      generation: facts.generation,
      nextGeneration: facts.nextGeneration,
      fieldManager: facts.fieldManager,
      minor: this.#minor,
      version,
      writtenStatus,
      invent: (path: FieldPath) => invented.push(path),
    };
  }

  #fillMetadata(metadata: MutableObject, kind: string, invented: FieldPath[]): void {
    const prefix = childText(metadata, 'generateName');
    if (prefix !== '' && childText(metadata, 'name') === '') {
      metadata.set('name', generatedName(prefix, this.#facts.nameSuffix));
      invented.push(['metadata', 'name']);
    }
    metadata.set('uid', this.#facts.uid);
    metadata.set('creationTimestamp', this.#facts.now);
    invented.push(['metadata', 'uid'], ['metadata', 'creationTimestamp']);
    if (this.#generationKinds.has(kind)) metadata.set('generation', 1n);
  }
}

/** `Kind` or `Kind@minors`. */
function kindsOf(rows: readonly string[], minor: number): ReadonlySet<string> {
  const served = rows.map((row) => row.split('@')).filter(([, minors]) => isServed(minors, minor));
  return new Set(served.map(([kind = '']) => kind));
}

/** True if the server answers the request without storing the object. */
function isUnstored(resource: BuiltinResource): boolean {
  return UNSTORED_KINDS.includes(groupKind(resource));
}

function groupKind({ group, kind }: GroupVersionKind): string {
  return group === '' ? kind : `${group}/${kind}`;
}
