// The lists of built-in kinds that a strategic merge merges by key, with their merge keys.
import MERGE_KEYS from './merge-keys.generated.json' with { type: 'json' };

export interface PatchMergeType {
  /** Undefined for an unknown field: lists inside it are replaced. */
  field(name: string): PatchMergeField | undefined;
}

export interface PatchMergeField {
  readonly type: PatchMergeType | undefined;
  /** Undefined: the list is replaced. Empty: a set of scalars. */
  readonly keys: readonly string[] | undefined;
}

const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = MERGE_KEYS.types;
const KINDS: Readonly<Record<string, string>> = MERGE_KEYS.kinds;

/** Undefined for kinds that kustomize does not know. */
export function mergeTypeOf(apiVersion: string, kind: string): PatchMergeType | undefined {
  const kindKey = `${apiVersion}/${kind}`;
  return Object.hasOwn(KINDS, kindKey) ? typeNamed(KINDS[kindKey] as string) : undefined;
}

function typeNamed(name: string): PatchMergeType | undefined {
  const fields = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  return (
    fields && { field: (field) => (Object.hasOwn(fields, field) ? parseField(fields[field] as string) : undefined) }
  );
}

/** `type!key,key`. */
function parseField(text: string): PatchMergeField {
  const [type = '', keys] = text.split('!');
  return {
    type: type === '' ? undefined : typeNamed(type),
    keys: keys === undefined ? undefined : keys.split(',').filter((key) => key !== ''),
  };
}
