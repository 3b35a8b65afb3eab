// Tests a repository's first day: `init` on a copy of it, then a harmless pull request and one with a violation.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PATH = 'preadmit-first-day/added.yaml';

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

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  readonly seconds: number;
}

class FirstDay {
  readonly #folder: string;
  readonly #program: readonly string[];

  constructor(repository: string, program: readonly string[]) {
    this.#folder = mkdtempSync(join(tmpdir(), 'preadmit-first-day-'));
    this.#program = program;
    cpSync(repository, this.#folder, { recursive: true, filter: (path) => basename(path) !== '.git' });
    this.#git('init', '-q', '-b', 'main');
    this.#commit('before');
  }

  /** Prints the results; true if the first pull request passes and the second fails. */
  isAsPromised(): boolean {
    const init = this.#preadmit('init', '--yes', '--owner', 'first-day@example.com', '--with', 'pod-security');
    const seen = init.out.split('\n').filter((line) => /^(?:Applied by|Clusters|Policies|Kubernetes):/.test(line));
    this.#commit('init');
    const check = this.#preadmit('check', '--quiet', '--format', 'json');
    const first = this.#pullRequest('first', HARMLESS);
    const second = this.#pullRequest('second', VIOLATION);
    console.log(seen.map((line) => `  ${line}`).join('\n'));
    console.log(`  init      exit ${init.status}, ${init.seconds.toFixed(1)} s${lastLine(init.err)}`);
    for (const [name, ran] of Object.entries({ check, first, second })) console.log(`  ${name.padEnd(9)} ${told(ran)}`);
    return init.status === 0 && first.status === 0 && second.status === 1;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #pullRequest(branch: string, manifest: string): Ran {
    this.#git('checkout', '-q', '-b', branch, 'main');
    mkdirSync(dirname(join(this.#folder, PATH)), { recursive: true });
    writeFileSync(join(this.#folder, PATH), manifest);
    this.#commit(branch);
    return this.#preadmit('diff', 'main', branch, '--format', 'json');
  }

  #commit(message: string): void {
    this.#git('add', '-A', '-f');
    this.#git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--no-verify', '-m', message);
  }

  #git(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('git', args, { cwd: this.#folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
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
}

/** Prints the CPU time of the process at exit, in user and system mode. */
const MEASURE = `data:text/javascript,${encodeURIComponent(`import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('cpu-seconds ' + (user + system) / 1e6 + '\\n');
});`)}`;

/** The fields of a report that this test reads. */
interface Told {
  readonly verdict: { readonly conclusion: string };
  readonly targets: readonly { readonly name: string; readonly evaluated: number }[];
  readonly findings: readonly { readonly status?: string }[];
  readonly diagnostics: readonly { readonly status?: string }[];
}

function told({ status, out, err, seconds }: Ran): string {
  const exit = `exit ${status}, ${seconds.toFixed(1)} s`;
  try {
    const { verdict, targets, findings, diagnostics } = JSON.parse(out) as Told;
    const counted = (list: Told['findings']): string =>
      `${list.length} (${list.filter(({ status: each }) => each === 'new').length} new)`;
    const evaluated = targets.map(({ name, evaluated: objects }) => `${name} ${objects}`).join(', ');
    return `${exit}: ${verdict.conclusion}; findings ${counted(findings)}, diagnostics ${counted(diagnostics)}; evaluated: ${evaluated}`;
  } catch {
    return `${exit}${lastLine(err)}`;
  }
}

function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${line}`;
}

/** Works on copies of the folders. True if every repository behaves as documented. */
export function runFirstDays(repositories: readonly string[]): boolean {
  const program = process.env['PREADMIT_CLI'];
  const source = ['--import', 'tsx', join(ROOT, 'src/cli.ts')];
  const days = repositories.map((repository) => {
    console.log(basename(repository));
    const day = new FirstDay(repository, [process.execPath, ...(program === undefined ? source : [program])]);
    try {
      const isAsPromised = day.isAsPromised();
      if (!isAsPromised) console.log('  NOT AS PROMISED');
      return isAsPromised;
    } finally {
      day.remove();
    }
  });
  return days.length > 0 && days.every(Boolean);
}
