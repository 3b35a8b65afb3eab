// Attacks by repositories during rendering, through the bundle. Each ends with a diagnostic, starts no program, opens no connection and
// reads nothing outside of the repository.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder } from './support/git-fixture.ts';

const CLI = join(import.meta.dirname, '../dist/cli.js');
const WATCH = join(import.meta.dirname, 'support/process-watch.cjs');
/** Appears only in files outside of the repository. */
const SECRET = 'pepper-and-salt';
const KUBERNETES_OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n';

interface Row {
  readonly name: string;
  /** Below the row's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Message of `not-rendered` or `does-not-parse`. Undefined: the row renders, without harm. */
  readonly words?: string;
  /** Symbolic links below the row's folder, with their targets. */
  readonly links?: Readonly<Record<string, string>>;
}

interface Watched {
  readonly status: number | null;
  readonly output: string;
  readonly messages: ReadonlyMap<string, readonly string[]>;
  readonly processes: readonly string[];
  readonly connections: readonly string[];
  readonly files: readonly string[];
  /** In KiB. */
  readonly memory: number;
}

const folders: Folder[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** Checks all rows as one repository; each row gets the messages of its folder. */
function checked(rows: readonly Row[], outside: string, marker: string): Watched {
  const repository = new Folder();
  folders.push(repository);
  for (const [index, { files, links = {} }] of rows.entries()) {
    for (const [path, text] of Object.entries(files))
      repository.write(`row-${index}/${path}`, text.replaceAll('ROW', `row-${index}`));
    for (const [path, to] of Object.entries(links)) {
      const link = join(repository.path, `row-${index}`, path);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(to, link);
    }
  }
  const log = join(outside, 'watched');
  writeFileSync(log, '');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', WATCH, CLI, 'check', '.', '--unreached', 'judge', '--format', 'json'],
    {
      cwd: repository.path,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: {
        ...process.env,
        PREADMIT_WATCH: log,
        KUSTOMIZE_PLUGIN_HOME: join(outside, 'plugins'),
        PATH: `${join(outside, 'programs')}:${process.env['PATH']}`,
        MARKER: marker,
      },
    },
  );
  const noted = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as [kind: string, what: string]);
  const of = (kind: string): readonly string[] => noted.flatMap(([each, what]) => (each === kind ? [what] : []));
  const messages = new Map<string, string[]>();
  const report = JSON.parse(stdout === '' ? '{}' : stdout) as {
    readonly diagnostics?: readonly {
      readonly code: string;
      readonly message: string;
      readonly primary: { readonly path: string };
      readonly related: readonly { readonly place: { readonly path: string } }[];
    }[];
  };
  for (const { code, message, primary, related } of report.diagnostics ?? []) {
    if (code !== 'not-rendered' && code !== 'does-not-parse') continue;
    for (const path of new Set([primary.path, ...related.map(({ place }) => place.path)])) {
      const row = path.split('/')[0] as string;
      messages.set(row, [...(messages.get(row) ?? []), message]);
    }
  }
  return {
    status,
    output: stdout + stderr,
    messages,
    processes: of('process'),
    connections: of('connection'),
    files: of('file')
      .map((path) => path.replace(/^file:\/\//, ''))
      .filter((path) => path.startsWith('/') && !path.startsWith(repository.path) && !path.startsWith(dirname(CLI))),
    memory: Math.max(...of('memory').map(Number)),
  };
}

function kustomization(text: string, files: Readonly<Record<string, string>> = {}): Row['files'] {
  return { 'kustomization.yaml': `${text}\n`, ...files };
}

function chart(template: string, files: Readonly<Record<string, string>> = {}): Row['files'] {
  return {
    'Chart.yaml': 'apiVersion: v2\nname: hostile\nversion: 1.0.0\n',
    'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: ${template}\n`,
    ...files,
  };
}

function release(chartSpec: string, more = ''): Row['files'] {
  return {
    'release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: hostile, namespace: flux-system}\nspec:\n  chart:\n    spec:\n      ${chartSpec}\n      sourceRef: {kind: GitRepository, name: flux-system}\n${more}`,
  };
}

function application(source: string, files: Row['files'] = {}): Row['files'] {
  return {
    ...files,
    'application.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: hostile, namespace: argocd}\nspec:\n  destination: {namespace: a, server: https://kubernetes.default.svc}\n  source: {repoURL: https://git.example.com/shop, ${source}}\n`,
  };
}

/** Each level holds nine references to the level below. */
function aliases(depth: number): string {
  const level = (index: number): string =>
    `a${index}: &a${index} [${Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*a${index - 1}`)).join(', ')}]\n`;
  return Array.from({ length: depth }, (_, index) => level(index)).join('');
}

const OUT = 'OUTSIDE';

/** `OUTSIDE` stands for a folder next to the repository with the secret, `ROW` for the row's own folder. */
const REACHING: readonly Row[] = [
  {
    name: 'a link to a file out of the repository',
    files: kustomization('resources: [out.yaml]'),
    links: { 'out.yaml': `${OUT}/secret.yaml` },
    words: 'no such file',
  },
  {
    name: 'a link that climbs out of the repository',
    files: kustomization('resources: [out.yaml]'),
    links: { 'out.yaml': `../../../../../../../../../..${OUT}/secret.yaml` },
    words: 'no such file',
  },
  {
    name: 'a link to a folder out of the repository',
    files: kustomization('resources: [base]'),
    links: { base: OUT },
    words: 'no such file',
  },
  {
    name: 'links in a cycle',
    files: kustomization('resources: [a]'),
    links: { a: 'b', b: 'a' },
    words: 'too many links',
  },
  { name: 'a base above the repository', files: kustomization('resources: [../../../..]'), words: 'cycle detected' },
  { name: 'a base by its address on the machine', files: kustomization(`resources: [${OUT}]`), words: 'root' },
  {
    name: 'a generator from a file of the host',
    files: kustomization(`configMapGenerator: [{name: a, files: [${OUT}/secret.yaml]}]`),
    words: 'no such file',
  },
  {
    name: 'a patch above the repository',
    files: kustomization('resources: [a.yaml]\npatches: [{path: ../../../../etc/passwd}]', {
      'a.yaml': KUBERNETES_OBJECT,
    }),
    words: 'no such file',
  },
  {
    name: 'a base by git',
    files: kustomization('resources: ["git@git.example.com:shop/base.git"]'),
    words: 'is not in the repository',
  },
  {
    name: 'a base by ssh',
    files: kustomization('resources: ["ssh://git@git.example.com/shop/base"]'),
    words: 'is not in the repository',
  },
  {
    name: 'a base by https',
    files: kustomization('resources: ["https://127.0.0.1:1/shop/base//deploy?ref=v1"]'),
    words: 'is not in the repository',
  },
  {
    name: 'a file by http',
    files: kustomization('resources: ["http://127.0.0.1:1/a.yaml"]'),
    words: 'is not in the repository',
  },
  { name: 'a base by a transport of git', files: kustomization('resources: ["ext::sh -c id"]'), words: 'no such file' },
  { name: 'a base of the machine by git', files: kustomization(`resources: ["file://${OUT}"]`), words: '' },
  {
    name: 'an exec plugin as a function',
    files: kustomization('transformers: [run.yaml]', {
      'run.yaml':
        'apiVersion: example.com/v1\nkind: Run\nmetadata:\n  name: run\n  annotations:\n    config.kubernetes.io/function: "exec: {path: ./run.sh}"\n',
    }),
    words: 'plugin',
  },
  {
    name: 'a container as a function',
    files: kustomization('generators: [run.yaml]', {
      'run.yaml':
        'apiVersion: example.com/v1\nkind: Run\nmetadata:\n  name: run\n  annotations:\n    config.kubernetes.io/function: "container: {image: example.com/run:1}"\n',
    }),
    words: 'plugin',
  },
  {
    name: 'an exec plugin and a Go plugin of the plugin home',
    files: kustomization('generators: [run.yaml]', {
      'run.yaml': 'apiVersion: example.com/v1\nkind: Run\nmetadata: {name: run}\n',
    }),
    words: 'plugin',
  },
  {
    name: 'a validator as a program',
    files: kustomization('validators: [run.yaml]', {
      'run.yaml': 'apiVersion: example.com/v1\nkind: Run\nmetadata: {name: run}\n',
    }),
    words: 'plugin',
  },
  ...[
    'https://charts.example.com',
    'http://169.254.169.254/latest',
    'oci://registry.example.com/charts',
    'git+ssh://git@git.example.com/charts',
    'file:///etc',
    '--post-renderer=/bin/sh',
    'https://user:word@127.0.0.1:1/charts',
  ].map((repo) => ({
    name: `a chart of ${repo}`,
    files: kustomization(`helmCharts: [{name: shop, repo: "${repo}", version: 1.0.0}]`),
    words: 'chart',
  })),
  {
    name: 'a chart above the repository',
    files: kustomization('helmCharts: [{name: ../../../../../etc}]'),
    words: 'chart',
  },
  {
    name: 'charts of the host',
    files: kustomization(`helmGlobals: {chartHome: ${OUT}}\nhelmCharts: [{name: charts}]`),
    words: 'chart',
  },
  {
    name: 'values of the host',
    files: kustomization(`helmCharts: [{name: shop, valuesFile: ${OUT}/secret.yaml}]`, {
      'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'charts/shop/templates/a.yaml': 'a: {{ .Values | toJson }}\n',
    }),
    words: '',
  },
  {
    name: 'a chart with links and climbing names',
    files: chart(
      '{{ .Files.Get "link" | quote }}\n  b: {{ .Files.Get "../../../../../../etc/passwd" | quote }}\n  c: {{ .Files.Glob "/**" | len | quote }}',
    ),
    links: { link: `${OUT}/secret.yaml`, 'templates/linked.yaml': `${OUT}/secret.yaml`, charts: OUT },
    words: 'no such file',
  },
  {
    name: 'a chart with climbing names only',
    files: chart('{{ .Files.Get "../../../../../../etc/passwd" | quote }}\n  c: {{ .Files.Glob "/**" | len | quote }}'),
  },
  {
    name: 'the environment in a chart',
    files: chart('{{ env "HOME" }}{{ expandenv "$HOME" }}'),
    words: 'function "env"',
  },
  { name: 'a name that is looked up', files: chart('{{ getHostByName "git.example.com" | quote }}') },
  {
    name: 'a schema of values elsewhere',
    files: chart('b', { 'values.schema.json': '{"$ref": "http://127.0.0.1:1/a.json"}' }),
    words: '',
  },
  { name: 'a release of a chart above the repository', files: release('chart: ../../../../etc'), words: 'chart' },
  {
    name: 'a release with values above the repository',
    files: {
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      ...release('chart: ./ROW/chart\n      valuesFiles: [../../../../../../etc/passwd]'),
    },
    words: '',
  },
  {
    name: 'a Kustomization above the repository',
    files: {
      'sync.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: out, namespace: flux-system}\nspec: {path: ../../../../etc, sourceRef: {kind: GitRepository, name: flux-system}}\n',
    },
    words: '',
  },
  {
    name: 'an Application of this repository',
    files: application('path: ROW/app', { 'app/a.yaml': KUBERNETES_OBJECT }),
  },
  { name: 'an Application above the repository', files: application('path: ROW/../../../etc'), words: 'etc' },
  {
    name: 'an Application of a plugin',
    files: application('path: ROW/app, plugin: {name: run}', { 'app/a.yaml': KUBERNETES_OBJECT }),
    words: 'plugin',
  },
  {
    name: 'an Application with values of the host',
    files: application(
      'path: ROW/app, helm: {valueFiles: [OUTSIDE/secret.yaml, ../../../../../../OUTSIDE/secret.yaml]}',
      {
        'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
        'app/templates/a.yaml': 'a: {{ .Values | toJson }}\n',
      },
    ),
    words: '',
  },
  {
    name: 'an Application with values of the network',
    files: application('path: ROW/app, helm: {valueFiles: ["http://169.254.169.254/latest"]}', {
      'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
      'app/templates/a.yaml': 'a: {{ .Values | toJson }}\n',
    }),
    words: '',
  },
];

const BOMBS: readonly Row[] = [
  { name: 'a text repeated', files: chart('{{ repeat 1000000000 "x" }}'), words: 'memory' },
  { name: 'a count to a thousand million', files: chart('{{ range until 1000000000 }}x{{ end }}'), words: 'memory' },
  { name: 'a text padded', files: chart('{{ printf "%01000000000d" 1 }}'), words: '' },
  { name: 'a text indented', files: chart('{{ indent 1000000000 "x" }}'), words: 'memory' },
  { name: 'chance without end', files: chart('{{ randAlphaNum 1000000000 }}'), words: '' },
  {
    name: 'a text doubled again and again',
    files: chart(`{{ $x := "ab" }}${'{{ $x = printf "%s%s" $x $x }}'.repeat(40)}{{ $x }}`),
    words: 'memory',
  },
  {
    name: 'a template that includes itself',
    files: chart('{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}'),
    words: 'nested',
  },
  {
    name: 'a template that calls itself',
    files: chart('{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}'),
    words: 'depth',
  },
  {
    name: 'a template of templates',
    files: chart('{{ define "a" }}{{ tpl "{{ include \\"a\\" . }}" . }}{{ end }}{{ include "a" . }}'),
    words: 'nests too deeply',
  },
  { name: 'aliases of aliases in values', files: chart('b', { 'values.yaml': aliases(10) }), words: 'aliasing' },
  {
    name: 'aliases of aliases in an object',
    files: kustomization('resources: [a.yaml]', { 'a.yaml': `${KUBERNETES_OBJECT}${aliases(10)}` }),
    words: '',
  },
  {
    name: 'aliases of aliases in a kustomization',
    files: kustomization(`resources: []\n${aliases(10)}`),
    words: 'aliasing',
  },
  {
    name: 'deeply nested brackets',
    files: kustomization('resources: [a.yaml]', {
      'a.yaml': `${KUBERNETES_OBJECT}data: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
    }),
    words: '',
  },
  {
    name: 'a base that includes itself',
    files: { 'a/kustomization.yaml': 'resources: [../b]\n', 'b/kustomization.yaml': 'resources: [../a]\n' },
    words: 'cycle',
  },
];

