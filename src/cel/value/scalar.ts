// The scalar values JavaScript has no type for.

/** uint64; always within range. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class Bytes {
  readonly data: Uint8Array;
  constructor(data: Uint8Array) {
    this.data = data;
  }
}

/** Seconds since the Unix epoch (may be negative) plus 0…999,999,999 nanoseconds. */
export class Timestamp {
  readonly seconds: bigint;
  readonly nanos: number;
  /** Seconds east of UTC it was written with; only `string()` shows it. */
  readonly offset: number;
  constructor(seconds: bigint, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A signed length of time in nanoseconds, within int64. */
export class Duration {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}
