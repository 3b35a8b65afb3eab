// Turns a completed object into the one validating admission sees on creation.
import type { FieldPath } from '../../../source/field-path.ts';
import type { GroupVersionKind } from '../../group-version.ts';
import { isServed } from '../minor-range.ts';
import type { BuiltinResource } from '../resources.ts';
import type { Struct } from '../struct.ts';
import { childText, ensureObject, type MutableObject } from '../typed-field.ts';
import { zeroField } from '../zero-value.ts';
import { GENERATION_KINDS, UNSTORED_KINDS, WRITTEN_STATUS_KINDS } from './created-kinds.ts';
import type { CreationContext, ServerFacts } from './creation-function.ts';
import { KIND_CREATION } from './kind-creation.ts';

/** System fields are the server's, whatever the manifest says (`WipeObjectMetaSystemFields`). */
const SYSTEM_FIELDS: readonly string[] = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'uid',
];

/** Creation in one release, for one run. */
export class Creation {
  readonly #minor: number;
  readonly #facts: ServerFacts;
  readonly #generationKinds: ReadonlySet<string>;

  constructor(minor: number, facts: ServerFacts) {
    this.#minor = minor;
    this.#facts = facts;
    const rows = GENERATION_KINDS.map((row) => row.split('@'));
    this.#generationKinds = new Set(
      rows.filter(([, minors]) => isServed(minors, minor)).map(([kind]) => kind as string),
    );
  }

  /**
   * Changes the object; the fields whose values are invented are returned. `namespace` is the request's, empty for
   * cluster-scoped kinds.
   */
  create(object: MutableObject, struct: Struct, resource: BuiltinResource, namespace: string): readonly FieldPath[] {
    const kind = groupKind(resource);
    const metadata = ensureObject(object, 'metadata');
    for (const field of SYSTEM_FIELDS) metadata.delete(field);
    if (!resource.namespaced) metadata.delete('namespace');
    else if (namespace !== '') metadata.set('namespace', namespace);
    if (UNSTORED_KINDS.includes(kind)) return [];
    const invented: FieldPath[] = [];
    this.#fillMetadata(metadata, kind, invented);
    const status = struct.fields.get('status');
    if (status !== undefined && !WRITTEN_STATUS_KINDS.includes(kind)) {
      if (status.isPointer) object.delete('status');
      else object.set('status', zeroField(status));
    }
    KIND_CREATION.get(kind)?.(object, this.#context(resource, invented));
    return invented;
  }

  #context({ version }: GroupVersionKind, invented: FieldPath[]): CreationContext {
    return { ...this.#facts, minor: this.#minor, version, invent: (path) => invented.push(path) };
  }

  #fillMetadata(metadata: MutableObject, kind: string, invented: FieldPath[]): void {
    const prefix = childText(metadata, 'generateName');
    if (prefix !== '' && childText(metadata, 'name') === '') {
      metadata.set('name', `${prefix}${this.#facts.nameSuffix}`);
      invented.push(['metadata', 'name']);
    }
    metadata.set('uid', this.#facts.uid);
    metadata.set('creationTimestamp', this.#facts.now);
    invented.push(['metadata', 'uid'], ['metadata', 'creationTimestamp'], ['metadata', 'managedFields']);
    if (this.#generationKinds.has(kind)) metadata.set('generation', 1n);
  }
}

function groupKind({ group, kind }: GroupVersionKind): string {
  return group === '' ? kind : `${group}/${kind}`;
}
