// Types of the fields of a rule's objects, as far as the kinds have schemas.
import type { GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import { SchemaCatalog } from '../../../kubernetes/schema/schema-catalog.ts';
import type { FieldType } from '../../../kubernetes/schema/struct.ts';

/** `text` includes quantities, which the server stores as strings. `any`: unknown, or several types. */
export type FieldForm = 'text' | 'integer' | 'double' | 'boolean' | 'list' | 'map' | 'any';

/** `*` stands for the elements of a list. */
export type FormPath = readonly string[];

export class ObjectTypes {
  readonly #roots: readonly FieldType[] | undefined;

  private constructor(roots: readonly FieldType[] | undefined) {
    this.#roots = roots;
  }

  /** For objects of one of these kinds. All types are unknown if one kind is not built in. */
  static of(kinds: readonly GroupVersionKind[], minor: number): ObjectTypes {
    const catalog = new SchemaCatalog(minor);
    const structs = kinds.map((kind) => catalog.structForKind(kind));
    const roots = structs.flatMap((struct) =>
      struct === undefined ? [] : [{ form: 'struct', goName: struct.name, struct } as const],
    );
    return new ObjectTypes(roots.length === kinds.length && roots.length > 0 ? roots : undefined);
  }

  form(path: FormPath): FieldForm {
    const forms = new Set(this.#roots?.map((root) => formAt(root, path)) ?? []);
    const [only] = forms;
    return forms.size === 1 && only !== undefined ? only : 'any';
  }
}

function typeAt(root: FieldType, path: FormPath): FieldType | undefined {
  let type: FieldType | undefined = root;
  for (const step of path) {
    if (type?.form === 'struct') type = type.struct.fields.get(step)?.type;
    else if (type?.form === 'list') type = type.element;
    else if (type?.form === 'map') type = type.value;
    else return undefined;
  }
  return type;
}

function formAt(root: FieldType, path: FormPath): FieldForm {
  const type = typeAt(root, path);
  switch (type?.form) {
    case 'string':
    case 'bytes':
      return 'text';
    case 'integer':
      return 'integer';
    case 'float':
      return 'double';
    case 'bool':
      return 'boolean';
    case 'list':
      return 'list';
    case 'map':
    case 'struct':
      return 'map';
    case 'custom':
      return type.custom === 'resource.Quantity' || type.custom.endsWith('Time') ? 'text' : 'any';
    default:
      return 'any';
  }
}
