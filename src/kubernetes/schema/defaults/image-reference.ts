// The tag of a container image reference, as the API server reads it to choose the pull policy (pkg/util/parsers, github.com/distribution/reference).

const HOST_COMPONENT = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
const HOST = String.raw`(?:${HOST_COMPONENT}(?:\.${HOST_COMPONENT})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const PATH_COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const PATH = `${PATH_COMPONENT}(?:/${PATH_COMPONENT})*`;
const TAG = String.raw`[\w][\w.-]{0,127}`;
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^(?:${HOST}/)?(${PATH})(?::(${TAG}))?(?:@(${DIGEST}))?$`);

const IDENTIFIER = /^[a-f0-9]{64}$/;
const MAX_PATH = 255;
/** No reference within the limits of its parts is longer; longer texts are not worth matching. */
const MAX_REFERENCE = 1024;

/** Lengths of the hexadecimal digests of the algorithms that are known. */
const DIGEST_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** `latest` where neither tag nor digest is given; empty for a digest alone and for what is no reference. */
export function imageTag(image: string): string {
  const match = image.length > MAX_REFERENCE || IDENTIFIER.test(image) ? null : REFERENCE.exec(withDomain(image));
  const [, path = '', tag = '', digest = ''] = match ?? [];
  if (match === null || path.length > MAX_PATH || !isKnownDigest(digest)) return '';
  return tag === '' && digest === '' ? 'latest' : tag;
}

/** `splitDockerDomain`: `nginx` is `docker.io/library/nginx`. */
function withDomain(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isDomain = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first;
  const domain = isDomain && first !== 'index.docker.io' ? first : 'docker.io';
  const rest = isDomain ? image.slice(slash + 1) : image;
  return domain === 'docker.io' && !rest.includes('/') ? `docker.io/library/${rest}` : `${domain}/${rest}`;
}

function isKnownDigest(digest: string): boolean {
  const [algorithm = '', hex = ''] = digest.split(':');
  return digest === '' || (DIGEST_LENGTHS.get(algorithm) === hex.length && hex === hex.toLowerCase());
}
