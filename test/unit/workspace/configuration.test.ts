// `.preadmit.yaml`: the resulting settings, and the location of every problem.
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { afterEach, describe, expect, it } from 'vitest';
import { contextGlobs, defaultConfiguration, overrideConfiguration } from '../../../src/settings/configuration.ts';
import { configurationSchema } from '../../../src/settings/configuration-schema.ts';
import { type LoadOptions, loadConfiguration } from '../../../src/settings/load-configuration.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';
import { readConfigurationFile } from '../../../src/workspace/discover/configuration-file.ts';
import { GitRepository } from '../../../src/workspace/git/git-repository.ts';
import { type Folder, GitFolder } from '../../support/git-fixture.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

function load(text: string, options?: LoadOptions) {
  return loadConfiguration(new SourceFile('.preadmit.yaml', text), options);
}

/** `line:column text help`, with the marked text in brackets. */
function problems(text: string, options?: LoadOptions): string[] {
  return load(text, options).diagnostics.map(({ code, message, primary, help }) => {
    if (primary === undefined) return `${code}: ${message}`;
    const { file, range } = primary;
    const { line, column } = file.positionAt(range.start);
    const where = `${line}:${column} [${file.text.slice(range.start, range.end)}]`;
    return `${where} ${code}: ${message}${help === undefined ? '' : ` (${help})`}`;
  });
}

