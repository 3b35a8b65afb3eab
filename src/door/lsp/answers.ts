// Maps each LSP request to its answer.
import type { CompletionItem, CompletionItemKind, Location, TextEdit } from 'vscode-languageserver-types';
import type { PlacedCompletion } from '../../pipeline/editing/edited-policies.ts';
import type { SourceFile, SourceLocation } from '../../source/text/source-file.ts';
import { COLOURS } from './capabilities.ts';
import { codeActions } from './code-actions.ts';
import { offsetAt, protocolRange } from './document-position.ts';
import type { EditedRepository } from './edited-repository.ts';
import { RPC_ERROR, RpcError } from './json-rpc.ts';
import { documentUri, type Params, positionParam, textParam } from './request-params.ts';

/** Returns null if there is no result. Throws RpcError for invalid params. */
export type Answer = (params: Params, repository: EditedRepository) => unknown;

interface AskedPlace {
  readonly path: string;
  readonly file: SourceFile;
  readonly offset: number;
}

const KINDS: Readonly<Record<PlacedCompletion['kind'], CompletionItemKind>> = {
  variable: 6,
  field: 5,
  function: 3,
  method: 2,
  macro: 15,
  keyword: 14,
};

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['textDocument/completion', completion],
  ['textDocument/hover', hover],
  ['textDocument/signatureHelp', signatureHelp],
  ['textDocument/definition', definition],
  ['textDocument/references', references],
  ['textDocument/prepareRename', prepareRename],
  ['textDocument/rename', rename],
  ['textDocument/semanticTokens/full', semanticTokens],
  ['textDocument/codeAction', codeActions],
]);

/** Undefined for an unknown method. */
export function answersFor(method: string): Answer | undefined {
  return ANSWERS.get(method);
}

function placeOf(params: Params, repository: EditedRepository): AskedPlace | undefined {
  const path = repository.pathOf(documentUri(params));
  const file = path === undefined ? undefined : repository.file(path);
  const position = positionParam(params);
  return path === undefined || file === undefined ? undefined : { path, file, offset: offsetAt(file, position) };
}

function completion(params: Params, repository: EditedRepository): unknown {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.completions(place.path, place.offset);
  if (place === undefined || found === undefined) return null;
  const range = protocolRange(place.file, found.range);
  return found.names.map(
    ({ name, kind, detail }): CompletionItem => ({
      label: name,
      kind: KINDS[kind],
      ...(detail !== '' && { detail }),
      textEdit: { range, newText: name },
      // Fields of the object sort before global functions.
      sortText: `${SORTED.indexOf(kind)} ${name}`,
    }),
  );
}

const SORTED: readonly PlacedCompletion['kind'][] = ['field', 'variable', 'macro', 'method', 'function', 'keyword'];

function hover(params: Params, repository: EditedRepository): unknown {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.hover(place.path, place.offset);
  if (place === undefined || found === undefined) return null;
  const value = [`\`\`\`cel\n${found.code.join('\n')}\n\`\`\``, ...found.notes].join('\n\n');
  return { contents: { kind: 'markdown', value }, range: protocolRange(place.file, found.range) };
}

function signatureHelp(params: Params, repository: EditedRepository): unknown {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.signatures(place.path, place.offset);
  if (found === undefined) return null;
  const signatures = found.signatures.map((label) => ({ label, parameters: parametersOf(label) }));
  const active = signatures.findIndex(({ parameters }) => parameters.length > found.argument);
  return { signatures, activeSignature: Math.max(active, 0), activeParameter: found.argument };
}

/** Label ranges of the parameters: the comma-separated parts between the call's last parentheses. */
function parametersOf(label: string): readonly { readonly label: readonly [number, number] }[] {
  const end = label.lastIndexOf(')', label.indexOf(' -> ') < 0 ? label.length : label.indexOf(' -> '));
  let depth = 0;
  let from = end;
  const starts: number[] = [];
  for (let at = end; at >= 0; at--) {
    const character = label[at];
    if (character === ')') depth += 1;
    else if (character === '(') depth -= 1;
    else if (character === ',' && depth === 1) starts.unshift(at + 2);
    if (depth === 0) {
      from = at + 1;
      break;
    }
  }
  if (from >= end) return [];
  const begins = [from, ...starts];
  return begins.map((start, index) => ({ label: [start, (begins[index + 1] ?? end + 2) - 2] as const }));
}

function definition(params: Params, repository: EditedRepository): unknown {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.definitions(place.path, place.offset);
  return found?.map((location) => locationOf(location, repository)) ?? null;
}

function references(params: Params, repository: EditedRepository): unknown {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.references(place.path, place.offset);
  return found?.map((location) => locationOf(location, repository)) ?? null;
}

function prepareRename(params: Params, repository: EditedRepository): unknown {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.renaming(place.path, place.offset);
  if (place === undefined || found === undefined) return null;
  return { range: protocolRange(place.file, found.range), placeholder: found.name };
}

function rename(params: Params, repository: EditedRepository): unknown {
  const place = placeOf(params, repository);
  const name = textParam(params, 'newName');
  // The API server accepts only CEL identifiers in `spec.variables[].name`.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new RpcError(RPC_ERROR.invalidParams, `\`${name}\` is not a valid variable name`);
  }
  const found = place && repository.policies?.renaming(place.path, place.offset);
  if (found === undefined) return null;
  const changes: Record<string, TextEdit[]> = {};
  for (const { file, range } of found.places) {
    const uri = repository.uriOf(file.path);
    changes[uri] ??= [];
    changes[uri].push({ range: protocolRange(file, range), newText: name });
  }
  return { changes };
}

/** Five numbers per token; each position is relative to the previous token. */
function semanticTokens(params: Params, repository: EditedRepository): unknown {
  const path = repository.pathOf(documentUri(params));
  const file = path === undefined ? undefined : repository.file(path);
  if (path === undefined || file === undefined) return null;
  const data: number[] = [];
  let line = 0;
  let character = 0;
  for (const token of repository.policies?.colours(path) ?? []) {
    const { start, end } = protocolRange(file, token);
    // Few editors support tokens that span lines.
    if (start.line !== end.line || end.character <= start.character) continue;
    const isSameLine = start.line === line;
    const column = isSameLine ? start.character - character : start.character;
    if (column < 0 || start.line < line) continue;
    data.push(start.line - line, column, end.character - start.character, COLOURS.indexOf(token.class), 0);
    line = start.line;
    character = start.character;
  }
  return { data };
}

function locationOf({ file, range }: SourceLocation, repository: EditedRepository): Location {
  return { uri: repository.uriOf(file.path), range: protocolRange(file, range) };
}
