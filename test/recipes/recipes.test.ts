// Recipes for other CI systems, the image and the workflows: validated as far as possible without the service, and run where possible.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../src/door/cli/options/command-table.ts';
import { parseArguments } from '../../src/door/cli/options/parse-arguments.ts';
import { cleanReport } from '../report/rich-report.ts';
import { needs } from '../support/evidence.ts';
import { createWorkspace } from '../support/workspace.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const RECIPES = [
  'recipes/gitlab/templates/preadmit.yml',
  'recipes/azure-pipelines.yml',
  'recipes/bitbucket-pipelines.yml',
];

interface OrganizationWorkflow {
  readonly jobs: {
    readonly audit: { readonly strategy: { readonly matrix: { readonly repository: readonly string[] } } };
    readonly join: { readonly steps: readonly { readonly run?: string }[] };
  };
}

/** Every string in a document. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe.each(RECIPES)('%s', (path) => {
  const documents = parseAllDocuments(read(path), { merge: true });
  const texts = documents.flatMap((document) => textsIn(document.toJS()));

  it('is YAML', () => expect(documents.flatMap(({ errors }) => errors)).toEqual([]));

  it('calls existing commands with existing options', () => {
    const calls = texts.flatMap((text) =>
      [...text.matchAll(/^\s*preadmit ((?!\(\)).*)$/gm)].map(([, rest = '']) => rest),
    );
    expect(calls.length).toBeGreaterThan(1);
    const wrong = calls.flatMap((call) => {
      const [name = '', ...args] = call.replace(/"\$\([^)]*\)"/g, 'base').match(/"[^"]*"|\S+/g) ?? [];
      const values = args.map((word) => word.replace(/^"\$PREADMIT_FAIL_ON"$/, 'deny').replaceAll('"', ''));
      const command = COMMANDS.find((known) => known.name === name);
      const parsed = command === undefined ? { problems: [name] } : parseArguments(values, command.options);
      return 'problems' in parsed ? parsed.problems : [];
    });
    expect(wrong).toEqual([]);
  });

  it('has valid bash scripts', () => {
    for (const text of texts.filter((each) => /\b(?:preadmit|git) /.test(each) && !each.includes('. '))) {
      expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
    }
  });

  it('contains no URL or commit that could be mistaken for a real release', () => {
    expect(read(path)).not.toMatch(/npx|npm (?:i|install)|github\.com/);
  });
});

interface GitLabJob {
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly artifacts: { readonly reports: Readonly<Record<string, string>> };
}

needs('clone').it('the GitLab job fails for what is denied, and leaves its reports', () => {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const [, jobs] = parseAllDocuments(read(RECIPES[0] as string));
  const { preadmit: job } = (jobs as NonNullable<typeof jobs>).toJS() as { readonly preadmit: GitLabJob };
  const workspace = createWorkspace({
    'policy.yaml': POLICY,
    'object.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: shop }\n',
  });
  const builds = mkdtempSync(join(tmpdir(), 'preadmit-builds-'));
  mkdirSync(join(builds, 'home'));
  try {
    const { status, stdout, stderr } = spawnSync('bash', ['-e'], {
      cwd: workspace.folder,
      input: [...job.before_script, ...job.script].join('\n'),
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: join(builds, 'home'),
        CI_BUILDS_DIR: builds,
        PREADMIT_REPOSITORY: ROOT,
        PREADMIT_COMMIT: commit,
        PREADMIT_FAIL_ON: 'deny',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
    });
    expect(stdout, stderr).toContain('nothing is allowed');
    expect(status).toBe(1);
    for (const file of Object.values(job.artifacts.reports))
      expect(existsSync(join(workspace.folder, file))).toBe(true);
  } finally {
    workspace.remove();
    rmSync(builds, { recursive: true, force: true });
  }
});

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: nothing }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps] }]
  validations: [{ expression: 'false', message: nothing is allowed }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: nothing }
spec: { policyName: nothing, validationActions: [Deny] }
`;

describe('recipes/organization.yml', () => {
  const { jobs } = parse(read('recipes/organization.yml')) as OrganizationWorkflow;
  const script = jobs.join.steps.flatMap(({ run = [] }) => run)[0] as string;

  it('expects a report of each repository of the matrix', () => {
    const [, call = ''] = /^preadmit (merge .*)$/m.exec(script) ?? [];
    const expected = jobs.audit.strategy.matrix.repository.map((name) => `$OWNER/${name}`).join(',');
    expect(call).toContain(`--expect "${expected}"`);
    const values = (call.match(/"[^"]*"|\S+/g) ?? []).slice(1).map((word) => word.replaceAll('"', ''));
    const command = COMMANDS.find(({ name }) => name === 'merge');
    expect(parseArguments(values, command?.options ?? [])).not.toHaveProperty('problems');
  });

  it('joins the reports, and a repository without one has no verdict', () => {
    const folder = mkdtempSync(join(tmpdir(), 'preadmit-organization-'));
    try {
      mkdirSync(join(folder, 'preadmit/dist'), { recursive: true });
      // The sources stand for the bundle, which other tests run.
      writeFileSync(
        join(folder, 'preadmit/dist/cli.js'),
        `const { status } = require('node:child_process').spawnSync(${JSON.stringify(join(ROOT, 'node_modules/.bin/tsx'))}, [${JSON.stringify(join(ROOT, 'src/cli.ts'))}, ...process.argv.slice(2)], { stdio: 'inherit' });\nprocess.exitCode = status;`,
      );
      mkdirSync(join(folder, 'reports'));
      for (const repository of ['acme/shop', 'acme/payments']) {
        const report = { ...cleanReport, repository };
        writeFileSync(join(folder, 'reports', `${repository.replace('/', '-')}.json`), JSON.stringify(report));
      }
      const summary = join(folder, 'summary.md');
      const { stderr, status } = spawnSync('bash', ['-e'], {
        cwd: folder,
        input: script,
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: folder,
          GITHUB_WORKSPACE: folder,
          OWNER: 'acme',
          GITHUB_STEP_SUMMARY: summary,
        },
      });
      expect({ stderr, status }).toEqual({ stderr: '', status: 5 });
      const text = readFileSync(summary, 'utf8');
      expect(text).toContain('1 repository without a verdict');
      expect(text).toContain('| `acme/platform` | no report: nothing is known about it |');
      expect(text).toContain('| `acme/shop` | allowed |');
      expect(readFileSync(join(folder, 'all.html'), 'utf8')).toContain('acme/payments//');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('Containerfile', () => {
  const lines = read('Containerfile').replaceAll('\\\n', ' ').split('\n');
  const of = (word: string): readonly string[] => lines.filter((line) => line.startsWith(`${word} `));

  it('runs as a numeric user, and starts no shell', () => {
    expect(of('USER').at(-1)).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
    for (const line of [...of('ENTRYPOINT'), ...of('CMD')])
      expect(JSON.parse(line.slice(line.indexOf(' ')))).toBeInstanceOf(Array);
  });

  it('copies existing files that the build context includes, and downloads nothing of Preadmit', () => {
    const let_in = new Set(
      read('.containerignore')
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1)),
    );
    const copied = of('COPY').flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(copied.filter((path) => !existsSync(join(ROOT, path)) || !let_in.has(path))).toEqual([]);
    expect(of('ADD')).toEqual([]);
    expect(read('Containerfile')).not.toMatch(/npm|curl|wget/);
  });

  it('starts from a pinned release, which is its only argument', () => {
    expect(of('FROM')).toHaveLength(1);
    expect(of('FROM')[0]).toMatch(/^FROM \$\{BASE\}$/);
    expect(of('ARG')).toHaveLength(1);
    expect(of('ARG')[0]).toMatch(/^ARG BASE=node:\d+(?:\.\d+){0,2}-[a-z]+-slim(?:@sha256:[0-9a-f]{64})?$/);
    const [, major] = /node:(\d+)/.exec(of('ARG')[0] ?? '') ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(20);
  });

  it('runs with a read-only root: copied files belong to root, and only the home folder is writable', () => {
    const words = lines.map((line) => line.split(' ')[0]);
    expect(of('COPY').filter((line) => /--chown|--chmod/.test(line))).toEqual([]);
    expect([...of('VOLUME'), ...of('EXPOSE'), ...of('HEALTHCHECK'), ...of('SHELL')]).toEqual([]);
    expect(of('ENV').join(' ')).toMatch(/(?:^| )HOME=\/tmp(?: |$)/);
    // Nothing runs as another user after USER, and only Debian packages are installed before it.
    expect(words.slice(words.indexOf('USER') + 1).filter((word) => word === 'RUN' || word === 'USER')).toEqual([]);
    for (const line of of('RUN')) {
      expect(line).toMatch(
        /^RUN apt-get update +&& apt-get install --yes --no-install-recommends [a-z -]+ +&& rm -rf \/var\/lib\/apt\/lists\/\*$/,
      );
    }
  });

  it('contains no secret', () => {
    for (const line of [...of('ENV'), ...of('ARG')]) expect(line).not.toMatch(/TOKEN|SECRET|PASSWORD|KEY=[^ ]{16}/i);
  });
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

describe.each(readdirSync(join(ROOT, '.github/workflows')))('workflow %s', (name) => {
  const text = read(`.github/workflows/${name}`);
  const { permissions, jobs } = parse(text) as {
    readonly permissions: unknown;
    readonly jobs: Readonly<Record<string, Job>>;
  };

  it('sets no global permissions, and lists those of each job', () => {
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) {
      expect(
        Object.values(job.permissions ?? { none: '' }).filter((level) => !['read', 'write'].includes(level)),
      ).toEqual([]);
      expect(job['timeout-minutes']).toBeGreaterThan(0);
    }
  });

  it('pins actions with a version comment, and persists no credentials', () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, what = '']) => what);
    expect(uses.filter((what) => what !== './' && !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what))).toEqual([]);
    for (const { uses: used = '', with: inputs } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (used.startsWith('actions/checkout@')) expect(inputs?.['persist-credentials']).toBe(false);
    }
  });

  it('uses no untrusted text in scripts', () => {
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });
});

test('the release runs no dependencies with a write token', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as { readonly jobs: Readonly<Record<string, Job>> };
  const powerful = Object.values(jobs).filter((job) => Object.values(job.permissions ?? {}).includes('write'));
  expect(powerful).toHaveLength(4);
  for (const { steps } of powerful) {
    expect(steps.filter(({ run = '' }) => /npm (?:ci|install|run|pack|test)|npx /.test(run))).toEqual([]);
  }
});

describe('before the first release', () => {
  const isReleased = /^## \[?v?\d+\.\d+\.\d+/m.test(read('CHANGELOG.md'));
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it.each(pages)('%s names no package and no action that is not published', (path) => {
    if (isReleased) return;
    const page = read(path);
    expect(page).not.toMatch(/npx (?:--\S+ )*preadmit|npm (?:i|install|exec) .*\bpreadmit\b/);
    const uses = page.match(/^ *(?:- )?uses: preadmit\/preadmit@.*$|^ *rev: v0\.1\.0.*$/gm) ?? [];
    expect(uses.filter((line) => !line.includes('# not released yet: name a fork'))).toEqual([]);
  });
});
