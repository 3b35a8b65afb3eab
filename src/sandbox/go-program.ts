// A Go program as a WebAssembly reactor: each exported function reads one request from the host and answers with any number of byte arrays.
import { treeOf } from '../source/tree/file-tree.ts';
import { SandboxFiles } from './sandbox-files.ts';
import { EngineStop, type EngineSystem, systemImports } from './system-imports.ts';
import { type EngineExports, type EngineModule, webAssembly } from './web-assembly.ts';

export interface ProgramOptions {
  readonly module: EngineModule;
  readonly clocks: Pick<EngineSystem, 'elapsed' | 'spent'>;
  /** For all answers to one request. */
  readonly outputBytes: number;
  /** Environment variables as `NAME=value`. */
  readonly environment: readonly string[];
  /** Standard output and standard error. */
  readonly print: (text: string) => void;
}

export interface GoProgram {
  /** Limits, files, time and chance of the next call. */
  readonly system: EngineSystem;
  /** Size of its memory in bytes. It never shrinks. */
  readonly memoryBytes: number;
  /**
   * Calls an exported function. Throws EngineStop at a limit, and any other error if the program crashes; the program cannot be used
   * after either.
   */
  call(name: string, request: Uint8Array): readonly Uint8Array[];
}

/** Instantiates and initializes the program. Without limits until the caller sets them in `system`. */
export function startProgram({ module, clocks, outputBytes, environment, print }: ProgramOptions): GoProgram {
  const system: EngineSystem = {
    files: new SandboxFiles(treeOf({ files: new Map() })),
    now: 0,
    ...clocks,
    deadline: { spent: Number.POSITIVE_INFINITY, elapsed: Number.POSITIVE_INFINITY },
    opens: 0,
    random: repeatableBytes(0),
    usedChance: false,
    readClock: false,
    print,
  };
  let asked: Uint8Array = new Uint8Array();
  let answers: Uint8Array[] = [];
  let answered = 0;
  const memory = (): ArrayBuffer => exports.memory.buffer;
  const instance = new webAssembly.Instance(module, {
    wasi_snapshot_preview1: systemImports(system, memory, environment),
    preadmit: {
      request_length: () => asked.length,
      request: (into: number) => new Uint8Array(memory()).set(asked, into),
      answer: (from: number, length: number) => {
        answered += length;
        if (answered > outputBytes) throw new EngineStop('output', `the output exceeds ${outputBytes} bytes`);
        answers.push(new Uint8Array(memory(), from, length).slice());
      },
    },
  });
  const exports: EngineExports = instance.exports;
  exports._initialize();
  return {
    system,
    get memoryBytes() {
      return memory().byteLength;
    },
    call: (name, request) => {
      asked = request;
      answers = [];
      answered = 0;
      const called = exports[name];
      if (typeof called !== 'function') throw new Error(`the program exports no function ${name}`);
      called();
      return answers;
    },
  };
}

/** xorshift: repeatable, and random enough for names. It makes no secrets. */
export function repeatableBytes(seed: number): (bytes: Uint8Array) => void {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      state >>>= 0;
      bytes[i] = (state >>> 11) & 0xff;
    }
  };
}
