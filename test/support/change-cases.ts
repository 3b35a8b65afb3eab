// Reads the cases of `test/changes`, and commits the base and the head of each into one Git repository.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ChangeOptions } from '../../src/door/run/check-repository.ts';
import { GitFolder } from './git-fixture.ts';

const FOLDER = join(import.meta.dirname, '../changes');

/** A text; `$name` for a file of `texts`; null for a deleted file; or one of these. */
type WrittenFile =
  | string
  | null
  | {
      /** Name of a file of `texts`. Absent in `change`: the file's text at base. */
      readonly text?: string;
      /** Each key is replaced wherever it occurs; it must occur. */
      readonly edit?: Readonly<Record<string, string>>;
      /** Only in `change`: the new path. */
      readonly moved?: string;
      /** Target of a symbolic link. */
      readonly link?: string;
      readonly submodule?: true;
      /** Number of bytes of comments that are appended. */
      readonly padding?: number;
    };

type WrittenFiles = Readonly<Record<string, WrittenFile>>;

export interface ChangeCase {
  readonly case: string;
  /** One sentence: why the cluster refuses the change, why Git cannot know, or why nothing is wrong. */
  readonly why: string;
  /** `server`: a kube-apiserver 1.36 gave this answer to the objects that the change applies. */
  readonly confirmed?: 'server';
  /** The files of base. Without them: those of the first case of the file. */
  readonly files: WrittenFiles;
  readonly change: WrittenFiles;
  readonly expect: 'denied' | 'undecided' | 'allowed';
  /** Only if the exit code is not the usual one of `expect`. */
  readonly exit?: number;
  /** What fails the run: `<policy, or diagnostic code>: <object, render target or path>`. */
  readonly by?: readonly string[];
}

/** The cases by the name of their file, in their order. */
export function changeCases(): ReadonlyMap<string, readonly ChangeCase[]> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  const read = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8'), { merge: true, maxAliasCount: -1 });
  return new Map(names.sort().map((name) => [name, read(name)]));
}

interface Entry {
  readonly mode: '100644' | '120000' | '160000';
  readonly content: string;
}

type Tree = ReadonlyMap<string, Entry>;

/** One repository for all cases, because `git commit` for each state would take most of the time of the test. */
export class ChangeRepository extends GitFolder {
  readonly #commits: readonly string[];
  readonly #cases: readonly ChangeCase[];

  constructor(cases: readonly ChangeCase[]) {
    super();
    const trees = cases.flatMap((each) => {
      const base = treeOf(new Map(), each.files, each.case);
      return [base, treeOf(base, each.change, each.case)];
    });
    execFileSync('git', ['fast-import', '--quiet', '--export-marks=marks'], {
      cwd: this.path,
      input: Buffer.concat(trees.flatMap(importCommands)),
    });
    const marks = readFileSync(join(this.path, 'marks'), 'utf8').trimEnd().split('\n');
    const byMark = new Map(marks.map((line) => line.split(' ') as [string, string]));
    this.#commits = trees.map((_, index) => byMark.get(`:${index + 1}`) ?? '');
    this.#cases = cases;
  }

  change(of: ChangeCase): ChangeOptions {
    const index = this.#cases.indexOf(of);
    return { base: this.#commits[2 * index] ?? '', head: this.#commits[2 * index + 1] ?? '' };
  }
}

function treeOf(before: Tree, files: WrittenFiles, name: string): Tree {
  const tree = new Map(before);
  for (const [path, written] of Object.entries(files)) {
    const old = before.get(path)?.content;
    if (written === null || (typeof written === 'object' && written.moved !== undefined)) {
      if (!tree.delete(path)) throw new Error(`${name}: base has no ${path}`);
    }
    if (written === null) continue;
    const to = typeof written === 'object' ? (written.moved ?? path) : path;
    tree.set(to, entryOf(written, old, `${name}: ${path}`));
  }
  return tree;
}

function entryOf(written: NonNullable<WrittenFile>, old: string | undefined, where: string): Entry {
  if (typeof written === 'string') {
    return { mode: '100644', content: /^\$[\w-]+$/.test(written) ? textNamed(written.slice(1)) : written };
  }
  const { text, edit = {}, link, submodule, padding = 0 } = written;
  if (link !== undefined) return { mode: '120000', content: link };
  if (submodule) return { mode: '160000', content: '' };
  let content = text === undefined ? old : textNamed(text);
  if (content === undefined) throw new Error(`${where} has no text`);
  for (const [from, to] of Object.entries(edit)) {
    if (!content.includes(from)) throw new Error(`${where} does not contain ${JSON.stringify(from)}`);
    content = content.replaceAll(from, to);
  }
  return { mode: '100644', content: content + `# ${'-'.repeat(97)}\n`.repeat(Math.ceil(padding / 100)) };
}

function textNamed(name: string): string {
  return readFileSync(join(FOLDER, 'texts', `${name}.yaml`), 'utf8');
}

/** The input of `git fast-import` for a commit without parents. */
function importCommands(tree: Tree, index: number): Buffer[] {
  const mark = index + 1;
  const commit = `commit refs/heads/${mark}\nmark :${mark}\ncommitter tester <tester@example.com> 0 +0000\ndata 0\n`;
  const files = [...tree].flatMap(([path, { mode, content }]) => {
    const quoted = JSON.stringify(path);
    if (mode === '160000') return [Buffer.from(`M ${mode} ${'1'.repeat(40)} ${quoted}\n`)];
    const bytes = Buffer.from(content);
    return [Buffer.from(`M ${mode} inline ${quoted}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')];
  });
  return [Buffer.from(commit), ...files];
}
