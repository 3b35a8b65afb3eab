// Splits client input into messages: headers, an empty line, and a body of Content-Length bytes.

/** One message, or a protocol error of the stream. */
export type StreamedMessage = { readonly body: string } | { readonly problem: string };

/** Longer messages are discarded. Clients send whole documents, so the limit is generous. */
const MAXIMUM_BODY_BYTES = 32 * 1024 * 1024;
const MAXIMUM_HEADER_BYTES = 8 * 1024;
const HEADER_END = '\r\n\r\n';

/** Buffers at most one message. */
export class MessageStream {
  #header = Buffer.alloc(0);
  #parts: Buffer[] = [];
  /** Bytes still missing from the body; undefined while reading a header. */
  #missing: number | undefined;
  /** Set once an endless header is reported, so that it is reported once. */
  #isLost = false;
  /** The current body is discarded. */
  #isTooLong = false;

  push(chunk: Uint8Array): readonly StreamedMessage[] {
    const messages: StreamedMessage[] = [];
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0) {
      rest =
        this.#missing === undefined ? this.#readHeader(rest, messages) : this.#readBody(rest, this.#missing, messages);
    }
    return messages;
  }

  /** Returns the bytes after the header. */
  #readHeader(bytes: Buffer, messages: StreamedMessage[]): Buffer {
    const known = this.#header.length;
    const joined = Buffer.concat([this.#header, bytes.subarray(0, MAXIMUM_HEADER_BYTES)]);
    const end = joined.indexOf(HEADER_END, Math.max(0, known - HEADER_END.length));
    if (end < 0) {
      const isTooLong = joined.length > MAXIMUM_HEADER_BYTES;
      if (isTooLong && !this.#isLost)
        messages.push({ problem: `a header is longer than ${MAXIMUM_HEADER_BYTES} bytes` });
      // The end of the discarded header may still arrive.
      this.#isLost ||= isTooLong;
      this.#header = isTooLong ? joined.subarray(-HEADER_END.length + 1) : joined;
      return bytes.subarray(joined.length - known);
    }
    this.#header = Buffer.alloc(0);
    this.#isLost = false;
    const rest = bytes.subarray(end + HEADER_END.length - known);
    const length = contentLength(joined.toString('latin1', 0, end));
    if (length === undefined) {
      messages.push({ problem: 'a header without a Content-Length' });
      return rest;
    }
    this.#isTooLong = length > MAXIMUM_BODY_BYTES;
    if (this.#isTooLong) messages.push({ problem: `a message is longer than ${MAXIMUM_BODY_BYTES} bytes` });
    if (length === 0) messages.push({ body: '' });
    else this.#missing = length;
    return rest;
  }

  #readBody(bytes: Buffer, missing: number, messages: StreamedMessage[]): Buffer {
    const part = bytes.subarray(0, missing);
    // Copies the slice, so that it does not keep a large chunk alive.
    if (!this.#isTooLong) this.#parts.push(Buffer.from(part));
    this.#missing = missing - part.length;
    if (this.#missing > 0) return bytes.subarray(part.length);
    if (!this.#isTooLong) messages.push({ body: Buffer.concat(this.#parts).toString('utf8') });
    this.#parts = [];
    this.#missing = undefined;
    return bytes.subarray(part.length);
  }
}

/** Undefined if Content-Length is missing or invalid. */
function contentLength(header: string): number | undefined {
  for (const line of header.split('\r\n')) {
    const [, digits] = /^content-length:[ \t]*([0-9]{1,15})[ \t]*$/i.exec(line) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}

/** Serializes a message with its header. */
export function framed(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body, 'utf8')}${HEADER_END}${body}`;
}
