// WASI as the engine's module imports it: files, clock and randomness come from Preadmit, never from the machine.
import { ERRNO, type Errno, type SandboxFiles, TOP_DESCRIPTOR } from './sandbox-files.ts';
import type { ModuleImports } from './web-assembly.ts';

/** Stops the engine; its instance cannot be used again. */
export class EngineStop extends Error {
  readonly reason: 'time' | 'busy' | 'files' | 'output' | 'exit';

  constructor(reason: EngineStop['reason'], message: string) {
    super(message);
    this.name = 'EngineStop';
    this.reason = reason;
  }
}

/** What changes from one request to the next. */
export interface EngineSystem {
  files: SandboxFiles;
  /** What the engine takes for the time of day, in milliseconds since 1970. */
  now: number;
  /** Milliseconds from any start; never goes back. */
  readonly elapsed: () => number;
  /** Milliseconds of the processor's time; never goes back. */
  readonly spent: () => number;
  /** By either clock: the engine is stopped when it asks for the time after it. */
  deadline: { readonly spent: number; readonly elapsed: number };
  /** How often a file or folder may still be opened. */
  opens: number;
  random: (bytes: Uint8Array) => void;
  /** Set when the program reads random bytes. */
  usedChance: boolean;
  /** Set when the program reads the time of day. The Go runtime also does this after each garbage collection. */
  readClock: boolean;
  /** Standard output and standard error. */
  print: (text: string) => void;
}

const ENCODER = new TextEncoder();
/** The program's name, ending in zero. */
const PROGRAM = ENCODER.encode('render\0');
const KIND_NUMBER = { folder: 3, file: 4, link: 7 } as const;
const CHARACTER_DEVICE = 2;
const ENTRY_HEADER = 24;
const STAT_SIZE = 64;
const SUBSCRIPTION_SIZE = 48;
const EVENT_SIZE = 32;
const CLOCK_SUBSCRIPTION = 0;
const NANOSECONDS = 1_000_000n;
const MONOTONIC = 1;
const FOLLOW = 1;
const CREATE_OR_TRUNCATE = 0b1101;
const MUST_BE_FOLDER = 0b10;
const WRITE_RIGHT = 1n << 6n;

/** What the rows of the table work on. */
interface EngineHost {
  readonly system: EngineSystem;
  readonly memory: EngineMemory;
  /** Each as `NAME=value`, ending in zero. */
  readonly environment: readonly Uint8Array[];
  /** Milliseconds that the engine's time is ahead: sleeping moves the time instead of waiting. */
  slept: number;
}

type SystemCall<Arguments extends readonly unknown[]> = (host: EngineHost, ...args: Arguments) => Errno;

/** The engine's memory; numbers are little-endian. The buffer moves when it grows, so it is read at every access. */
class EngineMemory {
  readonly #buffer: () => ArrayBuffer;
  readonly #decoder = new TextDecoder();

  constructor(buffer: () => ArrayBuffer) {
    this.#buffer = buffer;
  }

  get view(): DataView {
    return new DataView(this.#buffer());
  }

  bytes(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#buffer(), start, length);
  }

  text(start: number, length: number): string {
    return this.#decoder.decode(this.bytes(start, length));
  }
}

/** `environment`: as `NAME=value`. */
export function systemImports(
  system: EngineSystem,
  memory: () => ArrayBuffer,
  environment: readonly string[],
): ModuleImports {
  const host: EngineHost = {
    system,
    memory: new EngineMemory(memory),
    environment: environment.map((entry) => ENCODER.encode(`${entry}\0`)),
    slept: 0,
  };
  const calls: Readonly<Record<string, SystemCall<never[]>>> = { ...CALLS, ...WIDE_CALLS };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, call.bind(undefined, host)]));
}

const refused = (): Errno => ERRNO.readOnly;
const absent = (): Errno => ERRNO.notSupported;