describe('the configuration', () => {
  it('defaults to the whole repository, 1.36 and the user of Flux, without a file or with an empty one', () => {
    const expected = {
      include: ['**/*.{yaml,yml,json}'],
      exclude: ['**/node_modules/**'],
      skip: [],
      evaluate: [],
      failOn: 'deny',
      onUndecided: 'fail',
      unreached: 'skip',
      touched: 'count',
      policiesFrom: 'base',
      only: 'new',
      policySources: [],
      globs: [],
      hasWrittenTargets: false,
      suppressions: 'allow',
      exceptionsFrom: 'base',
      rendering: {},
      owner: {},
      fetch: [],
      schemas: [],
      targets: [
        {
          name: 'default',
          policies: ['**/*.{yaml,yml,json}'],
          manifests: { include: ['**'], exclude: [] },
          clusterFacts: [],
          complete: [],
          kubernetesVersion: '1.36',
          fieldValidation: 'Strict',
          validation: 'on',
          disabledAdmissionPlugins: [],
          featureGates: new Map(),
          apiServer: {},
          mutationDrift: 'warning',
          podSecurity: {},
          kyverno: {},
          user: {
            username: 'system:serviceaccount:flux-system:kustomize-controller',
            groups: ['system:serviceaccounts', 'system:serviceaccounts:flux-system', 'system:authenticated'],
            uid: '',
            extra: new Map(),
            assumed: true,
          },
        },
      ],
    };
    expect(defaultConfiguration()).toEqual(expected);
    for (const text of ['', '# nothing\n', '---\n', 'version: 1\n', '{}', '{"version": 1}']) {
      expect(load(text)).toEqual({ configuration: expected, diagnostics: [] });
    }
  });

  it('lets targets inherit settings from the top level', () => {
    const { configuration } = load(`
policies: [policies]
clusterFacts: [facts]
kubernetesVersion: "1.35"
fieldValidation: Warn
disabledAdmissionPlugins: [Priority]
featureGates: [MutatingAdmissionPolicy]
apiServer: { allowPrivileged: false }
user: { username: alice }
targets:
  production:
    policies: [production/policies]
    fieldValidation: Ignore
    disabledAdmissionPlugins: []
    featureGates: []
    apiServer: { serviceIPRanges: [10.96.0.0/12] }
    manifests: { include: [production], exclude: [production/draft] }
    kubernetesVersion: v1.34.2
    user: { username: "system:serviceaccount:argocd:controller", uid: u, extra: { a: [b] } }
  staging: {}
`);
    expect(configuration?.targets.map(({ location, ...target }) => target)).toEqual([
      {
        name: 'production',
        policies: ['production/policies'],
        manifests: { include: ['production'], exclude: ['production/draft'] },
        clusterFacts: ['facts'],
        complete: [],
        kubernetesVersion: 'v1.34.2',
        fieldValidation: 'Ignore',
        validation: 'on',
        disabledAdmissionPlugins: [],
        featureGates: new Map(),
        apiServer: { ipFamilies: ['IPv4'], serviceIPRanges: ['10.96.0.0/12'] },
        mutationDrift: 'warning',
        podSecurity: {},
        kyverno: {},
        user: {
          username: 'system:serviceaccount:argocd:controller',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:argocd', 'system:authenticated'],
          uid: 'u',
          extra: new Map([['a', ['b']]]),
          assumed: false,
        },
      },
      {
        name: 'staging',
        policies: ['policies'],
        manifests: { include: ['**'], exclude: [] },
        clusterFacts: ['facts'],
        complete: [],
        kubernetesVersion: '1.35',
        fieldValidation: 'Warn',
        validation: 'on',
        disabledAdmissionPlugins: ['Priority'],
        featureGates: new Map([['MutatingAdmissionPolicy', true]]),
        apiServer: { allowPrivileged: false },
        mutationDrift: 'warning',
        podSecurity: {},
        kyverno: {},
        user: { username: 'alice', groups: ['system:authenticated'], uid: '', extra: new Map(), assumed: false },
      },
    ]);
    expect(configuration && contextGlobs(configuration)).toEqual(['production/policies', 'facts', 'policies']);
  });

  it('is overridden by the command line in every target', () => {
    const { configuration } = load(
      'failOn: warn\npoliciesFrom: both\nonly: all\ninclude: [a]\ntargets: { a: { policies: [p] }, b: {} }\n',
    );
    if (configuration === undefined) throw new Error('not loaded');
    const overridden = overrideConfiguration(configuration, {
      policies: ['q'],
      failOn: 'never',
      only: 'new',
      kubernetesVersion: '1.30',
    });
    expect(overridden).toMatchObject({ include: ['a'], failOn: 'never', policiesFrom: 'both', only: 'new' });
    expect(overridden.targets.map(({ policies, kubernetesVersion }) => [policies, kubernetesVersion])).toEqual([
      [['q'], '1.30'],
      [['q'], '1.30'],
    ]);
    expect(overrideConfiguration(configuration, {})).toEqual(configuration);
  });

  it('may use anchors and merge keys', () => {
    const { configuration, diagnostics } = load(`
targets:
  a: &base { policies: [p], kubernetesVersion: "1.33" }
  b: { <<: *base, kubernetesVersion: "1.34" }
`);
    expect(diagnostics).toEqual([]);
    expect(configuration?.targets[1]).toMatchObject({ name: 'b', policies: ['p'], kubernetesVersion: '1.34' });
  });
});

