// Resolves the `fieldPath` of a rule (apiextensions `schema/cel/validation.go: ValidFieldPath`).
import type { FieldPath } from '../../../source/node/field-path.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import { ServerPath } from '../server-path.ts';

/** Parses paths like `.spec.names['a.b']`. Undefined if the path is invalid or the schema lacks the field. */
export function resolveRuleFieldPath(text: string, schema: Schema): ServerPath | undefined {
  const tokens = tokenize(text);
  let path = ServerPath.root;
  let current: Schema | undefined = schema;
  for (let at = 0; at < tokens.length; ) {
    const step = readStep(tokens, at);
    if (step === undefined || current === undefined) return undefined;
    const { properties }: Schema = current;
    if (properties === undefined && current.additionalProperties === undefined) return undefined;
    path = properties === undefined ? path.key(step.name) : path.child(step.name);
    const next: Schema | undefined = properties === undefined ? additionalSchema(current) : properties.get(step.name);
    if (properties !== undefined && next === undefined) return undefined;
    current = next;
    at = step.end;
  }
  return path;
}

/** `.`, `[` and `]`, quoted strings, and the text between them. */
function tokenize(text: string): readonly string[] {
  return text.match(/[.[\]]|'[\s\S]*?(?<!\\)'|'[\s\S]*|[^.[\]][^.[\]]*/g) ?? [];
}

function readStep(tokens: readonly string[], at: number): { readonly name: string; readonly end: number } | undefined {
  const [first, second, third] = tokens.slice(at, at + 3);
  if (second === undefined) return undefined;
  if (first === '.') return { name: second, end: at + 2 };
  if (first !== '[' || third !== ']') return undefined;
  const name = unquote(second);
  return name === undefined ? undefined : { name, end: at + 3 };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

function unquote(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  let isValid = true;
  const text = token.slice(1, -1).replace(/\\(.)/gs, (_, directive: string) => {
    const character = ESCAPES.get(directive);
    isValid &&= character !== undefined;
    return character ?? '';
  });
  return isValid ? text : undefined;
}

/** Joins two paths like the server. */
export function joinServerPaths(
  base: ServerPath,
  below: ServerPath | undefined,
): { steps: FieldPath; toString(): string } {
  if (below === undefined || below.steps.length === 0) return base;
  const text = base.steps.length === 0 ? String(below) : `${base}.${below}`;
  return { steps: [...base.steps, ...below.steps], toString: () => text };
}
