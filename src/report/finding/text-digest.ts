// Short deterministic digest of a text.
import { Sha256 } from '../../go/encoding/sha256.ts';

/** Hexadecimal, at most 64 digits. */
export function textDigest(text: string, digits: number): string {
  return new Sha256().update(text).digest().slice(0, digits);
}
