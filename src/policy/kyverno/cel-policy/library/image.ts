// `image('…')`, `isImage`, `.registry()`, `.repository()`, `.tag()` and others (Kyverno sdk `cel/libs/image`, go-containerregistry `name`).
import { struct, type Type } from '../../../../cel/check/type.ts';
import type { Library } from '../../../../cel/declaration/library.ts';
import { noSuchOverload } from '../../../../cel/library/no-such-overload.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../../cel/value/value.ts';
import { parseUrl } from '../../../../go/net/url.ts';
import { declarationsOf, type FunctionRow } from '../../../../kubernetes/cel/library/declaration.ts';

const IMAGE_TYPE: Type = struct('kyverno.image');
const DEFAULT_REGISTRY = 'index.docker.io';

class ImageValue extends OpaqueValue {
  readonly type = IMAGE_TYPE;
  readonly text: string;
  readonly registry: string;
  readonly repository: string;
  /** `latest` if neither tag nor digest is written. Empty beside a digest. */
  readonly tag: string;
  readonly digest: string;

  constructor(text: string, { registry, repository }: Repository, tag: string, digest: string) {
    super();
    this.text = text;
    this.registry = registry;
    this.repository = registry === DEFAULT_REGISTRY && !repository.includes('/') ? `library/${repository}` : repository;
    this.tag = tag;
    this.digest = digest;
  }

  override equals(other: Value): boolean | ErrorValue {
    return other instanceof ImageValue ? this.text === other.text : noSuchOverload();
  }

  override get goType(): string {
    return 'image.Image';
  }
}

interface Repository {
  readonly registry: string;
  readonly repository: string;
}

/** Tries a tag first, like upstream, so `a@sha256:…` is not read as a repository. */
function parseReference(text: string): ImageValue | undefined {
  const tagged = parseTagged(text);
  if (tagged !== undefined) return new ImageValue(text, tagged.repository, tagged.tag || 'latest', '');
  const parts = text.split('@');
  const [base = '', digest = ''] = parts;
  if (parts.length !== 2 || !/^sha256:[a-f0-9]{64}$/.test(digest)) return undefined;
  const named = parseTagged(base);
  const repository = named?.repository ?? parseRepository(base);
  return repository && new ImageValue(text, repository, '', digest);
}

function parseTagged(text: string): { readonly repository: Repository; readonly tag: string } | undefined {
  const colon = text.lastIndexOf(':');
  const written = colon < 0 ? '' : text.slice(colon + 1);
  const hasTag = colon >= 0 && !written.includes('/');
  if (hasTag && !/^[\w.-]{1,128}$/.test(written)) return undefined;
  const repository = parseRepository(hasTag ? text.slice(0, colon) : text);
  return repository && { repository, tag: hasTag ? written : '' };
}

function isAuthority(registry: string): boolean {
  const url = parseUrl(`//${registry}`, 'lenient');
  return !('error' in url) && url.host === registry;
}

function parseRepository(text: string): Repository | undefined {
  const slash = text.indexOf('/');
  const first = text.slice(0, Math.max(slash, 0));
  const isRegistry = first === 'localhost' || /[.:]/.test(first);
  const repository = isRegistry ? text.slice(slash + 1) : text;
  if (!/^[a-z0-9_\-./]{2,255}$/.test(repository)) return undefined;
  if (!isRegistry) return { registry: DEFAULT_REGISTRY, repository };
  if (!isAuthority(first)) return undefined;
  return { registry: first === 'docker.io' ? DEFAULT_REGISTRY : first, repository };
}

/** Empty if there is no digest. Undefined if the text is not a reference. */
export function writtenDigest(image: string): string | undefined {
  return parseReference(image)?.digest;
}

function toImage(text: string): Value {
  return parseReference(text) ?? new ErrorValue(`could not parse reference: ${text}`);
}

function identifier({ tag, digest }: ImageValue): string {
  return digest === '' ? tag : digest;
}

function member(name: string, id: string, result: string, evaluate: (image: ImageValue) => Value): FunctionRow {
  return [name, id, `kyverno.image.${name}() -> ${result}`, 'unit', evaluate];
}

export const IMAGE_LIBRARY: Library = {
  name: 'kyverno.image',
  functions: declarationsOf([
    ['image', 'string_to_image_deprecated', 'image(string) -> kyverno.image', 'unit', toImage],
    ['parseImageReference', 'string_to_image', 'parseImageReference(string) -> kyverno.image', 'unit', toImage],
    [
      'isImage',
      'is_image_string',
      'isImage(string) -> bool',
      'unit',
      (text: string) => parseReference(text) !== undefined,
    ],
    member('containsDigest', 'image_contains_digest', 'bool', ({ digest }) => digest !== ''),
    member('registry', 'image_registry', 'string', ({ registry }) => registry),
    member('repository', 'image_repository', 'string', ({ repository }) => repository),
    member('identifier', 'image_identifier', 'string', identifier),
    member('tag', 'image_tag', 'string', ({ tag }) => tag),
    member('digest', 'image_digest', 'string', ({ digest }) => digest),
  ]),
};
