// `ip(…)` and its methods (apiserver `pkg/cel/library/ip.go`, `pkg/cel/ip.go`).
import { opaque, type Type, typeTypeOf } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import type { Library } from '../../../cel/declaration/library.ts';
import type { NamePrice } from '../../../cel/declaration/price.ts';
import { ONE } from '../../../cel/estimate/range.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { ErrorValue, OpaqueValue, TypeValue, type Value } from '../../../cel/value/value.ts';
import {
  formatIpAddress,
  type IpAddress,
  isGlobalUnicast,
  isIpv4InIpv6,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIpAddress,
  sameAddress,
} from '../../../go/net/ip-address.ts';
import { goQuote } from '../../../go/strconv/quote.ts';
import { declarationsOf, type FunctionRow } from './declaration.ts';
import { NOMINAL, reading } from './prices.ts';

const IP_TYPE: Type = opaque('net.IP');

export class IpValue extends OpaqueValue {
  readonly type = IP_TYPE;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override equals(other: Value): boolean | ErrorValue {
    return other instanceof IpValue ? sameAddress(this.address, other.address) : noSuchOverload();
  }

  override get goType(): string {
    return 'cel.IP';
  }

  override get identity(): string {
    return `net.IP ${formatIpAddress(this.address)}`;
  }

  override get unadaptable(): string {
    return `(netip.Addr)${formatIpAddress(this.address)}`;
  }

  override get costSize(): number {
    return this.address.bytes.length;
  }
}

/** Declares a type name as an identifier, without fields. */
export function namedType(type: Type): TypeProvider {
  return {
    findStruct: () => undefined,
    findField: () => undefined,
    fieldNames: () => undefined,
    findIdentifier: (name) => (name === type.name ? { type: typeTypeOf(type), value: new TypeValue(type) } : undefined),
  };
}

const TEXT_PRICE = reading(1);

/** The address of a network is already parsed; any other address must be parsed. */
export const IP_PRICE: NamePrice = {
  run: (args, result, overloadId) => (overloadId === 'cidr_ip' ? 1 : TEXT_PRICE.run(args, result, overloadId)),
  estimate: (call, model) => (call.overloadId === 'cidr_ip' ? { cost: ONE } : TEXT_PRICE.estimate(call, model)),
};

export const IP_LIBRARY: Library = {
  name: 'kubernetes.net.ip',
  types: namedType(IP_TYPE),
  functions: declarationsOf([
    ['ip', 'string_to_ip', 'ip(string) -> net.IP', IP_PRICE, toIp],
    ['family', 'ip_family', 'net.IP.family() -> int', NOMINAL, ({ address }: IpValue) => BigInt(address.family)],
    ['ip.isCanonical', 'ip_is_canonical', 'ip.isCanonical(string) -> bool', reading(2), isCanonical],
    predicate('isUnspecified', 'ip_is_unspecified', isUnspecified),
    predicate('isLoopback', 'ip_is_loopback', isLoopback),
    predicate('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    predicate('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    predicate('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
    ['isIP', 'is_ip', 'isIP(string) -> bool', TEXT_PRICE, (text: string) => toIp(text) instanceof IpValue],
    ['string', 'ip_to_string', 'string(net.IP) -> string', 'unit', ({ address }: IpValue) => formatIpAddress(address)],
  ]),
};

function predicate(name: string, id: string, holds: (address: IpAddress) => boolean): FunctionRow {
  return [name, id, `net.IP.${name}() -> bool`, NOMINAL, ({ address }: IpValue) => holds(address)];
}

export function toIp(text: string): IpValue | ErrorValue {
  const address = parseIpAddress(text);
  if ('error' in address) {
    return new ErrorValue(`IP Address ${goQuote(text)} parse error during conversion from string: ${address.error}`);
  }
  if (address.zone !== '') return new ErrorValue(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isIpv4InIpv6(address)) return new ErrorValue(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new IpValue(address);
}

function isCanonical(text: string): Value {
  const value = toIp(text);
  return value instanceof ErrorValue ? value : formatIpAddress(value.address) === text;
}
