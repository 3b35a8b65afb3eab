// `cidr(…)` and its methods (apiserver `pkg/cel/library/cidr.go`, `pkg/cel/cidr.go`).
import { opaque, type Type } from '../../../cel/check/type.ts';
import type { Library } from '../../../cel/declaration/library.ts';
import type { NamePrice } from '../../../cel/declaration/price.ts';
import { estimatedSize } from '../../../cel/estimate/cost-model.ts';
import { NOTHING, ONE, type Range, scaled, sum } from '../../../cel/estimate/range.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { TEXT } from '../../../cel/library/standard-prices.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../cel/value/value.ts';
import {
  formatIpPrefix,
  type IpPrefix,
  isIpv4InIpv6,
  maskedPrefix,
  parseIpPrefix,
  prefixContains,
  prefixesOverlap,
  sameAddress,
} from '../../../go/net/ip-address.ts';
import { goQuote } from '../../../go/strconv/quote.ts';
import { declarationsOf } from './declaration.ts';
import { IP_PRICE, IpValue, namedType, toIp } from './ip.ts';
import { actualSize, NOMINAL, reading } from './prices.ts';

const CIDR_TYPE: Type = opaque('net.CIDR');

export class CidrValue extends OpaqueValue {
  readonly type = CIDR_TYPE;
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    super();
    this.prefix = prefix;
  }

  /** Compares host bits too. */
  override equals(other: Value): boolean | ErrorValue {
    if (!(other instanceof CidrValue)) return noSuchOverload();
    return this.prefix.bits === other.prefix.bits && sameAddress(this.prefix.address, other.prefix.address);
  }

  override get goType(): string {
    return 'cel.CIDR';
  }

  override get identity(): string {
    return `net.CIDR ${formatIpPrefix(this.prefix)}`;
  }

  override get unadaptable(): string {
    return `(netip.Prefix)${formatIpPrefix(this.prefix)}`;
  }

  /** Number of bytes in the prefix, not in the address. */
  override get costSize(): number {
    return Math.ceil(this.prefix.bits / 8);
  }
}

const TEXT_PRICE = reading(1);

/** Addresses are compared as bytes: 4 for IPv4, 16 for IPv6. */
const ADDRESS: Range = { min: 4n, max: 16n };

const CONTAINS_IP: NamePrice = containing('cidr_contains_ip_string', () => 0, NOTHING);
const CONTAINS_CIDR: NamePrice = containing(
  'cidr_contains_cidr_string',
  (cidr) => Math.ceil(actualSize(cidr) * TEXT) + 1,
  sum(scaled(ADDRESS, TEXT), ONE),
);

/** The cost of comparing two addresses, plus parsing if one is a string. */
function containing(textOverloadId: string, more: (cidr: Value) => number, estimatedMore: Range): NamePrice {
  return {
    run: ([cidr, other], _result, overloadId) => {
      if (cidr === undefined || other === undefined) return undefined;
      const parsing = overloadId === textOverloadId ? Math.ceil(actualSize(other) * TEXT) : 0;
      return Math.ceil(2 * actualSize(cidr) * TEXT) + more(cidr) + parsing;
    },
    estimate: ({ overloadId, args: [other] }, model) => {
      if (other === undefined) return undefined;
      const parsing = overloadId === textOverloadId ? scaled(estimatedSize(other, model), TEXT) : NOTHING;
      return { cost: sum(scaled(sum(ADDRESS, ADDRESS), TEXT), estimatedMore, parsing) };
    },
  };
}

export const CIDR_LIBRARY: Library = cidrLibrary(containsCidr);

/** Up to Kubernetes 1.31. */
export const CIDR_LIBRARY_COMPARING_ADDRESSES: Library = cidrLibrary(containsCidrByAddress);

function cidrLibrary(contains: (cidr: CidrValue, other: CidrValue) => boolean): Library {
  return {
    name: 'kubernetes.net.cidr',
    types: namedType(CIDR_TYPE),
    functions: declarationsOf([
      ['cidr', 'string_to_cidr', 'cidr(string) -> net.CIDR', TEXT_PRICE, toCidr],
      ['containsIP', 'cidr_contains_ip_string', 'net.CIDR.containsIP(string) -> bool', CONTAINS_IP, containsIpText],
      ['containsIP', 'cidr_contains_ip_ip', 'net.CIDR.containsIP(net.IP) -> bool', CONTAINS_IP, containsIp],
      [
        'containsCIDR',
        'cidr_contains_cidr_string',
        'net.CIDR.containsCIDR(string) -> bool',
        CONTAINS_CIDR,
        (cidr: CidrValue, text: string) => {
          const other = toCidr(text);
          return other instanceof ErrorValue ? other : contains(cidr, other);
        },
      ],
      ['containsCIDR', 'cidr_contains_cidr', 'net.CIDR.containsCIDR(net.CIDR) -> bool', CONTAINS_CIDR, contains],
      ['ip', 'cidr_ip', 'net.CIDR.ip() -> net.IP', IP_PRICE, ({ prefix }: CidrValue) => new IpValue(prefix.address)],
      [
        'prefixLength',
        'cidr_prefix_length',
        'net.CIDR.prefixLength() -> int',
        NOMINAL,
        ({ prefix }: CidrValue) => BigInt(prefix.bits),
      ],
      [
        'masked',
        'cidr_masked',
        'net.CIDR.masked() -> net.CIDR',
        NOMINAL,
        ({ prefix }: CidrValue) => new CidrValue(maskedPrefix(prefix)),
      ],
      ['isCIDR', 'is_cidr', 'isCIDR(string) -> bool', TEXT_PRICE, (text: string) => toCidr(text) instanceof CidrValue],
      [
        'string',
        'cidr_to_string',
        'string(net.CIDR) -> string',
        'unit',
        ({ prefix }: CidrValue) => formatIpPrefix(prefix),
      ],
    ]),
  };
}

/** Upstream repeats the error context. */
function toCidr(text: string): CidrValue | ErrorValue {
  const context = 'network address parse error during conversion from string:';
  const prefix = parseIpPrefix(text);
  if ('error' in prefix) return new ErrorValue(`${context} ${context} ${prefix.error}`);
  if (isIpv4InIpv6(prefix.address)) {
    return new ErrorValue(`${context} IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return new CidrValue(prefix);
}

function containsIp({ prefix }: CidrValue, { address }: IpValue): Value {
  return prefixContains(prefix, address);
}

/** Upstream drops the parse error. */
function containsIpText(cidr: CidrValue, text: string): Value {
  const other = toIp(text);
  return other instanceof ErrorValue ? noSuchOverload() : containsIp(cidr, other);
}

function containsCidr({ prefix }: CidrValue, other: CidrValue): boolean {
  return prefixesOverlap(prefix, other.prefix) && prefix.bits <= other.prefix.bits;
}

/** Compares the other network's address with the masked address of this one, so `10.0.0.0/8` does not contain `10.1.0.0/16`. */
function containsCidrByAddress({ prefix }: CidrValue, other: CidrValue): boolean {
  const masked = maskedPrefix(prefix);
  return sameAddress(masked.address, other.prefix.address) && prefix.bits <= other.prefix.bits;
}
