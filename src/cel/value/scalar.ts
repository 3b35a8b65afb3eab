// Scalar values without a JavaScript type.

/** A uint64 within its range. */
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
  /** UTC offset in seconds, as written; only `string()` uses it. */
  readonly offset: number;
  constructor(seconds: bigint, nanos: number, offset = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A signed duration in nanoseconds, within int64. */
export class Duration {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}
