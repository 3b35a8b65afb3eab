// Names of the report formats, separate from the writers because help pages need only the names.

/** In the order of the help page. */
export const FORMAT_NAMES = [
  'text',
  'json',
  'github',
  'markdown',
  'html',
  'sarif',
  'junit',
  'rdjson',
  'gitlab',
  'openreports',
  'policyreport',
  'prometheus',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
