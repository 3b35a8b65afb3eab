// Reads and compiles an installed WebAssembly program. Reading, decompressing and compiling take up to half a second, so it happens on demand.
import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { limitMemory } from '../../sandbox/memory-limit.ts';
import { type EngineModule, webAssembly } from '../../sandbox/web-assembly.ts';
import { WorkspaceError } from '../workspace-error.ts';

export interface InstalledProgram {
  /** Name of the compressed file. */
  readonly file: string;
  /** The folder at the top of the project that builds it; used when the sources run. */
  readonly folder: string;
  /** In an error: what the program is, such as `rendering engine`. */
  readonly name: string;
  /** The npm script that builds it. */
  readonly script: string;
}

export interface ProgramMemory {
  /** Maximum, in pages of 64 KiB. */
  readonly memoryPages: number;
  /** At the start; the module's own value if 0 or absent. */
  readonly initialPages?: number;
  /** True for programs that idle after loading; the memory that loading took is freed then. */
  readonly hasPauses?: boolean;
  /** True for programs that run most functions rarely. */
  readonly optimizesLate?: boolean;
}

/** Larger than any program, so that it decompresses in one piece. Memory allocated in many pieces is not returned to the system. */
const MAXIMUM_BYTES = 64 * 1024 * 1024;

/**
 * Work of a WebAssembly function, roughly in bytes, before V8 optimizes it; some two hundred times the default of Node 20. Optimizing functions
 * that run once took two thirds of the time of the first answer. A module keeps the value that was set when it was compiled.
 */
const LATE_BUDGET = 400_000_000;
/** The defaults of Node 20 and of later versions. */
const USUAL_BUDGET = process.versions.v8.startsWith('11.') ? 1_800_000 : 13_000_000;

/** The compressed program. Throws WorkspaceError if it is not installed. */
export function readProgram({ file, folder, name, script }: InstalledProgram): Uint8Array {
  // Beside the bundles, or one folder above their chunks; in the repository, in the build folder.
  const places = [`./${file}`, `../${file}`, `../../../${folder}/${file}`];
  const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (found === undefined) {
    throw new WorkspaceError('engine-missing', `the ${name} \`${file}\` is not in the folder of the program`, {
      hint: `install the whole \`dist\` folder, or build the engine with \`npm run ${script}\``,
    });
  }
  return readFileSync(found);
}

/** Throws WorkspaceError if the program is not installed. */
export function compileProgram(
  program: InstalledProgram,
  { memoryPages, initialPages = 0, hasPauses = false, optimizesLate = false }: ProgramMemory,
): EngineModule {
  const compressed = readProgram(program);
  const bytes = brotliDecompressSync(compressed, { chunkSize: MAXIMUM_BYTES });
  const spare = bytes.buffer.byteLength === MAXIMUM_BYTES ? MAXIMUM_BYTES - bytes.length : 0;
  const limited = limitMemory(bytes, memoryPages, initialPages, spare);
  setFlagsFromString(`--wasm-tiering-budget=${optimizesLate ? LATE_BUDGET : USUAL_BUDGET}`);
  // Compiling copies the bytes, so the buffers can be freed.
  const module = new webAssembly.Module(limited);
  if (hasPauses) {
    for (const buffer of new Set([compressed, bytes, limited].map((each) => each.buffer))) {
      giveBack(buffer as ArrayBuffer);
    }
  }
  return module;
}

/**
 * Frees the buffer in the next pause. Waiting for garbage collection takes long, because memory outside the heap hardly
 * triggers it. The buffer is detached at once.
 */
function giveBack(buffer: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(buffer, [buffer]);
  port1.close();
  port2.close();
}
