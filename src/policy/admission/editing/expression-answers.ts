// Editor answers for a location in an expression: completions, hover text and call signatures.
import { formatType } from '../../../cel/check/format-type.ts';
import { cursorAt, type ExpressionCursor, environmentAt, typeOfText } from '../../../cel/editing/expression-cursor.ts';
import { globalNames, type KnownName, memberNames, signatureLines } from '../../../cel/editing/known-names.ts';
import type { TextRange } from '../../../cel/editing/written-tokens.ts';
import type { Environment } from '../../../cel/environment.ts';
import { estimateCost } from '../../../cel/estimate/estimate-cost.ts';
import { MAX_UINT64 } from '../../../cel/estimate/range.ts';
import { costModel } from '../../../kubernetes/cel/cost.ts';
import type { ExpressionScope, ExpressionScopes } from './expression-scopes.ts';
import { type ExpressionSite, siteAt } from './expression-site.ts';

export interface Completions {
  /** The text that a completion replaces. */
  readonly range: TextRange;
  readonly names: readonly KnownName[];
}

export interface HoverText {
  readonly range: TextRange;
  readonly code: readonly string[];
  readonly notes: readonly string[];
}

export interface CallSignatures {
  readonly signatures: readonly string[];
  readonly argument: number;
}

export function completionsAt(site: ExpressionSite, offset: number, scopes: ExpressionScopes): Completions {
  return completionsIn(site.expression, offset, scopes.scopesOf(site));
}

/** Lists each name of a kind once. `offset` is in UTF-16 units. */
export function completionsIn(expression: string, offset: number, scopes: readonly ExpressionScope[]): Completions {
  const cursor = cursorAt(expression, offset);
  if (cursor.isInLiteral) return { range: cursor.name, names: [] };
  const names = new Map<string, KnownName>();
  for (const scope of scopes) {
    for (const name of namesAt(cursor, scope)) {
      const key = `${name.kind} ${name.name}`;
      if (!names.has(key)) names.set(key, name);
    }
  }
  return { range: { start: cursor.name.start, end: Math.max(cursor.name.end, offset) }, names: [...names.values()] };
}

function namesAt(cursor: ExpressionCursor, { environment }: ExpressionScope): readonly KnownName[] {
  const inner = environmentAt(cursor, environment);
  if (!cursor.isAfterDot) return globalNames(inner);
  if (cursor.operand === undefined) return [];
  const text = cursor.text.slice(cursor.operand.start, cursor.operand.end);
  const type = typeOfText(text, inner);
  if (type !== undefined) return memberNames(type, inner);
  // `sets.` is the start of function names.
  const prefix = `${text}.`;
  return globalNames(inner).flatMap((known) =>
    known.name.startsWith(prefix) ? [{ ...known, name: known.name.slice(prefix.length) }] : [],
  );
}

export function hoverAt(site: ExpressionSite, offset: number, scopes: ExpressionScopes): HoverText | undefined {
  const cursor = cursorAt(site.expression, offset);
  const { start, end } = cursor.name;
  if (start === end) return undefined;
  const name = cursor.text.slice(start, end);
  const operand = cursor.operand && cursor.text.slice(cursor.operand.start, cursor.operand.end);
  const isCall = cursor.text.slice(end).trimStart().startsWith('(');
  const labelsOf = new Map<string, string[]>();
  for (const { label, environment } of scopes.scopesOf(site)) {
    const inner = environmentAt(cursor, environment);
    for (const line of isCall ? callLines(name, operand, inner) : valueLines(name, operand, inner)) {
      const labels = labelsOf.get(line) ?? [];
      labels.push(label);
      labelsOf.set(line, labels);
    }
  }
  if (labelsOf.size === 0) return undefined;
  const isOneForAll = [...labelsOf.values()].every((labels) => labels.length === scopes.scopesOf(site).length);
  const code = [...labelsOf].map(([line, labels]) => (isOneForAll ? line : `${line}  // ${labels.join(', ')}`));
  const notes = [
    DESCRIPTIONS.get(operand === undefined ? name : `${operand}.${name}`),
    variableNote(site, operand, name, scopes),
  ];
  return { range: cursor.name, code, notes: notes.filter((note) => note !== undefined) };
}

function callLines(name: string, operand: string | undefined, environment: Environment): readonly string[] {
  if (operand === undefined) return signatureLines(name, environment, undefined);
  const qualified = signatureLines(`${operand}.${name}`, environment, undefined);
  return qualified.length > 0 ? qualified : signatureLines(name, environment, typeOfText(operand, environment));
}

function valueLines(name: string, operand: string | undefined, environment: Environment): readonly string[] {
  const text = operand === undefined ? name : `${operand}.${name}`;
  const type = typeOfText(text, environment);
  return type === undefined ? [] : [`${text.replace(/\s+/g, ' ')}: ${formatType(type)}`];
}

function variableNote(
  { policy }: ExpressionSite,
  operand: string | undefined,
  name: string,
  scopes: ExpressionScopes,
): string | undefined {
  const variable = operand === 'variables' ? policy.variables.findLast((one) => one.name === name) : undefined;
  if (variable === undefined) return undefined;
  const index = policy.variables.lastIndexOf(variable);
  const site = siteAt(policy.resource, ['spec', 'variables', index, 'expression']);
  const cost = site && costOf(site, scopes);
  return `\`${variable.expression.trim()}\`${cost === undefined ? '' : `\n\nestimated cost: ${cost}`}`;
}

/** Undefined if the expression does not compile. */
function costOf(site: ExpressionSite, scopes: ExpressionScopes): string | undefined {
  const [scope] = scopes.scopesOf(site);
  const ast = scope?.environment.compile(site.expression).ast;
  if (ast === undefined) return undefined;
  const { min, max } = estimateCost(
    ast,
    costModel(() => undefined),
  );
  if (min === max) return String(min);
  return max === MAX_UINT64 ? `${min} or more, depending on the size of the object` : `${min} to ${max}`;
}

export function signaturesAt(
  site: ExpressionSite,
  offset: number,
  scopes: ExpressionScopes,
): CallSignatures | undefined {
  const cursor = cursorAt(site.expression, offset);
  const call = cursor.calls.at(-1);
  const [scope] = scopes.scopesOf(site);
  if (call === undefined || scope === undefined) return undefined;
  const outer = environmentAt({ ...cursor, calls: cursor.calls.slice(0, -1) }, scope.environment);
  const receiver = call.receiver && cursor.text.slice(call.receiver.start, call.receiver.end);
  const signatures = callLines(call.name, receiver, outer);
  return signatures.length === 0 ? undefined : { signatures, argument: call.argument };
}

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['object', 'The object that the request would store; null on DELETE.'],
  ['oldObject', 'The object that is stored now; null on CREATE.'],
  ['request', 'The admission request: operation, names, user.'],
  ['params', 'The object that the binding’s `paramRef` selects.'],
  ['namespaceObject', 'The Namespace of the object; null for cluster-scoped objects.'],
  ['variables', 'The policy’s own variables, each evaluated on first use.'],
  ['authorizer', 'Checks the permissions of the request’s user.'],
  ['request.operation', '`CREATE`, `UPDATE`, `DELETE` or `CONNECT`.'],
  ['request.userInfo', 'The user of the request: `username`, `uid`, `groups`, `extra`.'],
  ['request.namespace', 'Name of the object’s namespace; empty for cluster-scoped objects.'],
  ['request.name', 'Name of the object; may be empty on CREATE with `generateName`.'],
  ['request.dryRun', 'True if the request stores nothing.'],
]);
