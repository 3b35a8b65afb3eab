// Collects the failures of one decoding and selects the one that the API server reports.
import { append } from '../../go/slices/append.ts';
import { compareUtf8, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { type FieldType, type Struct, shortName } from './struct.ts';

export interface DecodeError {
  /** The server's message. */
  readonly message: string;
  /** The field in the manifest. */
  readonly path: FieldPath;
  /** For an unknown field: the names of known fields at the same level. */
  readonly known?: ReadonlyMap<string, unknown>;
  /** For an unknown field: the nearest part of the object with a field of this name; empty for the top level. */
  readonly elsewhere?: string;
}

interface Failure {
  readonly path: FieldPath;
  /** Formatted only if this failure is reported. */
  readonly message: () => string;
  /** True for a failure in a type's own decoding, which stops all decoding; other failures are collected. */
  readonly isFatal: boolean;
}

/**
 * encoding/json keeps the first mismatch and continues, but returns an error of a type's own decoding immediately. So
 * the reported failure is the first fatal one, else the first of all, in the order of the keys.
 */
export class DecodeFailures {
  readonly #root: Struct;
  #failures: Failure[] = [];

  constructor(root: Struct) {
    this.#root = root;
  }

  addMismatch(path: FieldPath, valueText: string, goName: string, isFatal: boolean): void {
    const at = [...path];
    const message = () => {
      const field = goFieldOf(this.#root, at);
      const target = field === '' ? 'Go value' : `Go struct field ${field}`;
      return `json: cannot unmarshal ${valueText} into ${target} of type ${goName}`;
    };
    this.#failures.push({ path: at, message, isFatal });
  }

  addPlain(path: FieldPath, message: string): void {
    this.#failures.push({ path: [...path], message: () => message, isFatal: false });
  }

  addFatal(path: FieldPath, message: string): void {
    this.#failures.push({ path: [...path], message: () => message, isFatal: true });
  }

  /** Runs a type's own decoding. The failure that it reports becomes fatal; its other failures are dropped. */
  nested(decode: () => JsonValue): JsonValue {
    const outer = this.#failures;
    this.#failures = [];
    const value = decode();
    const decisive = this.#decisiveFailure();
    this.#failures = outer;
    if (decisive !== undefined) outer.push({ ...decisive, isFatal: true });
    return value;
  }

  decisive(): DecodeError | undefined {
    const failure = this.#decisiveFailure();
    return failure && { message: failure.message(), path: failure.path };
  }

  #decisiveFailure(): Failure | undefined {
    const fatal = this.#failures.filter((failure) => failure.isFatal);
    return (fatal.length > 0 ? fatal : this.#failures).toSorted((a, b) => compareFieldPaths(a.path, b.path))[0];
  }
}

/** The order in which a decoder visits the fields if keys are sorted by their bytes. */
export function compareFieldPaths(a: FieldPath, b: FieldPath): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [left, right] = [a[index], b[index]];
    if (left === right) continue;
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return compareUtf8(String(left), String(right));
  }
  return a.length - b.length;
}

/**
 * `ContainerPort.spec.containers.ports.containerPort`: the struct that has the field, then the JSON names on the path
 * and the embedded structs between them, without list indices and map keys. Below a type with its own decoding, the
 * outer struct's name stays (`addErrorContext` of sigs.k8s.io/json).
 */
function goFieldOf(root: Struct, path: FieldPath): string {
  let structName = '';
  const names: string[] = [];
  let type: FieldType | undefined = { form: 'struct', goName: '', struct: root };
  let isNested = false;
  for (const step of path) {
    if (type?.form === 'custom') {
      isNested = true;
      type = contentOf(type, step);
    }
    if (type?.form === 'list') type = type.element;
    else if (type?.form === 'map') type = type.value;
    else if (type?.form === 'struct') {
      const field = type.struct.fields.get(String(step));
      if (!isNested) structName = shortName(type.struct);
      append(names, [...(field?.embedded ?? []), String(step)]);
      type = field?.type;
    }
  }
  return names.length === 0 ? '' : `${structName}.${names.join('.')}`;
}

function contentOf(type: Extract<FieldType, { form: 'custom' }>, step: string | number): FieldType | undefined {
  if (type.content === undefined) return undefined;
  const struct: FieldType = { form: 'struct', goName: '', struct: type.content };
  return typeof step === 'number' ? { form: 'list', goName: '', element: struct } : struct;
}
