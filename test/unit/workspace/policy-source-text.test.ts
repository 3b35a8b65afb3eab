// Policy sources as strings: each kind, and the messages for invalid texts.
import { describe, expect, it } from 'vitest';
import { addressOf, pinOf } from '../../../src/settings/policy-source.ts';
import { parseSourceText } from '../../../src/settings/policy-source-text.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const COMMIT = '0123456789'.repeat(4);
const INTEGRITY = `sha512-${'A'.repeat(86)}==`;

function read(text: string): unknown {
  const parsed = parseSourceText(text);
  if ('problem' in parsed) return parsed.problem;
  const { source } = parsed;
  return [source.name, source.kind, addressOf(source), pinOf(source)];
}

describe('a policy source in one string', () => {
  it.each([
    ['../platform-policies', 'platform-policies', 'folder', '../platform-policies', undefined],
    ['central=/srv/policies', 'central', 'folder', '/srv/policies', undefined],
    ['https://git.test/acme/policies.git#v1.4.0', 'policies', 'git', 'https://git.test/acme/policies.git', 'v1.4.0'],
    [`git+https://git.test/acme/policies#${COMMIT}`, 'policies', 'git', 'https://git.test/acme/policies', COMMIT],
    [
      'git+ssh://git@git.test:22/acme/policies.git#v1',
      'policies',
      'git',
      'ssh://git@git.test:22/acme/policies.git',
      'v1',
    ],
    ['git@git.test:acme/policies.git#v1', 'policies', 'git', 'git@git.test:acme/policies.git', 'v1'],
    [`oci://ghcr.test:5000/acme/policies:v1@${DIGEST}`, 'policies', 'oci', 'ghcr.test:5000/acme/policies', DIGEST],
    [
      `x=npm:@acme/policies@1.2.3-rc.1#${INTEGRITY}`,
      'x',
      'npm',
      'https://registry.npmjs.org/@acme/policies',
      '1.2.3-rc.1',
    ],
    [`npm:policies@1.2.3#${INTEGRITY}`, 'policies', 'npm', 'https://registry.npmjs.org/policies', '1.2.3'],
  ])('%s', (text, ...expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['..', 'the policy source `..` has no usable name: write it as `<name>=<source>`'],
    [
      'https://git.test/acme/policies.git',
      'the policy source `https://git.test/acme/policies.git` has no tag or commit: write it as `<url>#<tag or commit>`',
    ],
    [
      'http://git.test/policies.git#v1',
      'the policy source `http://git.test/policies.git#v1` has the scheme `http`: expected `https://` or `ssh://`',
    ],
    ['x=ext::sh -c touch% x', undefined],
    [
      'https://git.test/policies.git#--upload-pack=touch',
      'the policy source `https://git.test/policies.git#--upload-pack=touch` is not a valid tag name',
    ],
    [
      'https://git.test/policies.git#a..b',
      'the policy source `https://git.test/policies.git#a..b` is not a valid tag name',
    ],
    [
      'ssh://-oProxyCommand=touch/x#v1',
      'the policy source `ssh://-oProxyCommand=touch/x#v1` is not a URL such as `https://github.com/acme/policies.git` or `ssh://git@github.com/acme/policies.git`',
    ],
    [
      `oci://ghcr.test/acme/../other@${DIGEST}`,
      `the policy source \`oci://ghcr.test/acme/../other@${DIGEST}\` is not an artifact such as \`ghcr.io/acme/policies@sha256:…\``,
    ],
    [
      'oci://ghcr.test/acme/policies:v1',
      'the policy source `oci://ghcr.test/acme/policies:v1` has no digest: end it with `@sha256:…`',
    ],
    [
      'npm:@acme/policies@1.2.3',
      'the policy source `npm:@acme/policies@1.2.3` has no digest: write it as `npm:<package>@<version>#sha512-…`',
    ],
    [
      `npm:policies@latest#${INTEGRITY}`,
      `the policy source \`npm:policies@latest#${INTEGRITY}\` is not a package with an exact version such as \`@acme/policies@1.2.3\``,
    ],
    [
      'https://me:hunter2@git.test/policies.git#v1',
      'the policy source `https://…@git.test/policies.git#v1` contains credentials: remove them and pass tokens outside the configuration',
    ],
  ])('%s: a problem', (text, problem) => {
    // Any other text is a folder; a missing folder is reported later.
    expect(read(text)).toEqual(problem ?? ['x', 'folder', 'ext::sh -c touch% x', undefined]);
  });
});
