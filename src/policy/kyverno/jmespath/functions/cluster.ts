// Kyverno's functions for images and IP addresses, and `random`, whose result is unpredictable.
import { type IpAddress, isLoopback, parseIpAddress } from '../../../../go/net/ip-address.ts';
import { parseUrl } from '../../../../go/net/url.ts';
import { imageText, parseImageReference } from '../../value/image-reference.ts';
import { SearchError, searchFailure } from '../search-error.ts';
import { functionError, type QueryFunction, textAt } from './function-table.ts';

export const CLUSTER_FUNCTIONS: readonly QueryFunction[] = [
  {
    name: 'image_normalize',
    parameters: [['string']],
    handler: (values, { environment }) => {
      const image = parseImageReference(textAt(values, 0), environment);
      return 'error' in image ? functionError('image_normalize', image.error) : imageText(image);
    },
  },
  {
    name: 'is_external_url',
    parameters: [['string']],
    handler: (values) => {
      const url = parseUrl(textAt(values, 0));
      if ('error' in url) throw searchFailure(url.error);
      const address = parseIpAddress(url.hostname);
      // Go's net.ParseIP does not support zones.
      if ('error' in address || address.zone !== '') {
        throw new SearchError('unknown', 'the DNS addresses of the host name');
      }
      return !(isLoopback(address) || isPrivate(address));
    },
  },
  {
    name: 'random',
    parameters: [['string']],
    handler: (values, { environment }) => {
      const pattern = textAt(values, 0);
      if (pattern === '') throw searchFailure('no pattern provided');
      const regex = environment.regexes.compile(pattern);
      if ('error' in regex && !regex.unsupported) throw searchFailure(regex.error);
      throw new SearchError('unknown', 'a random value');
    },
  },
];

/** Go `IP.IsPrivate`: RFC 1918 and RFC 4193. IPv4 may be written as IPv6. */
function isPrivate({ family, bytes }: IpAddress): boolean {
  const isMapped =
    family === 6 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  const [first = 0, second = 0] = isMapped ? bytes.slice(12) : bytes;
  if (family === 6 && !isMapped) return (first & 0xfe) === 0xfc;
  return first === 10 || (first === 172 && (second & 0xf0) === 16) || (first === 192 && second === 168);
}
