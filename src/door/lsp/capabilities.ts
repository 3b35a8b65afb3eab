// Capabilities that the server announces to an editor.

/** Legend of the semantic tokens: a token type's number is its index. */
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
