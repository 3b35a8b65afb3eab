// Which objects CEL policies may look up: built-in kinds whose plural stands in a text that asks for resources.
import type { Resource } from '../../../kubernetes/resource.ts';
import { builtinResources } from '../../../kubernetes/schema/resources.ts';
import { NEWEST_VERSION } from '../../../kubernetes/version.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json.ts';
import type { ObjectReference } from '../../policy-language.ts';

/** Told from the texts, without compiling. */
export function celReferences(policies: readonly Resource[]): readonly Pick<ObjectReference, 'group' | 'kind'>[] {
  const plurals = new Set<string>();
  for (const { value } of policies) {
    const texts: string[] = [];
    collectTexts(value, texts);
    if (!texts.some((text) => /\bresource\s*\.\s*(?:get|list|toGVR)\b/i.test(text))) continue;
    for (const text of texts) for (const [word] of text.matchAll(/[a-z]+/g)) plurals.add(word);
  }
  if (plurals.size === 0) return [];
  const kinds = new Map<string, Pick<ObjectReference, 'group' | 'kind'>>();
  for (const { group, kind, resource } of builtinResources(NEWEST_VERSION.minor).all()) {
    if (plurals.has(resource)) kinds.set(`${group}/${kind}`, { group, kind });
  }
  return [...kinds.values()];
}

function collectTexts(value: JsonValue, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (isJsonArray(value)) for (const item of value) collectTexts(item, texts);
  else if (isJsonObject(value)) for (const item of value.values()) collectTexts(item, texts);
}
