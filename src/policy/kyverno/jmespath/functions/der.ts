// Reads the subset of DER that certificates use.

export interface DerElement {
  /** Class, form and number in one byte. */
  readonly tag: number;
  /** One character (0…255) per byte. */
  readonly content: string;
}

export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
const SEQUENCE = 0x30;
export const SET = 0x31;
/** `[0]`, constructed. */
export const CONTEXT_0 = 0xa0;

/** The consecutive elements. Undefined for invalid DER and for tags of several bytes. */
export function readElements(bytes: string): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.charCodeAt(at);
    const first = bytes.charCodeAt(at + 1);
    if ((tag & 0x1f) === 0x1f || Number.isNaN(first)) return undefined;
    const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
    if (first === 0x80 || sizeBytes > 4) return undefined;
    let size = sizeBytes === 0 ? first : 0;
    for (let index = 0; index < sizeBytes; index++) size = size * 256 + bytes.charCodeAt(at + 2 + index);
    const start = at + 2 + sizeBytes;
    if (!(start + size <= bytes.length)) return undefined;
    elements.push({ tag, content: bytes.slice(start, start + size) });
    at = start + size;
  }
  return elements;
}

export function membersOf(element: DerElement | undefined, tag = SEQUENCE): readonly DerElement[] | undefined {
  return element?.tag === tag ? readElements(element.content) : undefined;
}

export function integerOf({ content }: DerElement): bigint {
  let value = 0n;
  for (const byte of content) value = (value << 8n) | BigInt(byte.charCodeAt(0));
  return content !== '' && content.charCodeAt(0) >= 0x80 ? value - (1n << BigInt(8 * content.length)) : value;
}

export function objectIdentifierOf({ content }: DerElement): readonly number[] {
  const numbers: number[] = [];
  let current = 0;
  for (const byte of content) {
    const code = byte.charCodeAt(0);
    current = current * 128 + (code & 0x7f);
    if (code >= 0x80) continue;
    if (numbers.length === 0) {
      const first = Math.min(2, Math.floor(current / 40));
      numbers.push(first, current - 40 * first);
    } else numbers.push(current);
    current = 0;
  }
  return numbers;
}