/** The functions of WASI preview 1 that the engine imports. Addresses and lengths are those of its own memory. */
const CALLS = {
  // Arguments and environment: first the number of entries and their size, then pointers to them and their bytes.
  args_sizes_get({ memory }, count, size) {
    memory.view.setUint32(count, 1, true);
    memory.view.setUint32(size, PROGRAM.length, true);
    return ERRNO.none;
  },
  args_get({ memory }, pointers, buffer) {
    memory.view.setUint32(pointers, buffer, true);
    memory.bytes(buffer, PROGRAM.length).set(PROGRAM);
    return ERRNO.none;
  },
  environ_sizes_get({ memory, environment }, count, size) {
    memory.view.setUint32(count, environment.length, true);
    const total = environment.reduce((sum, entry) => sum + entry.length, 0);
    memory.view.setUint32(size, total, true);
    return ERRNO.none;
  },
  environ_get({ memory, environment }, pointers, buffer) {
    let at = buffer;
    for (const [i, entry] of environment.entries()) {
      memory.view.setUint32(pointers + i * 4, at, true);
      memory.bytes(at, entry.length).set(entry);
      at += entry.length;
    }
    return ERRNO.none;
  },

  // Time and chance.
  random_get({ system, memory }, start, length) {
    system.usedChance = true;
    system.random(memory.bytes(start, length));
    return ERRNO.none;
  },
  sched_yield: () => ERRNO.none,
  // The first subscription to a clock happens at once. Nothing else can happen.
  poll_oneoff(host, subscriptions, events, count, happened) {
    const { system, memory } = host;
    for (let i = 0; i < count; i++) {
      const at = subscriptions + i * SUBSCRIPTION_SIZE;
      if (memory.view.getUint8(at + 8) !== CLOCK_SUBSCRIPTION) continue;
      const isAbsolute = (memory.view.getUint16(at + 40, true) & 1) !== 0;
      const timeout = Number(memory.view.getBigUint64(at + 24, true)) / 1e6;
      host.slept += isAbsolute ? Math.max(timeout - system.elapsed() - host.slept, 0) : timeout;
      memory.bytes(events, EVENT_SIZE).fill(0);
      memory.view.setBigUint64(events, memory.view.getBigUint64(at, true), true);
      memory.view.setUint32(happened, 1, true);
      return ERRNO.none;
    }
    throw new EngineStop('exit', 'the engine waited for something that cannot happen');
  },
  proc_exit(_, status) {
    throw new EngineStop('exit', `the engine ended with status ${status}`);
  },

  // Open files. Vectors are pairs of address and length.
  fd_write({ system, memory }, descriptor, vectors, count, written) {
    if (descriptor !== 1 && descriptor !== 2) return ERRNO.badDescriptor;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const length = memory.view.getUint32(vectors + i * 8 + 4, true);
      system.print(memory.text(memory.view.getUint32(vectors + i * 8, true), length));
      total += length;
    }
    memory.view.setUint32(written, total, true);
    return ERRNO.none;
  },
  fd_read: (host, descriptor, vectors, count, read) => readInto(host, descriptor, vectors, count, read),
  fd_close: ({ system }, descriptor) => system.files.close(descriptor),
  fd_fdstat_get({ system, memory }, descriptor, into) {
    const entry = system.files.entry(descriptor);
    if (entry === undefined && descriptor > 2) return ERRNO.badDescriptor;
    memory.bytes(into, 24).fill(0);
    memory.view.setUint8(into, entry === undefined ? CHARACTER_DEVICE : KIND_NUMBER[entry.kind]);
    memory.view.setBigUint64(into + 8, (1n << 30n) - 1n, true);
    memory.view.setBigUint64(into + 16, (1n << 30n) - 1n, true);
    return ERRNO.none;
  },
  fd_fdstat_set_flags: () => ERRNO.none,
  fd_filestat_get({ system, memory }, descriptor, into) {
    const entry = system.files.entry(descriptor);
    if (entry === undefined && descriptor > 2) return ERRNO.badDescriptor;
    if (entry === undefined) writeStat(memory, into, CHARACTER_DEVICE, 0);
    else writeStat(memory, into, KIND_NUMBER[entry.kind], system.files.size(entry));
    return ERRNO.none;
  },

  // The one folder that is open from the start, `/`.
  fd_prestat_get({ memory }, descriptor, into) {
    if (descriptor !== TOP_DESCRIPTOR) return ERRNO.badDescriptor;
    memory.view.setUint32(into, 0, true);
    memory.view.setUint32(into + 4, 1, true);
    return ERRNO.none;
  },
  fd_prestat_dir_name({ memory }, descriptor, into) {
    if (descriptor !== TOP_DESCRIPTOR) return ERRNO.badDescriptor;
    memory.bytes(into, 1)[0] = '/'.charCodeAt(0);
    return ERRNO.none;
  },

  // Paths start at `/`: the descriptor before them is ignored.
  path_filestat_get({ system, memory }, _from, lookup, path, length, into) {
    const entry = system.files.find(memory.text(path, length), (lookup & FOLLOW) !== 0);
    if (typeof entry === 'number') return entry;
    writeStat(memory, into, KIND_NUMBER[entry.kind], system.files.size(entry));
    return ERRNO.none;
  },
  path_readlink({ system, memory }, _from, path, length, buffer, room, used) {
    const target = system.files.target(memory.text(path, length));
    if (typeof target === 'number') return target;
    const part = ENCODER.encode(target).subarray(0, room);
    memory.bytes(buffer, part.length).set(part);
    memory.view.setUint32(used, part.length, true);
    return ERRNO.none;
  },

  // Nothing is written, and there is no network.
  fd_pwrite: refused,
  fd_filestat_set_size: refused,
  fd_sync: refused,
  path_create_directory: refused,
  path_remove_directory: refused,
  path_symlink: refused,
  path_unlink_file: refused,
  sock_accept: absent,
  sock_shutdown: absent,
} satisfies Readonly<Record<string, SystemCall<number[]>>>;

