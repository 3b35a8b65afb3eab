// The names that `--format` takes, apart from what writes them: help pages need the names alone.

/** In the order in which help shows them. */
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
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
