// Web addresses of this project, for links in reports.

export const PROJECT_NAME = 'Preadmit';
export const PROJECT_URL = 'https://github.com/preadmit/preadmit';

/** Docs page of a diagnostic or finding code. */
export function codePage(code: string): string {
  return `${PROJECT_URL}/blob/main/docs/codes/${encodeURIComponent(code.replace(/\p{Surrogate}/gu, '\ufffd'))}.md`;
}
