// Reads `Overload.signature`: `string.find(string) -> string`, `size(list(<A>)) -> int`.
import { append } from '../../go/slices/append.ts';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  NULL,
  opaque,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  Type,
  typeParameter,
  UINT,
} from './type.ts';

export interface Signature {
  readonly receiverStyle: boolean;
  /** The receiver's type first. */
  readonly args: readonly Type[];
  readonly result: Type;
  readonly typeParameters: readonly string[];
}

/** Resolves a library's type name such as `net.IP`; undefined means a struct type. */
export type ResolveTypeName = (name: string) => Type | undefined;

const SIMPLE_TYPES: ReadonlyMap<string, Type> = new Map(
  [ANY, BOOL, BYTES, DOUBLE, DURATION, DYN, INT, NULL, STRING, TIMESTAMP, TYPE, UINT].map((type) => [type.name, type]),
);

/** Throws on a malformed signature, because signatures are part of the program. */
export function parseSignature(functionName: string, signature: string, resolve: ResolveTypeName): Signature {
  const receiverEnd = signature.startsWith(`${functionName}(`) ? 0 : signature.indexOf(`.${functionName}(`);
  if (receiverEnd < 0) throw new Error(`signature of ${functionName} does not name it: ${signature}`);
  const reader = new TypeReader(signature, resolve);
  const args: Type[] = [];
  if (receiverEnd > 0) {
    args.push(new TypeReader(signature.slice(0, receiverEnd), resolve).only());
    reader.at = receiverEnd + 1;
  }
  reader.at += functionName.length;
  append(args, reader.list());
  reader.expect(' -> ');
  const result = reader.type();
  reader.end();
  const typeParameters = new Set<string>();
  for (const type of [result, ...args]) collectTypeParameters(type, typeParameters);
  return { receiverStyle: receiverEnd > 0, args, result, typeParameters: [...typeParameters] };
}

function collectTypeParameters(type: Type, names: Set<string>): void {
  if (type.kind === 'param') names.add(type.name);
  for (const parameter of type.parameters) collectTypeParameters(parameter, names);
}

class TypeReader {
  at = 0;
  readonly #text: string;
  readonly #resolve: ResolveTypeName;

  constructor(text: string, resolve: ResolveTypeName) {
    this.#text = text;
    this.#resolve = resolve;
  }

  only(): Type {
    const type = this.type();
    this.end();
    return type;
  }

  type(): Type {
    if (this.#take('<')) {
      const name = this.#until(/>/g);
      this.expect('>');
      return typeParameter(name);
    }
    const name = this.#until(/[(),<> ]|$/g);
    if (this.#text[this.at] !== '(') {
      return SIMPLE_TYPES.get(name) ?? this.#resolve(name) ?? struct(name);
    }
    const parameters = this.list();
    if (name === 'list' || name === 'map' || name === 'type') return new Type(name, name, parameters);
    return opaque(name, ...parameters);
  }

  list(): Type[] {
    this.expect('(');
    const types: Type[] = [];
    if (this.#take(')')) return types;
    do types.push(this.type());
    while (this.#take(', '));
    this.expect(')');
    return types;
  }

  expect(text: string): void {
    if (!this.#take(text)) throw new Error(`expected '${text}' at ${this.at} of signature: ${this.#text}`);
  }

  end(): void {
    if (this.at !== this.#text.length) throw new Error(`unexpected end of signature: ${this.#text}`);
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  #until(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const start = this.at;
    this.at = pattern.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(start, this.at);
  }
}