function suite(name: string, given: readonly Row[], more: (run: () => Watched) => void): void {
  describe(name, () => {
    let run: Watched | undefined;
    let outside: Folder;
    beforeAll(() => {
      outside = new Folder();
      folders.push(outside);
      const marker = join(outside.path, 'was-run');
      outside.write('secret.yaml', `${KUBERNETES_OBJECT}data: {a: ${SECRET}}\n`);
      outside.write('kustomization.yaml', 'resources: [secret.yaml]\n');
      outside.write('charts/Chart.yaml', `apiVersion: v2\nname: charts\nversion: 1.0.0\ndescription: ${SECRET}\n`);
      outside.write('charts/templates/a.yaml', `a: ${SECRET}\n`);
      for (const program of [
        'plugins/example.com/v1/run/Run',
        'programs/git',
        'programs/helm',
        'programs/sh',
        'programs/docker',
      ]) {
        outside.write(program, `#!/bin/sh\necho ran >> ${marker}\n`);
        chmodSync(join(outside.path, program), 0o755);
      }
      const placed = (text: string): string => text.replaceAll(OUT, outside.path);
      const rows = given.map(({ files, links = {}, ...row }) => ({
        ...row,
        files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, placed(text)])),
        links: Object.fromEntries(Object.entries(links).map(([path, to]) => [path, placed(to)])),
      }));
      run = checked(rows, outside.path, marker);
    }, 600_000);
    const ran = (): Watched => run as Watched;

    test.each(given.map((row, index) => [row.name, row, index] as const))('%s', (_, { words }, index) => {
      const messages = ran().messages.get(`row-${index}`) ?? [];
      if (words === undefined) expect(messages).toEqual([]);
      else expect(messages.join('\n')).toContain(words === '' ? 'its objects are unknown' : words);
    });

    test('no program starts and no connection opens', () => {
      expect(ran().processes).toEqual([]);
      expect(ran().connections).toEqual([]);
      expect(existsSync(join(outside.path, 'was-run'))).toBe(false);
    });

    test('nothing outside of the repository is read', () => {
      expect(ran().files).toEqual([]);
      expect(ran().output).not.toContain(SECRET);
    });
    more(ran);
  });
}

