// Temporary folders and real Git repositories for the tests of the workspace room.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export class Folder {
  readonly path: string;

  constructor() {
    this.path = realpathSync(mkdtempSync(path.join(tmpdir(), 'preadmit-test-')));
  }

  write(name: string, content: string | Uint8Array = 'kind: ConfigMap\n'): this {
    const file = path.join(this.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return this;
  }

  createFolder(name: string): void {
    mkdirSync(path.join(this.path, name), { recursive: true });
  }

  removeFolder(name: string): void {
    rmSync(path.join(this.path, name), { recursive: true });
  }

  removeFile(name: string): void {
    rmSync(path.join(this.path, name), { force: true });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export class GitFolder extends Folder {
  constructor(options: { sha256?: boolean } = {}) {
    super();
    this.git('init', '-q', '-b', 'main', ...(options.sha256 ? ['--object-format=sha256'] : []));
  }

  /** Standard output without the final line break. */
  git(...args: string[]): string {
    const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com', '-c', 'commit.gpgsign=false'];
    const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', [...identity, '-c', 'protocol.file.allow=always', ...args], {
      cwd: this.path,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).replace(/\n$/, '');
  }

  /** Commits all files, and returns the commit's id. */
  commit(message = 'change'): string {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }
}
