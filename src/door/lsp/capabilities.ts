// What the server tells an editor that it can do.

/** What the numbers of semantic tokens mean. */
export const COLOURS: readonly string[] = [
  'variable',
  'property',
  'function',
  'keyword',
  'string',
  'number',
  'operator',
];

export const CAPABILITIES = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
  completionProvider: { triggerCharacters: ['.'] },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  semanticTokensProvider: { legend: { tokenTypes: COLOURS, tokenModifiers: [] }, full: true },
  codeActionProvider: { codeActionKinds: ['quickfix'] },
};
