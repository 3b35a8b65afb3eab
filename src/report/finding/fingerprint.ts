// Names for what is too long to be one: the same for the same texts, in every run and on every machine.
import { Sha256 } from '../../go/encoding/sha256.ts';
import { flatText } from './flat-text.ts';

/** 64 bits, 16 hexadecimal digits: plenty to tell the findings of one repository apart. */
export function fingerprint(parts: readonly string[]): string {
  return flatText(new Sha256().update(parts.join('\0')).digest(2));
}

/** 128 bits, 32 hexadecimal digits, of any number of texts, one after the other. */
export function longFingerprint(parts: Iterable<string>): string {
  const digest = new Sha256();
  for (const part of parts) digest.update(part);
  return digest.digest().slice(0, 32);
}