describe('problems', () => {
  it.each<[name: string, text: string, expected: string[]]>([
    [
      'a key that is nearly right',
      'kubernetesversion: "1.36"\n',
      [
        '1:1 [kubernetesversion] configuration-unknown-key: the configuration has no key `kubernetesversion` (did you mean `kubernetesVersion`?)',
      ],
    ],
    [
      'a key of another program',
      'targets: { a: { webhook: x } }\n',
      [
        '1:17 [webhook] configuration-unknown-key: `targets.a` has no key `webhook` (expected one of `policies`, `policySources`, `manifests`, `clusterFacts`, `complete`, `kubernetesVersion`, `apiVersions`, `fieldValidation`, `validation`, `disabledAdmissionPlugins`, `featureGates`, `apiServer`, `mutationDrift`, `podSecurity`, `kyverno`, `user`)',
      ],
    ],
    [
      'keys of Object.prototype',
      '{"__proto__": 1, "constructor": 2}',
      [
        '1:2 ["__proto__"] configuration-unknown-key: the configuration has no key `__proto__` (expected one of `version`, `include`, `exclude`, `skip`, `evaluate`, `failOn`, `onUndecided`, `unreached`, `policiesFrom`, `only`, `touched`, `suppressions`, `exceptionsFrom`, `owner`, `history`, `workLimit`, `policies`, `policySources`, `fetch`, `schemas`, `clusterFacts`, `complete`, `kubernetesVersion`, `apiVersions`, `fieldValidation`, `validation`, `disabledAdmissionPlugins`, `featureGates`, `apiServer`, `mutationDrift`, `podSecurity`, `kyverno`, `user`, `rendering`, `targets`)',
        '1:18 ["constructor"] configuration-unknown-key: the configuration has no key `constructor` (expected one of `version`, `include`, `exclude`, `skip`, `evaluate`, `failOn`, `onUndecided`, `unreached`, `policiesFrom`, `only`, `touched`, `suppressions`, `exceptionsFrom`, `owner`, `history`, `workLimit`, `policies`, `policySources`, `fetch`, `schemas`, `clusterFacts`, `complete`, `kubernetesVersion`, `apiVersions`, `fieldValidation`, `validation`, `disabledAdmissionPlugins`, `featureGates`, `apiServer`, `mutationDrift`, `podSecurity`, `kyverno`, `user`, `rendering`, `targets`)',
      ],
    ],
    [
      'a version without quotes',
      'kubernetesVersion: 1.30\n',
      [
        '1:20 [1.30] configuration-wrong-type: `kubernetesVersion` must be a string, not the number `1.3` (put it in quotes)',
      ],
    ],
    [
      'no version at all',
      'kubernetesVersion: latest\n',
      ['1:20 [latest] configuration-wrong-value: `latest` is not a Kubernetes version such as `1.36`'],
    ],
    [
      'a text for a list',
      'policies: policies/**\n',
      ['1:11 [policies/**] configuration-wrong-type: `policies` must be a list, not a string'],
    ],
    [
      'a number in a list',
      'policies: [a, 1]\n',
      ['1:15 [1] configuration-wrong-type: `policies[1]` must be a string, not the number `1` (put it in quotes)'],
    ],
    [
      'nothing after a key',
      'policies:\n',
      ['1:1 [policies] configuration-wrong-type: `policies` must be a list, not empty'],
    ],
    [
      'a glob that leaves',
      'exclude: [../x]\n',
      ['1:11 [../x] configuration-wrong-value: `../x` leaves the repository'],
    ],
    [
      'a level that is none',
      'failOn: error!\n',
      [
        '1:9 [error!] configuration-wrong-value: `error!` is not a valid value of `failOn` (expected one of `deny`, `warn`, `audit`, `error`, `never`)',
      ],
    ],
    [
      'a list for a level',
      'failOn: [deny]\n',
      [
        '1:9 [[deny]] configuration-wrong-type: `failOn` must be a single value, not a list (expected one of `deny`, `warn`, `audit`, `error`, `never`)',
      ],
    ],
    [
      'a format of the future',
      'version: 2\n',
      ['1:10 [2] configuration-wrong-value: `2` is not a valid value of `version` (expected one of `1`)'],
    ],
    [
      'a user without a name',
      'user: { groups: [a] }\n',
      ['1:7 [{ groups: [a] }] configuration-missing-key: `user` needs `username`'],
    ],
    [
      'a skip without a reason',
      'skip: [{ files: [a] }, { files: [b], reason: " " }]\n',
      [
        '1:8 [{ files: [a] }] configuration-missing-key: `skip[0]` needs `reason`',
        '1:46 [" "] configuration-wrong-value: ` ` is empty',
      ],
    ],
    [
      'a target with a strange name',
      'targets: { "a b": {} }\n',
      [
        '1:12 ["a b"] configuration-wrong-value: `a b` is not a valid target name: use letters, digits, `-`, `_` and `.`',
      ],
    ],
    [
      'a key written twice',
      'failOn: warn\nfailOn: deny\n',
      ['2:1 [failOn] configuration-repeated-key: `failOn` is written twice'],
    ],
    ['no object', '- a\n', ['1:1 [- a] configuration-wrong-type: the configuration must be an object, not a list']],
    [
      'two documents',
      'version: 1\n---\nversion: 1\n',
      [
        '3:1 [version: 1] configuration-does-not-parse: the configuration must be a single document, but here a second one starts',
      ],
    ],
    [
      'no YAML',
      'a: [\n',
      [
        '1:4 [[] configuration-does-not-parse: error converting YAML to JSON: yaml: line 1: did not find expected node content',
      ],
    ],
    [
      'all at once',
      'failOn: x\ntargets:\n  a: { policies: 1 }\n  b: { policie: [] }\n',
      [
        '1:9 [x] configuration-wrong-value: `x` is not a valid value of `failOn` (expected one of `deny`, `warn`, `audit`, `error`, `never`)',
        '3:18 [1] configuration-wrong-type: `targets.a.policies` must be a list, not the number `1`',
        '4:8 [policie] configuration-unknown-key: `targets.b` has no key `policie` (did you mean `policies`?)',
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
    expect(load(text).configuration).toBeUndefined();
  });

  it('are cut after a limit', () => {
    const told = problems(`policies: [${Array.from({ length: 150 }, () => '1').join(', ')}]\n`);
    expect(told).toHaveLength(101);
    expect(told.at(-1)).toMatch(/^1:312 .* and 50 more problems/);
  });

  it('include a file that exceeds the size limit', () => {
    expect(problems(`# ${'x'.repeat(256 * 1024)}\n`)).toEqual([
      '1:1 [] configuration-too-large: the configuration is longer than 256 KiB',
    ]);
  });

  it('include an unsupported version', () => {
    const versionProblem = (version: string) => (version === '1.9' ? 'is not supported' : undefined);
    expect(problems('kubernetesVersion: "1.9"\n', { versionProblem })).toEqual([
      '1:20 ["1.9"] configuration-wrong-value: `1.9` is not supported',
    ]);
  });
});

describe('rendering', () => {
  it('reports an invalid folder, address and name', () => {
    expect(
      problems(
        'rendering:\n  argo:\n    clusters:\n      - {name: a, server: a.example.com}\n  flux:\n    sources: {GitRepository/a/b: ../c}\n    substitute: {ConfigMap/a: {b: c}}\n',
      ),
    ).toEqual([
      expect.stringContaining('4:27 [a.example.com] configuration-wrong-value: `a.example.com` is not an address'),
      expect.stringContaining(
        '6:34 [../c] configuration-wrong-value: `../c` is not a folder relative to the root of the repository',
      ),
      expect.stringContaining('7:18 [ConfigMap/a] configuration-wrong-value: `ConfigMap/a` is neither'),
    ]);
  });
});

describe('the published schema', () => {
  const published = JSON.parse(readFileSync(path.join(ROOT, 'docs/schema/preadmit.schema.json'), 'utf8'));

  it('equals the generated one (scripts/configuration-schema.ts)', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(configurationSchema())));
  });

  it('accepts and rejects the same values as the reader', () => {
    const validate = new Ajv({ strict: true }).compile(published);
    const accepted = [
      '{}',
      '{"version":1,"targets":{"a":{"user":{"username":"x","extra":{"a":["b"]}}}}}',
      '{"skip":[{"files":["a"],"reason":"r"}]}',
    ];
    const refused = [
      '[]',
      '{"version":2}',
      '{"failOn":"x"}',
      '{"policies":"a"}',
      '{"kubernetesVersion":"latest"}',
      '{"user":{}}',
      '{"targets":{"a":{"b":1}}}',
      '{"skip":[{"files":["a"]}]}',
      '{"policySources":{"a":{}}}',
      '{"policySources":{"a":{"folder":"../a","oci":"b"}}}',
      '{"policySources":{"a":{"git":"https://a.test/b.git"}}}',
      '{"policySources":{"a":{"git":"https://a.test/b.git","tag":"v1","commit":"0123456789012345678901234567890123456789"}}}',
      '{"policySources":{"a":{"npm":"a@1.0.0"}}}',
      '{"policySources":{"a":{"folder":"../a","tag":"v1"}}}',
      '{"rendering":{"argo":{"clusters":[{"name":"a"}]}}}',
      '{"rendering":{"argo":{"clusters":[{"name":"a","server":"a"}]}}}',
    ];
    for (const text of accepted)
      expect([text, validate(JSON.parse(text)), load(text).diagnostics]).toEqual([text, true, []]);
    for (const text of refused)
      expect([text, validate(JSON.parse(text)), load(text).configuration]).toEqual([text, false, undefined]);
  });
});

