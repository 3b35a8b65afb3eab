// `url(…)`, `isURL(…)` and the parts of a URL (apiserver `pkg/cel/library/urls.go`, `pkg/cel/url.go`).
import { struct, type Type } from '../../../cel/check/type.ts';
import type { Library } from '../../../cel/declaration/library.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../cel/value/value.ts';
import { type ColonRule, parseRequestUri, parseUrl, type Url } from '../../../go/net/url.ts';
import { declarationsOf } from './declaration.ts';
import { NOMINAL, PASS } from './prices.ts';

const URL_TYPE: Type = struct('kubernetes.URL');

export class UrlValue extends OpaqueValue {
  readonly type = URL_TYPE;
  readonly url: Url;

  constructor(url: Url) {
    super();
    this.url = url;
  }

  override equals(other: Value): boolean | ErrorValue {
    return other instanceof UrlValue ? String(this.url) === String(other.url) : noSuchOverload();
  }

  override get goType(): string {
    return 'cel.URL';
  }

  override get unadaptable(): string {
    return `(*url.URL)${this.url}`;
  }
}

export const URLS_LIBRARY: Library = urlsLibrary('strict');

/** Up to Kubernetes 1.35, which is built with Go 1.25. */
export const URLS_LIBRARY_WITH_LENIENT_COLONS: Library = urlsLibrary('lenient');

function urlsLibrary(colons: ColonRule): Library {
  return {
    name: 'kubernetes.urls',
    functions: declarationsOf([
      ['url', 'string_to_url', 'url(string) -> kubernetes.URL', PASS, (text: string) => toUrl(text, colons)],
      [
        'getScheme',
        'url_get_scheme',
        'kubernetes.URL.getScheme() -> string',
        NOMINAL,
        ({ url }: UrlValue) => url.scheme,
      ],
      ['getHost', 'url_get_host', 'kubernetes.URL.getHost() -> string', NOMINAL, ({ url }: UrlValue) => url.host],
      [
        'getHostname',
        'url_get_hostname',
        'kubernetes.URL.getHostname() -> string',
        NOMINAL,
        ({ url }: UrlValue) => url.hostname,
      ],
      ['getPort', 'url_get_port', 'kubernetes.URL.getPort() -> string', NOMINAL, ({ url }: UrlValue) => url.port],
      [
        'getEscapedPath',
        'url_get_escaped_path',
        'kubernetes.URL.getEscapedPath() -> string',
        NOMINAL,
        ({ url }: UrlValue) => url.escapedPath,
      ],
      [
        'getQuery',
        'url_get_query',
        'kubernetes.URL.getQuery() -> map(string, list(string))',
        NOMINAL,
        ({ url }: UrlValue) => url.query,
      ],
      [
        'isURL',
        'is_url_string',
        'isURL(string) -> bool',
        'unit',
        (text: string) => !('error' in parseRequestUri(text, colons)),
      ],
    ]),
  };
}

/** Validates the text as a request URI, which has no fragment, then parses it with its fragment. */
function toUrl(text: string, colons: ColonRule): Value {
  const checked = parseRequestUri(text, colons);
  const url = 'error' in checked ? checked : parseUrl(text, colons);
  return 'error' in url
    ? new ErrorValue(`URL parse error during conversion from string: ${url.error}`)
    : new UrlValue(url);
}
