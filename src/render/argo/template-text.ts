// Templates of an ApplicationSet: `{{param}}` by name, or Go templates, which the engine renders with Go's own library.

import { goQuote } from '../../go/strconv/quote.ts';
import { trimSpace } from '../../go/strings/trim-space.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { RenderEngine } from '../engine/render-engine.ts';
import type { UnknownPart } from '../sources/controller.ts';

/** Values by name: strings by dotted name for plain templates, any JSON for Go templates. */
export type Parameters = JsonObject;

export interface Templating {
  readonly isGo: boolean;
  readonly options: readonly string[];
  readonly engine: () => RenderEngine;
}

/** Fixed time and seed for templates; a template that uses them gives other results in the cluster. */
const CHANCE = { seed: 1, now: Date.UTC(2026, 0, 1) };
const HELP = 'correct the template: the ApplicationSet controller rejects it as well';

/** The value with its strings and keys rendered, once per set, in the order of the sets. */
export function renderValues(
  value: JsonValue,
  sets: readonly Parameters[],
  templating: Templating,
): readonly JsonValue[] | UnknownPart {
  const texts = [...new Set(textsIn(value))].filter((text) => text.includes('{{'));
  const rendered = renderTexts(texts, sets, templating);
  if ('unknown' in rendered) return rendered;
  return rendered.map((byText, index) =>
    // Without parameters the controller uses the template unrendered.
    sets[index]?.size === 0 ? value : replaced(value, (text) => byText.get(text) ?? text),
  );
}

/** The rendered texts by template text, once per set. */
export function renderTexts(
  texts: readonly string[],
  sets: readonly Parameters[],
  { isGo, options, engine }: Templating,
): readonly ReadonlyMap<string, string>[] | UnknownPart {
  if (texts.length === 0 || sets.length === 0) return sets.map(() => new Map());
  if (!isGo) return plainTexts(texts, sets);
  const parameterSets = sets.map((set) => stringifyJson(set, { sortKeys: false, escapeHtml: false }));
  const outcome = engine().render({ engine: 'template', texts, parameterSets, options }, EMPTY_TREE, CHANCE);
  if ('failure' in outcome) return { unknown: outcome.message, help: HELP };
  return sets.map((_, set) => {
    const results = outcome.objects.slice(set * texts.length, (set + 1) * texts.length);
    return new Map(texts.map((text, index) => [text, results[index]?.text ?? '']));
  });
}

const EMPTY_TREE: FileTree = {
  kind: (path) => (path === '' ? 'folder' : undefined),
  read: () => undefined,
  target: () => undefined,
  list: () => [],
};

function plainTexts(
  texts: readonly string[],
  sets: readonly Parameters[],
): readonly ReadonlyMap<string, string>[] | UnknownPart {
  for (const text of texts) {
    const rest = isTemplated(text) ? unclosed(text) : undefined;
    if (rest === undefined) continue;
    const place = `in the template=${goQuote(text)} starting from ${goQuote(rest)}`;
    return { unknown: `invalid template: Cannot find end tag="}}" ${place}`, help: HELP };
  }
  return sets.map((set) => new Map(texts.map((text) => [text, plainText(text, set)])));
}

function isTemplated(text: string): boolean {
  return /\{\{[^\n]*\}\}/.test(text);
}

/** The text after an opening tag without an end (`fasttemplate.Template.Reset`). */
function unclosed(text: string): string | undefined {
  const [, after] = /\{\{(.*)$/s.exec(text.slice(lastTagEnd(text))) ?? [];
  return after;
}

function lastTagEnd(text: string): number {
  let end = 0;
  for (const { index, 0: tag } of text.matchAll(TAG)) end = index + tag.length;
  return end;
}

const TAG = /\{\{(.*?)\}\}/gs;

/** Unknown parameters and values that are not strings stay as written. */
function plainText(text: string, parameters: Parameters): string {
  if (!isTemplated(text)) return text;
  return text.replace(TAG, (written, name: string) => {
    const value = parameters.get(trimSpace(name));
    return trimSpace(name) !== '' && typeof value === 'string' ? value : written;
  });
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isJsonArray(value)) for (const item of value) yield* textsIn(item);
  else if (isJsonObject(value)) {
    for (const [key, item] of value) {
      yield key;
      yield* textsIn(item);
    }
  }
}

/** Drops nulls in objects, like the controller. */
function replaced(value: JsonValue, textOf: (text: string) => string): JsonValue {
  if (typeof value === 'string') return textOf(value);
  if (isJsonArray(value)) return value.map((item) => replaced(item, textOf));
  if (!isJsonObject(value)) return value;
  const object = new Map<string, JsonValue>();
  for (const [key, item] of value) if (item !== null) object.set(textOf(key), replaced(item, textOf));
  return object;
}
