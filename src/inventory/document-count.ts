// Limits the number of documents in a file; larger files are listed instead of read.

const MAXIMUM_DOCUMENTS = 10_000;

/** True if the text has too many documents. Counts `---` lines, so the text need not be parsed. */
export function hasTooManyDocuments(text: string): boolean {
  if (text.length < MAXIMUM_DOCUMENTS * '---\n'.length) return false;
  let markers = text.startsWith('---') ? 1 : 0;
  for (let offset = text.indexOf('\n---'); offset >= 0; offset = text.indexOf('\n---', offset + 4)) {
    if (++markers > MAXIMUM_DOCUMENTS) return true;
  }
  return false;
}
