import { describe, expect, it } from 'vitest';
import { parseRequestUri, parseUrl, type Url } from '../../../../src/go/net/url.ts';

function url(text: string): Url {
  const parsed = parseUrl(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

describe('parseUrl', () => {
  it.each([
    [
      'https://user:pass@example.com:80/path?query=val#fragment',
      ['https', 'example.com:80', 'example.com', '80', '/path'],
    ],
    ['HTTP://H/', ['http', 'H', 'H', '', '/']],
    ['/a b', ['', '', '', '', '/a%20b']],
    ['http://x/%2f%41', ['http', 'x', 'x', '', '/%2f%41']],
    ['https://[::1]:80/', ['https', '[::1]:80', '::1', '80', '/']],
    ['http://[fe80::1%25en0]/', ['http', '[fe80::1%en0]', 'fe80::1%en0', '', '/']],
    ['mailto:a@b', ['mailto', '', '', '', '']],
    ['*', ['', '', '', '', '*']],
    ['//host/p', ['', 'host', 'host', '', '/p']],
    ['http://é/é', ['http', 'é', 'é', '', '/%C3%A9']],
  ])('%s', (text, parts) => {
    const { scheme, host, hostname, port, escapedPath } = url(text);
    expect([scheme, host, hostname, port, escapedPath]).toEqual(parts);
  });

  it.each([
    ['http://h?', 'http://h?'],
    ['http://u@h/#a b', 'http://u@h/#a%20b'],
    ['http://u:p%20w@h', 'http://u:p%20w@h'],
    ['./a:b', './a:b'],
    ['file:///x', 'file:///x'],
    ['file:/x', 'file:/x'],
  ])('%s is written %s', (text, written) => {
    expect(String(url(text))).toBe(written);
  });

  it('groups query values and drops malformed ones', () => {
    expect([...url('/?a=1&b=x+y&a=2&c;d=3&%zz=4&=5&e').query]).toEqual([
      ['a', ['1', '2']],
      ['b', ['x y']],
      ['', ['5']],
      ['e', ['']],
    ]);
  });
});

describe('parseRequestUri', () => {
  it.each([
    ['', 'parse "": empty url'],
    ['../x', 'parse "../x": invalid URI for request'],
    [':', 'parse ":": missing protocol scheme'],
    ['http://a\n', 'parse "http://a\\n": net/url: invalid control character in URL'],
    ['https://a:b:c/', 'parse "https://a:b:c/": invalid port ":b:c" after host'],
    ['x://a:b:c/', 'parse "x://a:b:c/": invalid port ":c" after host'],
    ['http://h/%zz', 'parse "http://h/%zz": invalid URL escape "%zz"'],
    ['http://h/%a€', 'parse "http://h/%a€": invalid URL escape "%a\\xe2"'],
    ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
    ['http://a%41b/', 'parse "http://a%41b/": invalid URL escape "%41"'],
    ['http://[::1', 'parse "http://[::1": missing \']\' in host'],
    ['http://[1.2.3.4]/', 'parse "http://[1.2.3.4]/": invalid IP-literal'],
    ['http://[x]/', 'parse "http://[x]/": invalid host: ParseAddr("x"): unable to parse IP'],
    ['http://u^@h/', 'parse "http://u^@h/": net/url: invalid userinfo'],
  ])('rejects %j', (text, error) => {
    expect(parseRequestUri(text)).toEqual({ error });
  });

  it('follows Go 1.25 in lenient mode', () => {
    expect(parseRequestUri('https://a:1:2/', 'lenient')).not.toHaveProperty('error');
    expect(parseRequestUri('https://a:b:c/', 'lenient')).toEqual({
      error: 'parse "https://a:b:c/": invalid port ":c" after host',
    });
  });
});
