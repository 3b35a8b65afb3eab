// Variables of the generated expressions, independent of any engine.

export class PlainUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export type Plain =
  | null
  | boolean
  | bigint
  | number
  | string
  | PlainUint
  | Uint8Array
  | Plain[]
  | { [key: string]: Plain };

export type VariableType =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'list<int>'
  | 'list<string>'
  | 'map<string, int>'
  | 'dyn';

export interface Variable {
  readonly name: string;
  readonly type: VariableType;
  readonly value: Plain;
}

export const VARIABLES: readonly Variable[] = [
  { name: 't', type: 'bool', value: true },
  { name: 'i', type: 'int', value: 7n },
  { name: 'j', type: 'int', value: -3n },
  { name: 'u', type: 'uint', value: new PlainUint(5n) },
  { name: 'd', type: 'double', value: 2.5 },
  { name: 's', type: 'string', value: 'héllo 😀' },
  { name: 'b', type: 'bytes', value: new TextEncoder().encode('añ') },
  { name: 'l', type: 'list<int>', value: [1n, 2n, 3n] },
  { name: 'ls', type: 'list<string>', value: ['a', 'bb', ''] },
  { name: 'm', type: 'map<string, int>', value: { a: 1n, b: -2n } },
  {
    name: 'x',
    type: 'dyn',
    value: {
      name: 'web',
      ready: true,
      ratio: 0.5,
      replicas: 3n,
      nothing: null,
      labels: { app: 'shop', 'a-b': 'c' },
      ports: [80n, 443n],
      counts: { a: 2n },
      nested: { deep: { value: 'x' } },
      containers: [{ image: 'nginx:latest' }, { image: 'busybox' }],
    },
  },
];
