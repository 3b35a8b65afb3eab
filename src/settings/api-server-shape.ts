// The key `apiServer`: flags of kube-apiserver that its validation reads.
import { parseIpPrefix } from '../go/net/ip-address.ts';
import { choice, flagShape, listShape, object, type ShapeType, textShape } from './shape.ts';

const IP_FAMILIES = ['IPv4', 'IPv6'] as const;
const PORT_RANGE = /^(\d{1,5})-(\d{1,5})$/;

export const apiServer = object(
  'Flags of the API server that decide its validation. Default: unknown, as far as they decide.',
  {
    allowPrivileged: flagShape('`--allow-privileged`: whether containers may be privileged. Default: `true`.'),
    ipFamilies: listShape(
      'The IP families of Services; the first one is the default. Default: those of `serviceIPRanges`, otherwise unknown.',
      choice('`IPv4` or `IPv6`.', IP_FAMILIES),
    ),
    serviceIPRanges: listShape(
      '`--service-cluster-ip-range` and the ranges of ServiceCIDRs that are not in the files. Default: unknown; any address is accepted.',
      textShape('A range: `10.96.0.0/12`.', rangeProblem),
    ),
    serviceNodePortRange: textShape(
      '`--service-node-port-range`. Default: `30000-32767`, but a port outside of it is unknown.',
      portRangeProblem,
      { pattern: PORT_RANGE.source },
    ),
  },
);
export type WrittenApiServer = ShapeType<typeof apiServer>;

/** The ranges of Services imply their IP families. */
export function withFamilies(written: WrittenApiServer): WrittenApiServer {
  const { ipFamilies, serviceIPRanges } = written;
  if (ipFamilies !== undefined || serviceIPRanges === undefined) return written;
  const families = serviceIPRanges.map((range) => (range.includes(':') ? 'IPv6' : 'IPv4'));
  return { ...written, ipFamilies: [...new Set(families)] };
}

/** With the flags of the server that are not written, by name: `--service-cluster-ip-range`. Invalid values are left out. */
export function withDeclared(written: WrittenApiServer, flags: ReadonlyMap<string, string>): WrittenApiServer {
  const ranges = (flags.get('--service-cluster-ip-range') ?? '').split(',').map((range) => range.trim());
  const families = IP_FAMILIES.filter((family) => (flags.get('ip-families') ?? '').split(',').includes(family));
  const isRanged = ranges.every((range) => rangeProblem(range) === undefined);
  const knowsFamilies = written.ipFamilies !== undefined || written.serviceIPRanges !== undefined;
  const ports = flags.get('--service-node-port-range') ?? '';
  const privileged = flags.get('--allow-privileged');
  return withFamilies({
    ...(portRangeProblem(ports) === undefined && { serviceNodePortRange: ports }),
    ...(privileged === 'false' && { allowPrivileged: false }),
    ...(!knowsFamilies && isRanged && { serviceIPRanges: ranges }),
    ...(!knowsFamilies && families.length > 0 && { ipFamilies: families }),
    ...written,
  });
}

function portRangeProblem(value: string): string | undefined {
  const [first, last] = (PORT_RANGE.exec(value) ?? []).slice(1).map(Number);
  const isRange = first !== undefined && last !== undefined && first <= last && last <= 65_535;
  return isRange ? undefined : 'is no range of ports such as `30000-32767`';
}

function rangeProblem(value: string): string | undefined {
  return 'error' in parseIpPrefix(value) ? 'is no range of addresses such as `10.96.0.0/12`' : undefined;
}
