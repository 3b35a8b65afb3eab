// What went wrong in one decoding, and which of it the API server would report.
import { append } from '../../go/slices/append.ts';
import { compareUtf8, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import { type FieldType, type Struct, shortName } from './struct.ts';

export interface DecodeError {
  /** The server's words. */
  readonly message: string;
  /** The field of the manifest it is about. */
  readonly path: FieldPath;
  /** Of an unknown field: the names that there are beside it. */
  readonly known?: ReadonlyMap<string, unknown>;
  /** Of an unknown field: the nearest part of the object that has one of the name, empty for its top. */
  readonly elsewhere?: string;
}

interface Failure {
  readonly path: FieldPath;
  /** Made when it is known to be the one reported. */
  readonly message: () => string;
  /** A type's own decoding failed, which ends all decoding; other failures are only remembered. */
  readonly isFatal: boolean;
}

/**
 * encoding/json remembers the first mismatch and carries on, but returns the error of a type's own decoding at once.
 * So the decisive failure is the first fatal one, else the first of all, in the order of the keys.
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

  /** Runs a type's own decoding: its decisive failure becomes a fatal one, the others are forgotten. */
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

/** The order in which a decoder meets the fields when keys are sorted by their bytes. */
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
 * `ContainerPort.spec.containers.ports.containerPort`: the struct that has the field, then the JSON names on the way
 * and the embedded structs between them; list indices and map keys are no fields. Past a type that decodes itself the
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
