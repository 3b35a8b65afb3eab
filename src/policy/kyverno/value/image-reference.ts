// Parses image references like Kyverno (`pkg/utils/image/infos.go`, github.com/distribution/reference).

export interface ImageReference {
  /** Empty if none is written and the default registry is not added. */
  readonly registry: string;
  /** The last part of the path. */
  readonly name: string;
  readonly path: string;
  /** `latest` if neither tag nor digest is written. */
  readonly tag: string;
  readonly digest: string;
  /** Registry, path and digest; the tag if there is no digest. */
  readonly reference: string;
  readonly referenceWithTag: string;
}

export interface RegistrySettings {
  /** Kyverno's `defaultRegistry`, usually `docker.io`. */
  readonly defaultRegistry: string;
  /** Kyverno's `enableDefaultRegistryMutation`, usually true. */
  readonly enableDefaultRegistryMutation: boolean;
}

const HOST_COMPONENT = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DOMAIN = String.raw`(?:${HOST_COMPONENT}(?:\.${HOST_COMPONENT})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const PATH_COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const PATH = `${PATH_COMPONENT}(?:/${PATH_COMPONENT})*`;
const TAG = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^((?:${DOMAIN}/)?${PATH})(?::(${TAG}))?(?:@(${DIGEST}))?$`);
const NAME = new RegExp(`^(?:(${DOMAIN})/)?(${PATH})$`);

const MAX_PATH = 255;
/** No valid reference is longer, because its parts have limits. */
const MAX_REFERENCE = 4096;
const DIGEST_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

export function parseImageReference(image: string, settings: RegistrySettings): ImageReference | { error: string } {
  const { defaultRegistry, enableDefaultRegistryMutation } = settings;
  const full = withRegistry(image, defaultRegistry);
  const parts = readReference(full);
  if ('error' in parts) {
    const configured = `defaultRegistry: ${defaultRegistry}, enableDefaultRegistryMutation: ${enableDefaultRegistryMutation}`;
    return { error: `bad image: ${full}, ${configured}: ${parts.error}` };
  }
  const { domain, path, digest } = parts;
  const tag = parts.tag === '' && digest === '' ? 'latest' : parts.tag;
  const registry = full !== image && !enableDefaultRegistryMutation ? '' : domain;
  const qualified = registry === '' ? path : `${registry}/${path}`;
  const shared = {
    name: path.slice(path.lastIndexOf('/') + 1),
    tag,
    digest,
    reference: digest === '' ? `${qualified}:${tag}` : `${qualified}@${digest}`,
    referenceWithTag: `${qualified}:${tag}`,
  };
  const [first = '', ...rest] = path.split('/');
  if (rest.length > 0 && registry === '' && first.includes('_')) {
    return { ...shared, registry: first, path: rest.join('/') };
  }
  return { ...shared, registry, path };
}

/** Result of `image_normalize`: registry, path and digest or tag. */
export function imageText({ registry, path, tag, digest }: ImageReference): string {
  const qualified = registry === '' ? path : `${registry}/${path}`;
  return digest === '' ? `${qualified}:${tag}` : `${qualified}@${digest}`;
}

/** The first part is a registry if it contains a dot, a colon or a capital letter, or is `localhost`. */
function withRegistry(image: string, defaultRegistry: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isRegistry = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  return isRegistry ? image : `${defaultRegistry}/${image}`;
}

interface ReferenceParts {
  readonly domain: string;
  readonly path: string;
  readonly tag: string;
  readonly digest: string;
}

function readReference(text: string): ReferenceParts | { readonly error: string } {
  const match = text.length > MAX_REFERENCE ? null : REFERENCE.exec(text);
  if (match === null) {
    if (text === '') return { error: 'repository name must have at least one component' };
    const isCapital = text.length <= MAX_REFERENCE && REFERENCE.test(text.toLowerCase());
    return { error: isCapital ? 'repository name must be lowercase' : 'invalid reference format' };
  }
  const [, written = '', tag = '', digest = ''] = match;
  const [, domain = '', path = ''] = NAME.exec(written) ?? [];
  if (path.length > MAX_PATH) return { error: 'repository name must not be more than 255 characters' };
  const problem = digest === '' ? undefined : digestProblem(digest);
  return problem === undefined ? { domain, path, tag, digest } : { error: problem };
}

/** github.com/opencontainers/go-digest `Digest.Validate`. */
function digestProblem(digest: string): string | undefined {
  const colon = digest.indexOf(':');
  const length = DIGEST_LENGTHS.get(digest.slice(0, colon));
  const hex = digest.slice(colon + 1);
  if (length === undefined) {
    return /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$/.test(digest)
      ? 'unsupported digest algorithm'
      : 'invalid checksum digest format';
  }
  if (hex.length !== length) return 'invalid checksum digest length';
  return /^[a-f0-9]*$/.test(hex) ? undefined : 'invalid checksum digest format';
}
