// Parses the tag of a container image as the API server does for the pull policy (pkg/util/parsers, github.com/distribution/reference).

const HOST_COMPONENT = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
const HOST = String.raw`(?:${HOST_COMPONENT}(?:\.${HOST_COMPONENT})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const PATH_COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const PATH = `${PATH_COMPONENT}(?:/${PATH_COMPONENT})*`;
const TAG = String.raw`[\w][\w.-]{0,127}`;
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^(?:${HOST}/)?(${PATH})(?::(${TAG}))?(?:@(${DIGEST}))?$`);

const IDENTIFIER = /^[a-f0-9]{64}$/;
const MAX_PATH = 255;
/** Longer than any valid reference, so longer texts are not matched. */
const MAX_REFERENCE = 1024;

/** Lengths of hexadecimal digests, by algorithm. */
const DIGEST_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** `latest` without a tag and digest; empty for a digest without a tag, and for invalid references. */
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
