// Validates request params from clients: any field may be missing or have another type.
import type { Position, Range } from 'vscode-languageserver-types';
import { RPC_ERROR, RpcError } from './json-rpc.ts';
import type { DocumentChange } from './open-documents.ts';

export type Params = Readonly<Record<string, unknown>>;

/** Throws RpcError if the value is not an object. */
export function paramsOf(value: unknown): Params {
  if (!isObject(value)) throw new RpcError(RPC_ERROR.invalidParams, 'params are missing');
  return value;
}

export function optionalObject(params: Params, name: string): Params {
  const value = params[name];
  return isObject(value) ? value : {};
}

export function optionalText(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
}

export function textParam(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw new RpcError(RPC_ERROR.invalidParams, `\`${name}\` is not a string`);
  return value;
}

export function documentUri(params: Params): string {
  return textParam(optionalObject(params, 'textDocument'), 'uri');
}

export function documentVersion(params: Params): number {
  const { version } = optionalObject(params, 'textDocument');
  return typeof version === 'number' ? version : 0;
}

export function positionParam(params: Params): Position {
  const position = readPosition(params['position']);
  if (position === undefined) throw new RpcError(RPC_ERROR.invalidParams, '`position` is not a position');
  return position;
}

export function rangeParam(params: Params): Range {
  const range = readRange(params['range']);
  if (range === undefined) throw new RpcError(RPC_ERROR.invalidParams, '`range` is not a range');
  return range;
}

export function changesParam(params: Params): readonly DocumentChange[] {
  const changes = params['contentChanges'];
  if (!Array.isArray(changes)) throw new RpcError(RPC_ERROR.invalidParams, '`contentChanges` is not an array');
  return changes.map((change: unknown) => {
    const written = paramsOf(change);
    const range = readRange(written['range']);
    if (written['range'] !== undefined && range === undefined) {
      throw new RpcError(RPC_ERROR.invalidParams, '`range` is not a range');
    }
    return { text: textParam(written, 'text'), ...(range && { range }) };
  });
}

function readRange(value: unknown): Range | undefined {
  if (!isObject(value)) return undefined;
  const start = readPosition(value['start']);
  const end = readPosition(value['end']);
  return start && end && { start, end };
}

function readPosition(value: unknown): Position | undefined {
  if (!isObject(value)) return undefined;
  const { line, character } = value;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
