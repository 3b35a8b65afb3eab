// Which proxy a request uses.
import { expect, test } from 'vitest';
import { proxyFor } from '../../../../src/workspace/network/proxy.ts';

const PROXY = 'http://proxy.test:3128';

function proxyOf(url: string, environment: Readonly<Record<string, string>>): string | undefined {
  return proxyFor(new URL(url), environment)?.href;
}

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['no variable', {}, undefined],
  ['HTTPS_PROXY', { HTTPS_PROXY: PROXY }, `${PROXY}/`],
  ['https_proxy', { https_proxy: PROXY, HTTPS_PROXY: 'http://other.test' }, `${PROXY}/`],
  ['an empty variable', { https_proxy: '', HTTPS_PROXY: ' ' }, undefined],
  ['ALL_PROXY', { ALL_PROXY: PROXY }, `${PROXY}/`],
  ['HTTP_PROXY, which is for http', { HTTP_PROXY: PROXY, http_proxy: PROXY }, undefined],
  ['a proxy without scheme', { HTTPS_PROXY: 'proxy.test:3128' }, `${PROXY}/`],
  ['a proxy by https', { HTTPS_PROXY: 'https://me:x@proxy.test' }, 'https://me:x@proxy.test/'],
])('%s', (_, environment, proxy) => {
  expect(proxyOf('https://charts.example.com/a', environment)).toBe(proxy);
});

test.each([
  ['*', true],
  ['example.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['EXAMPLE.com', true],
  ['other.test, charts.example.com', true],
  ['charts.example.com:443', true],
  ['charts.example.com:8443', false],
  ['ample.com', false],
  ['example.com.evil.test', false],
  ['', false],
  ['10.0.0.0/8', false],
])('NO_PROXY=%s excludes charts.example.com: %s', (written, isExcluded) => {
  const proxy = proxyOf('https://charts.example.com/a', { HTTPS_PROXY: PROXY, NO_PROXY: written });
  expect(proxy === undefined).toBe(isExcluded);
});

test.each([
  ['https://10.1.2.3/', '10.0.0.0/8', true],
  ['https://11.1.2.3/', '10.0.0.0/8', false],
  ['https://10.1.2.3/', '10.0.0.0/99', false],
  ['https://10.1.2.3/', '10.1.2.3', true],
  ['https://110.1.2.3/', '10.1.2.3', false],
  ['https://[fd00::1]/', 'fd00::/8', true],
  ['https://[fd00::1]/', '[fd00::1]', true],
  ['https://[fd00::1]:8443/', '[fd00::1]:443', false],
])('%s with NO_PROXY=%s is excluded: %s', (url, written, isExcluded) => {
  expect(proxyOf(url, { HTTPS_PROXY: PROXY, no_proxy: written }) === undefined).toBe(isExcluded);
});

test.each(['socks5://proxy.test', 'ftp://me:secret@proxy.test', 'http://'])('rejects %s without its text', (text) => {
  expect(() => proxyOf('https://a.test', { HTTPS_PROXY: text })).toThrow(
    /^the proxy in HTTPS_PROXY is not an http:\/\/ or https:\/\/ URL$/,
  );
});