suite('what reaches out', REACHING, () => {});
suite('what swells', BOMBS, (run) => {
  test('memory is bounded', () => {
    expect(run().memory).toBeLessThan(1_500_000);
  });
});

test('the monitor detects programs, connections and files', () => {
  const folder = new Folder();
  folders.push(folder);
  const log = join(folder.path, 'watched');
  writeFileSync(log, '');
  const program = `
    import { execFileSync, spawn } from 'node:child_process';
    import { readFileSync } from 'node:fs';
    import { connect } from 'node:net';
    execFileSync('true'); spawn('true'); readFileSync(${JSON.stringify(WATCH)});
    connect({ port: 1, host: '127.0.0.1' }).on('error', () => {});`;
  folder.write('program.mjs', program);
  spawnSync(process.execPath, ['--require', WATCH, join(folder.path, 'program.mjs')], {
    env: { ...process.env, PREADMIT_WATCH: log },
  });
  const kinds = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as [string, string]).join(' '));
  expect(kinds.filter((line) => line === 'process true')).toHaveLength(2);
  expect(kinds).toContain(`file ${WATCH}`);
  expect(kinds.some((line) => line.startsWith('connection '))).toBe(true);
});

test('several expensive render targets share one limit, and those left are not rendered', () => {
  const repository = new Folder();
  folders.push(repository);
  const loops = '{{ range until 5000 }}{{ range until 5000 }}{{ range until 5000 }}{{ end }}{{ end }}{{ end }}';
  const keys = '{{ range until 100000 }}{{ $x := genPrivateKey "rsa" }}{{ end }}';
  for (const [index, text] of [loops, keys, loops, keys].entries()) {
    for (const [path, content] of Object.entries(chart(text))) repository.write(`row-${index}/${path}`, content);
  }
  repository.write('.preadmit.yaml', 'version: 1\nrendering: {processorSeconds: 1}\n');
  const { status, stdout } = spawnSync(process.execPath, [CLI, 'check', '.', '--format', 'json'], {
    cwd: repository.path,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const { diagnostics, verdict } = JSON.parse(stdout);
  const failed = diagnostics.filter(({ code }: { code: string }) => code === 'not-rendered');
  expect(failed.map(({ message }: { message: string }) => message).join('\n')).toContain(
    'the processor time for rendering in one run is spent',
  );
  expect(verdict.notRendered).toBe(4);
  expect([3, 5]).toContain(status);
});
