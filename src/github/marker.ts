// The hidden first line that identifies comments and issues of Preadmit.

/** `key` distinguishes the jobs of one repository. It is encoded so that it cannot end the HTML comment. */
export function marker(kind: string, key: string): string {
  return `<!-- preadmit:${kind}:${encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
}

/** The key in the marker of a body; undefined if the body starts with no such marker. */
export function markedKey(kind: string, body: string): string | undefined {
  const [, key] = /^<!-- preadmit:([a-z-]+:[^ ]*) /.exec(body) ?? [];
  try {
    return key?.startsWith(`${kind}:`) === true ? decodeURIComponent(key.slice(kind.length + 1)) : undefined;
  } catch {
    return undefined;
  }
}

export const MARKER_END = ' -->';

/** GitHub may return other line endings than it received. */
export function sameText(left: string | null | undefined, right: string): boolean {
  return (left ?? '').replaceAll('\r\n', '\n').trimEnd() === right.trimEnd();
}