/** The functions with 64-bit arguments. */
const WIDE_CALLS = {
  // Every engine past its deadline stops here.
  clock_time_get({ system, memory, slept }, clock, _precision, into) {
    const elapsed = system.elapsed();
    if (system.spent() > system.deadline.spent) throw new EngineStop('time', 'rendering took too long');
    if (elapsed > system.deadline.elapsed) throw new EngineStop('busy', 'the machine has too much else to do');
    if (clock !== MONOTONIC) system.readClock = true;
    const time = clock === MONOTONIC ? BigInt(Math.round((elapsed + slept) * 1e6)) : BigInt(system.now) * NANOSECONDS;
    memory.view.setBigUint64(into, time, true);
    return ERRNO.none;
  },
  fd_seek({ system, memory }, descriptor, delta, whence, into) {
    const offset = system.files.seek(descriptor, Number(delta), whence);
    if (offset === undefined) return ERRNO.invalid;
    memory.view.setBigUint64(into, BigInt(offset), true);
    return ERRNO.none;
  },
  fd_readdir({ system, memory }, descriptor, buffer, length, cookie, used) {
    const names = system.files.names(descriptor);
    if (names === undefined) return ERRNO.notFolder;
    let at = 0;
    for (let i = Number(cookie); i < names.length && at < length; i++) {
      const name = names[i] as string;
      const entry = directoryEntry(ENCODER.encode(name), i, system.files.kindIn(descriptor, name));
      const part = entry.subarray(0, length - at);
      memory.bytes(buffer + at, part.length).set(part);
      at += part.length;
    }
    memory.view.setUint32(used, at, true);
    return ERRNO.none;
  },
  path_open({ system, memory }, _from, lookup, path, length, flags, rights, _inherited, _flags, into) {
    if ((flags & CREATE_OR_TRUNCATE) !== 0 || (rights & WRITE_RIGHT) !== 0n) return ERRNO.readOnly;
    if (--system.opens < 0) {
      throw new EngineStop('files', 'rendering opens too many files: a base is read again for each that builds on it');
    }
    const followsLinks = (lookup & FOLLOW) !== 0;
    const opened = system.files.open(memory.text(path, length), followsLinks, (flags & MUST_BE_FOLDER) !== 0);
    if (typeof opened !== 'number') return opened.errno;
    memory.view.setUint32(into, opened, true);
    return ERRNO.none;
  },
  fd_pread: (host, descriptor, vectors, count, offset, read) =>
    readInto(host, descriptor, vectors, count, read, Number(offset)),
} satisfies {
  clock_time_get: SystemCall<[number, bigint, number]>;
  fd_seek: SystemCall<[number, bigint, number, number]>;
  fd_readdir: SystemCall<[number, number, number, bigint, number]>;
  path_open: SystemCall<[number, number, number, number, number, bigint, bigint, number, number]>;
  fd_pread: SystemCall<[number, number, number, bigint, number]>;
};

function readInto(
  { system, memory }: EngineHost,
  descriptor: number,
  vectors: number,
  count: number,
  read: number,
  offset?: number,
): Errno {
  let total = 0;
  for (let i = 0; i < count; i++) {
    const start = memory.view.getUint32(vectors + i * 8, true);
    const length = memory.view.getUint32(vectors + i * 8 + 4, true);
    const found = system.files.read(descriptor, length, offset === undefined ? undefined : offset + total);
    if (typeof found === 'number') return found;
    memory.bytes(start, found.length).set(found);
    total += found.length;
    if (found.length < length) break;
  }
  memory.view.setUint32(read, total, true);
  return ERRNO.none;
}

function writeStat(memory: EngineMemory, into: number, kind: number, size: number): void {
  memory.bytes(into, STAT_SIZE).fill(0);
  memory.view.setUint8(into + 16, kind);
  memory.view.setBigUint64(into + 24, 1n, true);
  memory.view.setBigUint64(into + 32, BigInt(size), true);
}

function directoryEntry(name: Uint8Array, index: number, kind: keyof typeof KIND_NUMBER | undefined): Uint8Array {
  const entry = new Uint8Array(ENTRY_HEADER + name.length);
  const view = new DataView(entry.buffer);
  view.setBigUint64(0, BigInt(index + 1), true);
  view.setBigUint64(8, BigInt(index + 1), true);
  view.setUint32(16, name.length, true);
  view.setUint8(20, kind === undefined ? 0 : KIND_NUMBER[kind]);
  entry.set(name, ENTRY_HEADER);
  return entry;
}
