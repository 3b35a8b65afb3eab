// The hidden first line by which we find again what we wrote.

/** `key` tells apart what several jobs of one repository write; nothing in it can end the HTML comment. */
export function marker(kind: string, key: string): string {
  return `<!-- preadmit:${kind}:${encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
}

export const MARKER_END = ' -->';

/** GitHub may answer with other line ends than it was sent. */
export function sameText(left: string | null | undefined, right: string): boolean {
  return (left ?? '').replaceAll('\r\n', '\n').trimEnd() === right.trimEnd();
}
