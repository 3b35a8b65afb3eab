// Where audits keep their history: `branch:<name>` of the repository, or `file:<path>`.

export type HistoryLocation =
  | { readonly branch: string; readonly file?: undefined }
  | { readonly file: string; readonly branch?: undefined };

/**
 * Undefined for an invalid location. Branch names follow `git check-ref-format`. The required ending `.jsonl` keeps a hostile configuration from
 * adding lines to a file with another purpose.
 */
export function parseHistoryLocation(text: string): HistoryLocation | undefined {
  const colon = text.indexOf(':');
  const [kind, name] = [text.slice(0, colon), text.slice(colon + 1)];
  if (kind === 'file') return /^[^\0\r\n]+\.jsonl$/.test(name) ? { file: name } : undefined;
  return kind === 'branch' && isBranchName(name) ? { branch: name } : undefined;
}

function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || name.length > 200) return false;
  if (/^[-/.]|[/.]$|\.\.|@\{|\/\/|[\0-\x20\x7f~^:?*[\\]/.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/** A configuration may be in an untrusted checkout, so its file must be inside the repository. */
export function historyLocationProblem(text: string): string | undefined {
  const location = parseHistoryLocation(text);
  if (location === undefined) return `is not a location of a history: ${HISTORY_LOCATION_FORM}`;
  const { file } = location;
  const isInside = file === undefined || (!/^([/\\]|[A-Za-z]:)/.test(file) && !file.split(/[/\\]/).includes('..'));
  return isInside
    ? undefined
    : 'is not a file inside the repository; only the option `--history` may name a file elsewhere';
}

/** The rest of a message about a wrong location. */
export const HISTORY_LOCATION_FORM = 'expected `branch:<name>` or `file:<path>.jsonl`';

/** Name of the history in a branch. Jobs with different names judge different things, so each has its own. */
export function historyFileName(key: string): string {
  if (key === 'Preadmit') return 'history.jsonl';
  return `history-${encodeURIComponent(key.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll('*', '%2A')
    .slice(0, 150)}.jsonl`;
}
