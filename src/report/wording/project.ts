// Where this project lives on the web, for links in reports.

export const PROJECT_NAME = 'Preadmit';
export const PROJECT_URL = 'https://github.com/preadmit/preadmit';

/** The page that explains a finding's or diagnostic's code. */
export function codePage(code: string): string {
  return `${PROJECT_URL}/blob/main/docs/codes/${encodeURIComponent(code.replace(/\p{Surrogate}/gu, '\ufffd'))}.md`;
}
