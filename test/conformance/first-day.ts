// Tests a repository's first day: `init` on a copy of it, `check`, and three pull requests: harmless, with a violation, and with other values of a release.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { runPrinted } from '../support/printed.ts';
import { chartMirror } from './chart-mirror.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Used if no file of the repository is applied. */
const OWN_PATH = 'preadmit-first-day.yaml';

const HARMLESS = `apiVersion: v1
kind: ConfigMap
metadata: {name: first-day, namespace: first-day}
data: {greeting: hello}
`;
/** Violates the Pod Security Standards, which `init --with pod-security` enables. */
const VIOLATION = `apiVersion: v1
kind: Pod
metadata: {name: first-day, namespace: first-day}
spec:
  containers:
    - name: agent
      image: registry.example.com/agent:1
      securityContext: {privileged: true}
`;

/** Files to try: some are patches, or belong to Namespaces that the policies skip. */
const MAX_TRIES = 8;

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  readonly seconds: number;
}

/** The fields of a report that this test reads. */
interface Told {
  readonly verdict: { readonly conclusion: string; readonly notRendered: number };
  readonly coverage: { readonly skipped: readonly { readonly path: string; readonly reason: string }[] };
  readonly targets: readonly { readonly name: string; readonly evaluated: number }[];
  readonly findings: readonly { readonly status?: string }[];
  readonly diagnostics: readonly { readonly status?: string }[];
}

/** The fields of a root in the output of `render` that this test reads. */
interface DeclaredRoot {
  readonly name: string;
  /** Path and line, from 1. */
  readonly place?: string;
  readonly notRendered?: { readonly reason: string };
}

interface Release {
  readonly name: string;
  readonly path: string;
  /** Adds a value. */
  readonly edit: (text: string) => string;
  readonly isRendered: boolean;
}

class FirstDay {
  readonly #folder: string;
  readonly #program: readonly string[];
  #branches = 0;

