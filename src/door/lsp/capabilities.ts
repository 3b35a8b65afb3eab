// What the server tells an editor that it can do.

export const CAPABILITIES = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
} as const;
