// Parsing of overload signatures.
import { describe, expect, it } from 'vitest';
import { parseSignature } from '../../../../src/cel/check/signature.ts';
import { opaque } from '../../../../src/cel/check/type.ts';

const resolve = (name: string) => (name === 'net.IP' ? opaque('net.IP') : undefined);

describe('parseSignature', () => {
  it.each([
    ['size', 'size(list(<A>)) -> int', false, ['list(A)'], 'int', ['A']],
    ['find', 'string.find(string) -> string', true, ['string', 'string'], 'string', []],
    ['_+_', '_+_(int, int) -> int', false, ['int', 'int'], 'int', []],
    ['_[_]', '_[_](map(<K>, <V>), <K>) -> <V>', false, ['map(K, V)', 'K'], 'V', ['V', 'K']],
    ['optional.none', 'optional.none() -> optional_type(<V>)', false, [], 'optional_type(V)', ['V']],
    ['family', 'net.IP.family() -> int', true, ['net.IP'], 'int', []],
    ['sort', 'list(<T>).sort() -> list(<T>)', true, ['list(T)'], 'list(T)', ['T']],
    ['getHours', 'google.protobuf.Duration.getHours() -> int', true, ['google.protobuf.Duration'], 'int', []],
  ])('%s: %s', (name, signature, receiverStyle, args, result, typeParameters) => {
    const parsed = parseSignature(name, signature, resolve);
    expect({ ...parsed, args: parsed.args.map(String), result: String(parsed.result) }).toEqual({
      receiverStyle,
      args,
      result,
      typeParameters,
    });
  });

  it('reads unknown names as struct types by default', () => {
    const { args } = parseSignature('f', 'f(net.IP, kubernetes.Quantity) -> bool', resolve);
    expect(args.map(({ kind }) => kind)).toEqual(['opaque', 'struct']);
  });

  it.each([
    ['f', 'g(int) -> int'],
    ['f', 'f(int -> int'],
    ['f', 'f(int)'],
    ['f', 'f(int) -> int, int'],
  ])('rejects %s: %s', (name, signature) => {
    expect(() => parseSignature(name, signature, resolve)).toThrow(/signature/);
  });
});