  constructor(repository: string, program: readonly string[]) {
    this.#folder = mkdtempSync(join(tmpdir(), 'preadmit-first-day-'));
    this.#program = program;
    cpSync(repository, this.#folder, { recursive: true, filter: (path) => basename(path) !== '.git' });
    this.#git('init', '-q', '-b', 'main');
    const origin = originOf(repository);
    if (origin !== '') this.#git('remote', 'add', 'origin', origin);
    this.#commit('before');
  }

  /** Prints the results; true if each step ends as `docs/getting-started.md` promises. */
  async isAsPromised(): Promise<boolean> {
    const init = this.#preadmit('init', '--yes', '--owner', 'first-day@example.com', '--with', 'pod-security');
    const [seen = ''] = init.out.split('\n\n');
    console.log(seen.replace(/^/gm, '  '));
    const [, promised, sentence] = /exits with (\d) and ends with this line:\n {2}(.*)\n/.exec(init.out) ?? [];
    const isInit = print('init', init, `promises exit ${promised}: ${sentence}`, init.status === 0);
    this.#commit('init');
    const check = this.#preadmit('check', '--quiet', '--format', 'json', '--format', 'text=first-day.txt');
    const line = readFileSync(join(this.#folder, 'first-day.txt'), 'utf8').trimEnd().split('\n').at(-1);
    rmSync(join(this.#folder, 'first-day.txt'));
    const report = toldIn(check);
    if (report === undefined) return print('check', check, '', false);
    const isCheck = print('check', check, told(check), check.status === 0 && promised === '0' && line === sentence);
    const place = this.#placeFor(report);
    const second = this.#pullRequest(place, withDocument(VIOLATION));
    const isSecond = print('second', second, told(second), second.status === 1);
    return [isInit, isCheck, isSecond, await this.#areReleasesJudged()].every(Boolean);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** The first file that a harmless object can be added to, so that it is judged. */
  #placeFor({ coverage: { skipped } }: Told): string {
    const left = new Set(skipped.flatMap(({ path, reason }) => (reason === 'rendered' ? [] : [path])));
    const workloads = this.#files(/^kind: (?:ConfigMap|Deployment|ExternalSecret|HelmRelease|Service)$/m);
    const applied = [...new Set([...workloads, ...this.#files(/^kind: /m)])];
    const likely = applied.filter(
      (path) => !left.has(path) && !/kube-system|patch|test|(?:^|\/)kustomization\.ya?ml$/.test(path),
    );
    for (const path of [...likely.slice(0, MAX_TRIES), OWN_PATH]) {
      const first = this.#pullRequest(path, withDocument(HARMLESS));
      const evaluated = toldIn(first)?.targets.reduce((sum, target) => sum + target.evaluated, 0) ?? 0;
      if (first.status === 0 && evaluated === 0 && path !== OWN_PATH) continue;
      print('first', first, `${told(first)} (${path})`, first.status === 0);
      return path;
    }
    return OWN_PATH;
  }

  /** Without its chart, a changed release is undecided; with the chart of a mirror, it is judged. */
  async #areReleasesJudged(): Promise<boolean> {
    const releases = this.#appliedReleases();
    if (releases.length === 0) {
      console.log('  third     left out: no applied release has values');
      return true;
    }
    const mirror = chartMirror(this.#files(/./).map((path) => this.#read(path)));
    for (const [index, release] of releases.entries()) {
      const third = this.#pullRequest(release.path, release.edit);
      const isHonest = third.status === (release.isRendered ? 0 : 5);
      if (!isHonest) return print('third', third, `${told(third)} (${release.name})`, false);
      const fetched = await this.#inProcess(
        mirror,
        'diff',
        'main',
        this.#branch(),
        '--fetch',
        'charts',
        '--format',
        'json',
      );
      const isJudged = fetched.status === 0 || fetched.status === 1;
      if (!isJudged && index < releases.length - 1) continue;
      print('third', third, `${told(third)} (${release.name})`, true);
      return print('mirrored', fetched, told(fetched), isJudged);
    }
    return false;
  }

  /** Releases with values that a controller applies: those without their charts first, at most `MAX_TRIES`. */
  #appliedReleases(): readonly Release[] {
    const { out } = this.#preadmit('render', '--format', 'json');
    const { roots } = JSON.parse(out) as { readonly roots: readonly DeclaredRoot[] };
    const releases = roots.flatMap(({ name, place, notRendered }): readonly Release[] => {
      const [, declared = '', line = ''] = /^(.*):(\d+)$/.exec(place ?? '') ?? [];
      if (declared === '' || (notRendered !== undefined && !MISSING_CHARTS.has(notRendered.reason))) return [];
      const path = this.#valuesFileOf(declared) ?? declared;
      const edit = path === declared ? withValueAt(Number(line) - 1) : withTopValue;
      const isChanged = edit(this.#read(path)) !== this.#read(path);
      const isRendered = path === declared ? notRendered === undefined : !this.#lacksChart(declared, notRendered);
      return isChanged ? [{ name: `${name}: ${path}`, path, edit, isRendered }] : [];
    });
    const missing = releases.filter(({ isRendered }) => !isRendered);
    return [...missing, ...releases.filter(({ isRendered }) => isRendered)].slice(0, MAX_TRIES);
  }

  /** The values file of a chart, or of the first chart that a kustomization installs. */
  #valuesFileOf(path: string): string | undefined {
    const folder = dirname(path);
    const [, named] = /^ +valuesFile: (\S+)$/m.exec(this.#read(path)) ?? [];
    const file = join(folder, basename(path) === 'Chart.yaml' ? 'values.yaml' : (named ?? '.'));
    return file !== folder && this.#git('ls-files', file) === `${file}\n` ? file : undefined;
  }

  /** A kustomization is rendered without the charts that are missing. */
  #lacksChart(path: string, notRendered: DeclaredRoot['notRendered']): boolean {
    return notRendered !== undefined || /^helmCharts:/m.test(this.#read(path));
  }

  #files(containing: RegExp): readonly string[] {
    const paths = this.#git('ls-files', '*.yaml', '*.yml')
      .split('\n')
      .filter((path) => path !== '');
    return paths.filter((path) => containing.test(this.#read(path)));
  }

  #read(path: string): string {
    return readFileSync(join(this.#folder, path), 'utf8');
  }

  #branch(): string {
    return `change-${this.#branches}`;
  }

  #pullRequest(path: string, edit: (text: string) => string): Ran {
    this.#branches += 1;
    this.#git('checkout', '-q', '-b', this.#branch(), 'main');
    const isThere = this.#git('ls-files', path) !== '';
    writeFileSync(join(this.#folder, path), edit(isThere ? this.#read(path) : ''));
    this.#commit('change');
    const ran = this.#preadmit('diff', 'main', this.#branch(), '--format', 'json');
    this.#git('checkout', '-q', 'main');
    return ran;
  }

  #commit(message: string): void {
    this.#git('add', '-A', '-f');
    this.#git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--no-verify', '-m', message);
  }

  #git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: this.#folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  #preadmit(...args: readonly string[]): Ran {
    const [program = process.execPath, ...start] = this.#program;
    const { status, stdout, stderr } = spawnSync(program, [...start, ...args], {
      cwd: this.#folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: `--import=${MEASURE}` },
      maxBuffer: 2 ** 30,
    });
    const [, seconds = 'NaN'] = /^cpu-seconds (\S+)$/m.exec(stderr) ?? [];
    return { status, out: stdout, err: stderr.replace(/^cpu-seconds .*\n/m, ''), seconds: Number(seconds) };
  }

  /** A mirror needs a transport, which only this process can pass. */
  async #inProcess(transport: ReturnType<typeof chartMirror>, ...args: readonly string[]): Promise<Ran> {
    const before = process.cpuUsage();
    const today = new Date().toISOString().slice(0, 10);
    const printed = await runPrinted(this.#folder, args, { now: () => Date.now(), today, transport });
    const { user, system } = process.cpuUsage(before);
    return { ...printed, seconds: (user + system) / 1e6 };
  }
}

function withDocument(manifest: string): (text: string) => string {
  return (text) => (text === '' ? manifest : `${text.trimEnd()}\n---\n${manifest}`);
}

/** Reasons of render targets that lack a chart. */
const MISSING_CHARTS: ReadonlySet<string> = new Set(['unknown-source', 'missing-dependency']);

function withTopValue(text: string): string {
  return `${text.trimEnd()}\nfirstDay: changed\n`;
}

/** Adds a value to the HelmRelease, the Application or the ApplicationSet in the document at a line, from 0. */
function withValueAt(line: number): (text: string) => string {
  return (text) => withValue(text, line);
}

function withValue(text: string, line: number): string {
  const lines = text.split('\n');
  const before = lines.slice(0, line);
  const start = before.findLastIndex((each) => /^---(?:\s|$)/.test(each)) + 1;
  const after = lines.findIndex((each, index) => index >= line && /^---(?:\s|$)/.test(each));
  const end = after === -1 ? lines.length : after;
  const isRelease = lines
    .slice(start, end)
    .some((each) => /^kind: ['"]?(?:HelmRelease|Application|ApplicationSet)['"]?\s*$/.test(each));
  const key = lines.findIndex(
    (each, index) => index >= start && index < end && /^ +(?:values|valuesObject):(?: \|-?)?$/.test(each),
  );
  const [, indent] = /^( +)\S/.exec(lines[key + 1] ?? '') ?? [];
  if (!isRelease || key === -1 || indent === undefined) return text;
  return lines.toSpliced(key + 1, 0, `${indent}firstDay: changed`).join('\n');
}

/** Empty if the folder is not the top of a repository with a remote. */
function originOf(repository: string): string {
  const options = ['-C', repository, '--git-dir', '.git', 'config', '--get', 'remote.origin.url'];
  return spawnSync('git', options, { encoding: 'utf8' }).stdout.trim();
}

/** Prints the CPU time of the process at exit, in user and system mode. */
const MEASURE = `data:text/javascript,${encodeURIComponent(`import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('cpu-seconds ' + (user + system) / 1e6 + '\\n');
});`)}`;

/** Returns `isRight`. */
function print(step: string, { status, seconds }: Ran, words: string, isRight: boolean): boolean {
  const mark = isRight ? '' : '  WRONG';
  console.log(`  ${step.padEnd(9)} exit ${status}, ${seconds.toFixed(1)} s: ${words}${mark}`);
  return isRight;
}

/** Undefined if the run printed no report. */
function toldIn({ out }: Ran): Told | undefined {
  try {
    return JSON.parse(out) as Told;
  } catch {
    return undefined;
  }
}

function told(ran: Ran): string {
  const report = toldIn(ran);
  if (report === undefined) return ran.err.trim().split('\n').at(-1) ?? '';
  const { verdict, targets, findings, diagnostics } = report;
  const counted = (list: Told['findings']): string =>
    `${list.length} (${list.filter(({ status: each }) => each === 'new').length} new)`;
  const evaluated = targets.map(({ name, evaluated: objects }) => `${name} ${objects}`).join(', ');
  return `${verdict.conclusion}; findings ${counted(findings)}, diagnostics ${counted(diagnostics)}; evaluated: ${evaluated}`;
}

/** Works on copies of the folders. True if every repository behaves as documented. */
export async function runFirstDays(repositories: readonly string[]): Promise<boolean> {
  const program = process.env['PREADMIT_CLI'];
  const source = ['--import', import.meta.resolve('tsx'), join(ROOT, 'src/cli.ts')];
  let promised = 0;
  for (const repository of repositories) {
    console.log(basename(repository));
    const day = new FirstDay(repository, [process.execPath, ...(program === undefined ? source : [program])]);
    try {
      if (await day.isAsPromised()) promised += 1;
      else console.log('  NOT AS PROMISED');
    } finally {
      day.remove();
    }
  }
  return promised > 0 && promised === repositories.length;
}