describe('docs/configuration.md', () => {
  const page = readFileSync(path.join(ROOT, 'docs/configuration.md'), 'utf8');

  it('has a section for every key', () => {
    const properties = configurationSchema()['properties'] as Record<string, unknown>;
    const headings = [...page.matchAll(/^### `(.+)`$/gm)].map((match) => match[1] as string);
    expect(headings.sort()).toEqual(Object.keys(properties).sort());
  });

  it('has only valid examples', () => {
    const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
    expect(examples.length).toBeGreaterThan(8);
    for (const example of examples) expect([example, problems(example)]).toEqual([example, []]);
  });
});

describe('the configuration file', () => {
  const made: Folder[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) folder.remove();
  });

  function gitFolder(): GitFolder {
    const folder = new GitFolder();
    made.push(folder);
    return folder;
  }

  it('is found by its name', async () => {
    const folder = gitFolder();
    expect(await readConfigurationFile({ root: folder.path })).toBeUndefined();
    folder.write('.preadmit.yml', 'version: 1 # yml\n');
    expect(await readConfigurationFile({ root: folder.path })).toMatchObject({ path: '.preadmit.yml' });
    folder.write('.preadmit.yaml', 'version: 1\n');
    expect(await readConfigurationFile({ root: folder.path })).toMatchObject({
      path: '.preadmit.yaml',
      text: 'version: 1\n',
    });
  });

  it('must exist inside the repository if it is named explicitly', async () => {
    const root = gitFolder().write('conf/p.yaml', '{}').path;
    expect(await readConfigurationFile({ root, path: './conf/p.yaml' })).toMatchObject({ path: 'conf/p.yaml' });
    await expect(readConfigurationFile({ root, path: 'missing.yaml' })).rejects.toMatchObject({
      code: 'path-not-found',
    });
    for (const outside of ['../p.yaml', 'conf/../../p.yaml', '/etc/hostname']) {
      await expect(readConfigurationFile({ root, path: outside })).rejects.toMatchObject({ code: 'path-outside-root' });
    }
  });

  it('is not read through a symbolic link', async () => {
    const folder = gitFolder();
    symlinkSync('/etc/hostname', path.join(folder.path, '.preadmit.yaml'));
    await expect(readConfigurationFile({ root: folder.path })).rejects.toMatchObject({ code: 'unreadable' });
    const id = folder.commit();
    const repository = (await GitRepository.open(folder.path)) as GitRepository;
    const source = { root: folder.path, commit: { repository, id } };
    await expect(readConfigurationFile(source)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('is read from a commit, regardless of the work tree', async () => {
    const folder = gitFolder().write('.preadmit.yaml', 'failOn: deny\n');
    const id = folder.commit();
    folder.write('.preadmit.yaml', 'failOn: never\n');
    const repository = (await GitRepository.open(folder.path)) as GitRepository;
    const file = await readConfigurationFile({ root: folder.path, commit: { repository, id } });
    expect(file?.text).toBe('failOn: deny\n');
  });
});
