// A short name for a text that is the same wherever it stands.
import { Sha256 } from '../../go/encoding/sha256.ts';

/** Hexadecimal, of at most 64 digits. */
export function textDigest(text: string, digits: number): string {
  return new Sha256().update(text).digest().slice(0, digits);
}
