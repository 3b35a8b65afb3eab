// The template of a GeneratingPolicy: YAML documents whose strings may contain `(( expressions ))` (Kyverno `pkg/cel/policies/gpol/template`).
import { goText } from '../../../cel/value/go-text.ts';
import { ErrorValue, type Value } from '../../../cel/value/value.ts';
import { goQuote } from '../../../go/strconv/quote.ts';
import { patchedJson } from '../../../kubernetes/patch/patched-json.ts';
import { invalid } from '../../../kubernetes/validation/field-error.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { readYaml } from '../../../source/yaml/yaml-to-json.ts';
import { CompileFailure } from './cel-refusal.ts';
import type { PolicyActivation } from './policy-activation.ts';
import type { CelProgram, ProgramCompiler } from './program-compiler.ts';

type Segment = string | { readonly expression: string; readonly program: CelProgram };

type Part =
  | { readonly literal: JsonValue }
  | { readonly segments: readonly Segment[] }
  | { readonly fields: readonly (readonly [string, Part])[] }
  | { readonly items: readonly Part[] };

export interface GenerationTemplate {
  readonly documents: readonly Part[];
}

/** `path`: the template's field. Throws `CompileFailure`. */
export function compileTemplate(template: JsonObject, path: FieldPath, compiler: ProgramCompiler): GenerationTemplate {
  const text = textField(template, 'value');
  const place = [...path, 'value'];
  const refuse = (detail: string): never => {
    throw new CompileFailure([invalid(place, text, detail)]);
  };
  const isInterpolated = textField(template, 'interpolate') === 'CEL';
  const compile = (value: JsonValue): Part => {
    if (typeof value === 'string' && isInterpolated && value.includes('((')) {
      const segments = scan(value).map((segment): Segment => {
        if (typeof segment === 'string') return segment;
        if (segment.expression === '') return refuse('empty placeholder');
        return { expression: segment.expression, program: compiler.compile(segment.expression, [], place) };
      });
      return { segments };
    }
    if (isJsonArray(value)) return { items: value.map(compile) };
    if (!isJsonObject(value)) return { literal: value };
    return { fields: [...value].map(([key, item]) => [key, compile(item)] as const) };
  };
  const documents: Part[] = [];
  for (const document of text.split(/^---(?:\s.*)?$/m)) {
    const read = readYaml(document);
    if ('failure' in read) return refuse(`failed to parse YAML: ${read.failure.message}`);
    if (read.value === null) continue;
    const part = compile(read.value);
    const isWhole = 'segments' in part && part.segments.length === 1;
    if (!('fields' in part) && !isWhole) return refuse('line 1: document must be a mapping describing a resource');
    documents.push(part);
  }
  if (documents.length === 0) return refuse('template must contain at least one YAML document');
  return { documents };
}

/** `\((` is not a placeholder. A placeholder may contain parentheses and strings. */
function scan(text: string): readonly (string | { readonly expression: string })[] {
  const segments: (string | { readonly expression: string })[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('\\((', at)) {
      literal += '((';
      at += 3;
    } else if (text.startsWith('((', at)) {
      const end = placeholderEnd(text, at + 2);
      if (literal !== '') segments.push(literal);
      literal = '';
      segments.push({ expression: text.slice(at + 2, end).trim() });
      at = end + 2;
    } else literal += text[at++];
  }
  if (literal !== '') segments.push(literal);
  return segments;
}

function placeholderEnd(text: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth++;
    else if (character === ')') {
      if (depth === 0) return at;
      depth--;
    }
  }
  return text.length;
}

/** The rendered objects, or an error. */
export function renderTemplate(
  { documents }: GenerationTemplate,
  activation: PolicyActivation,
): readonly JsonObject[] | { readonly error: string } {
  const objects: JsonObject[] = [];
  for (const [index, document] of documents.entries()) {
    const rendered = render(document, activation);
    if (rendered instanceof ErrorValue) return { error: `document ${index + 1}: ${rendered.message}` };
    if (!isJsonObject(rendered)) return { error: `document ${index + 1}: expected a mapping describing a resource` };
    objects.push(rendered);
  }
  return objects;
}

function render(part: Part, activation: PolicyActivation): JsonValue | ErrorValue {
  if ('literal' in part) return part.literal;
  if ('segments' in part) return renderSegments(part.segments, activation);
  if ('items' in part) {
    const items: JsonValue[] = [];
    for (const [index, item] of part.items.entries()) {
      const rendered = render(item, activation);
      if (rendered instanceof ErrorValue) return new ErrorValue(`item ${index}: ${rendered.message}`);
      items.push(rendered);
    }
    return items;
  }
  const fields = new Map<string, JsonValue>();
  for (const [key, item] of part.fields) {
    const rendered = render(item, activation);
    if (rendered instanceof ErrorValue) return new ErrorValue(`field ${goQuote(key)}: ${rendered.message}`);
    fields.set(key, rendered);
  }
  return fields;
}

function renderSegments(segments: readonly Segment[], activation: PolicyActivation): JsonValue | ErrorValue {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'string') {
      text += segment;
      continue;
    }
    const quoted = goQuote(segment.expression);
    const { value } = activation.run(segment.program.program);
    if (value instanceof ErrorValue)
      return new ErrorValue(`failed to evaluate placeholder ${quoted}: ${value.message}`);
    const json = jsonOf(value);
    if (json instanceof ErrorValue)
      return new ErrorValue(`failed to convert placeholder ${quoted} result: ${json.message}`);
    if (segments.length === 1) return json;
    if (json === null || typeof json === 'object') {
      const what = 'embedded in a string must evaluate to a scalar';
      const wayOut = 'use a whole-value placeholder for structured results';
      const goType = json === null ? '<nil>' : isJsonArray(json) ? '[]interface {}' : 'map[string]interface {}';
      return new ErrorValue(`placeholder ${quoted} ${what}, got ${goType}; ${wayOut}`);
    }
    text += goText(json);
  }
  return text;
}

function jsonOf(value: Value): JsonValue | ErrorValue {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  const converted = patchedJson(value, () => false);
  return 'json' in converted
    ? converted.json
    : new ErrorValue('error' in converted ? converted.error : converted.panic);
}
