// What the engine's module imports: files, clock and randomness of ours through WASI, and nothing of the machine.
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
  /** Set when the program asks for something random. */
  usedChance: boolean;
  /** Set when the time of day is asked for; Go does so itself whenever it collected garbage. */
  readClock: boolean;
  /** Standard output and standard error. */
  print: (text: string) => void;
}

/** The name of the program, as C has it. */
const PROGRAM = 'render\0';
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

/** `memory` is asked for at every call: it moves when it grows. `environment`: as `NAME=value`. */
export function systemImports(
  system: EngineSystem,
  memory: () => ArrayBuffer,
  environment: readonly string[],
): ModuleImports {
  const view = (): DataView => new DataView(memory());
  const bytes = (start: number, length: number): Uint8Array => new Uint8Array(memory(), start, length);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const text = (start: number, length: number): string => decoder.decode(bytes(start, length));
  const strings = environment.map((entry) => encoder.encode(`${entry}\0`));

  const readInto = (descriptor: number, vectors: number, count: number, read: number, offset?: number): Errno => {
    let total = 0;
    for (let i = 0; i < count; i++) {
      const start = view().getUint32(vectors + i * 8, true);
      const length = view().getUint32(vectors + i * 8 + 4, true);
      const found = system.files.read(descriptor, length, offset === undefined ? undefined : offset + total);
      if (typeof found === 'number') return found;
      bytes(start, found.length).set(found);
      total += found.length;
      if (found.length < length) break;
    }
    view().setUint32(read, total, true);
    return ERRNO.none;
  };

  const writeStat = (into: number, kind: number, size: number): void => {
    bytes(into, STAT_SIZE).fill(0);
    view().setUint8(into + 16, kind);
    view().setBigUint64(into + 24, 1n, true);
    view().setBigUint64(into + 32, BigInt(size), true);
  };

  /** Nobody really sleeps: the engine's time jumps instead. */
  let slept = 0;
  const refused = (): Errno => ERRNO.readOnly;
  const absent = (): Errno => ERRNO.notSupported;

  return {
    args_sizes_get: (count: number, size: number): Errno => {
      view().setUint32(count, 1, true);
      view().setUint32(size, PROGRAM.length, true);
      return ERRNO.none;
    },
    args_get: (pointers: number, buffer: number): Errno => {
      view().setUint32(pointers, buffer, true);
      bytes(buffer, PROGRAM.length).set(encoder.encode(PROGRAM));
      return ERRNO.none;
    },
    environ_sizes_get: (count: number, size: number): Errno => {
      view().setUint32(count, strings.length, true);
      view().setUint32(
        size,
        strings.reduce((sum, entry) => sum + entry.length, 0),
        true,
      );
      return ERRNO.none;
    },
    environ_get: (pointers: number, buffer: number): Errno => {
      let at = buffer;
      for (const [i, entry] of strings.entries()) {
        view().setUint32(pointers + i * 4, at, true);
        bytes(at, entry.length).set(entry);
        at += entry.length;
      }
      return ERRNO.none;
    },
    clock_time_get: (clock: number, _precision: bigint, into: number): Errno => {
      const elapsed = system.elapsed();
      if (system.spent() > system.deadline.spent) throw new EngineStop('time', 'rendering took too long');
      if (elapsed > system.deadline.elapsed) throw new EngineStop('busy', 'the machine has too much else to do');
      if (clock !== MONOTONIC) system.readClock = true;
      const time = clock === MONOTONIC ? BigInt(Math.round((elapsed + slept) * 1e6)) : BigInt(system.now) * NANOSECONDS;
      view().setBigUint64(into, time, true);
      return ERRNO.none;
    },
    random_get: (start: number, length: number): Errno => {
      system.usedChance = true;
      system.random(bytes(start, length));
      return ERRNO.none;
    },
    sched_yield: (): Errno => ERRNO.none,
    poll_oneoff: (subscriptions: number, events: number, count: number, happened: number): Errno => {
      for (let i = 0; i < count; i++) {
        const at = subscriptions + i * SUBSCRIPTION_SIZE;
        if (view().getUint8(at + 8) !== CLOCK_SUBSCRIPTION) continue;
        const isAbsolute = (view().getUint16(at + 40, true) & 1) !== 0;
        const timeout = Number(view().getBigUint64(at + 24, true)) / 1e6;
        slept += isAbsolute ? Math.max(timeout - system.elapsed() - slept, 0) : timeout;
        bytes(events, EVENT_SIZE).fill(0);
        view().setBigUint64(events, view().getBigUint64(at, true), true);
        view().setUint32(happened, 1, true);
        return ERRNO.none;
      }
      throw new EngineStop('exit', 'the engine waited for something that cannot happen');
    },
    proc_exit: (status: number): never => {
      throw new EngineStop('exit', `the engine ended with status ${status}`);
    },
    fd_write: (descriptor: number, vectors: number, count: number, written: number): Errno => {
      if (descriptor !== 1 && descriptor !== 2) return ERRNO.badDescriptor;
      let total = 0;
      for (let i = 0; i < count; i++) {
        const length = view().getUint32(vectors + i * 8 + 4, true);
        system.print(text(view().getUint32(vectors + i * 8, true), length));
        total += length;
      }
      view().setUint32(written, total, true);
      return ERRNO.none;
    },
    fd_read: (descriptor: number, vectors: number, count: number, read: number): Errno =>
      readInto(descriptor, vectors, count, read),
    fd_pread: (descriptor: number, vectors: number, count: number, offset: bigint, read: number): Errno =>
      readInto(descriptor, vectors, count, read, Number(offset)),
    fd_seek: (descriptor: number, delta: bigint, whence: number, into: number): Errno => {
      const offset = system.files.seek(descriptor, Number(delta), whence);
      if (offset === undefined) return ERRNO.invalid;
      view().setBigUint64(into, BigInt(offset), true);
      return ERRNO.none;
    },
    fd_close: (descriptor: number): Errno => system.files.close(descriptor),
    fd_fdstat_get: (descriptor: number, into: number): Errno => {
      const entry = system.files.entry(descriptor);
      if (entry === undefined && descriptor > 2) return ERRNO.badDescriptor;
      bytes(into, 24).fill(0);
      view().setUint8(into, entry === undefined ? CHARACTER_DEVICE : KIND_NUMBER[entry.kind]);
      view().setBigUint64(into + 8, (1n << 30n) - 1n, true);
      view().setBigUint64(into + 16, (1n << 30n) - 1n, true);
      return ERRNO.none;
    },
    fd_fdstat_set_flags: (): Errno => ERRNO.none,
    fd_filestat_get: (descriptor: number, into: number): Errno => {
      const entry = system.files.entry(descriptor);
      if (entry === undefined && descriptor > 2) return ERRNO.badDescriptor;
      writeStat(
        into,
        entry === undefined ? CHARACTER_DEVICE : KIND_NUMBER[entry.kind],
        entry === undefined ? 0 : system.files.size(entry),
      );
      return ERRNO.none;
    },
    fd_prestat_get: (descriptor: number, into: number): Errno => {
      if (descriptor !== TOP_DESCRIPTOR) return ERRNO.badDescriptor;
      view().setUint32(into, 0, true);
      view().setUint32(into + 4, 1, true);
      return ERRNO.none;
    },
    fd_prestat_dir_name: (descriptor: number, into: number): Errno => {
      if (descriptor !== TOP_DESCRIPTOR) return ERRNO.badDescriptor;
      bytes(into, 1)[0] = '/'.charCodeAt(0);
      return ERRNO.none;
    },
    fd_readdir: (descriptor: number, buffer: number, length: number, cookie: bigint, used: number): Errno => {
      const names = system.files.names(descriptor);
      if (names === undefined) return ERRNO.notFolder;
      let at = 0;
      for (let i = Number(cookie); i < names.length && at < length; i++) {
        const name = names[i] as string;
        const entry = directoryEntry(encoder.encode(name), i, system.files.kindIn(descriptor, name));
        const part = entry.subarray(0, length - at);
        bytes(buffer + at, part.length).set(part);
        at += part.length;
      }
      view().setUint32(used, at, true);
      return ERRNO.none;
    },
    path_open: (
      _from: number,
      lookup: number,
      path: number,
      length: number,
      flags: number,
      rights: bigint,
      _inherited: bigint,
      _flags: number,
      into: number,
    ): Errno => {
      if ((flags & CREATE_OR_TRUNCATE) !== 0 || (rights & WRITE_RIGHT) !== 0n) return ERRNO.readOnly;
      if (--system.opens < 0)
        throw new EngineStop(
          'files',
          'rendering opens too many files: a base is read again for each that builds on it',
        );
      const opened = system.files.open(text(path, length), (lookup & FOLLOW) !== 0, (flags & MUST_BE_FOLDER) !== 0);
      if (typeof opened !== 'number') return opened.errno;
      view().setUint32(into, opened, true);
      return ERRNO.none;
    },
    path_filestat_get: (_from: number, lookup: number, path: number, length: number, into: number): Errno => {
      const entry = system.files.find(text(path, length), (lookup & FOLLOW) !== 0);
      if (typeof entry === 'number') return entry;
      writeStat(into, KIND_NUMBER[entry.kind], system.files.size(entry));
      return ERRNO.none;
    },
    path_readlink: (_from: number, path: number, length: number, buffer: number, room: number, used: number): Errno => {
      const target = system.files.target(text(path, length));
      if (typeof target === 'number') return target;
      const part = encoder.encode(target).subarray(0, room);
      bytes(buffer, part.length).set(part);
      view().setUint32(used, part.length, true);
      return ERRNO.none;
    },
    fd_pwrite: refused,
    fd_filestat_set_size: refused,
    fd_sync: refused,
    path_create_directory: refused,
    path_remove_directory: refused,
    path_symlink: refused,
    path_unlink_file: refused,
    sock_accept: absent,
    sock_shutdown: absent,
  };
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
