// Builds and runs the Go programs in `scripts/ports`, which answer calls with the original packages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Answer, Call, Port } from './port.ts';

const PROGRAMS = fileURLToPath(new URL('../../../scripts/ports', import.meta.url));

/** Folder of the built programs. */
const BUILT = process.env['PREADMIT_PORTS'] ?? join(tmpdir(), 'preadmit-ports');

/** An answer, and the number of blocks of the original that no earlier call of the function has met. */
export interface CoveredAnswer {
  readonly answer: Answer;
  readonly newBlocks: number;
  /** By all calls until this one. */
  readonly blocks: Blocks;
}

/** Blocks of the original that calls met, and all blocks of the original's functions that these calls entered. */
export interface Blocks {
  readonly met: number;
  readonly all: number;
}

/** A running program that answers the calls of one port. */
export class Original {
  readonly isCovered: boolean;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** `originals` are the covered packages of all ports of the program; without them, nothing is covered. */
  constructor(port: Port, originals?: readonly string[]) {
    this.isCovered = originals !== undefined;
    const path = build(port.program, originals);
    const args = originals === undefined ? [port.name] : ['-coverage', port.name];
    this.#child = spawn(path, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  }

  async answers(calls: readonly Call[]): Promise<readonly Answer[]> {
    return (await this.#ask(calls)) as readonly Answer[];
  }

  /** The calls of one function must follow each other. */
  async covered(calls: readonly Call[]): Promise<readonly CoveredAnswer[]> {
    const lines = (await this.#ask(calls)) as readonly (readonly [Answer, readonly [number, number, number]])[];
    return lines.map(([answer, [newBlocks, met, all]]) => ({ answer, newBlocks, blocks: { met, all } }));
  }

  stop(): void {
    this.#child.stdin?.end();
  }

  /** In batches, because the iterator of lines stalls at 1,024 waiting lines. */
  async #ask(calls: readonly Call[]): Promise<readonly unknown[]> {
    const answers: unknown[] = [];
    for (let start = 0; start < calls.length; start += BATCH) {
      const batch = calls.slice(start, start + BATCH);
      this.#child.stdin?.write(`${batch.map((call) => JSON.stringify(call)).join('\n')}\n\n`);
      for (const _ of batch) {
        const { value, done } = await this.#lines.next();
        if (done === true) throw new Error(`the program ended after ${answers.length} of ${calls.length} calls`);
        answers.push(JSON.parse(value));
      }
    }
    return answers;
  }
}

const BATCH = 500;

/** What the original registers. */
export function surfaceOf({ program, name }: Port): unknown {
  return JSON.parse(execFileSync(build(program), ['-surface', name], { encoding: 'utf8' }));
}

const built = new Set<string>();

function build(program: string, originals?: readonly string[]): string {
  const path = join(BUILT, originals === undefined ? program : `${program}-covered`);
  if (built.has(path)) return path;
  mkdirSync(BUILT, { recursive: true });
  // Without the main package, Go does not start its counters.
  const coverage =
    originals === undefined ? [] : ['-cover', '-covermode=atomic', `-coverpkg=${['.', ...originals].join(',')}`];
  execFileSync('go', ['build', ...coverage, '-o', path, '.'], { cwd: join(PROGRAMS, program), stdio: 'inherit' });
  built.add(path);
  return path;
}
