// Objects that CEL policies may look up: named objects, or any built-in kind whose plural appears in an expression with a lookup.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { NEWEST_VERSION } from '../../../kubernetes/api/version.ts';
import { builtinResources } from '../../../kubernetes/schema/resources.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { ObjectReference, PolicyReferences } from '../../language/policy-language.ts';
import { ANY_OBJECT } from '../classic/policy-references.ts';

const LOOKUP = /\bresource\s*\.\s*(?:get|list|toGVR)\b/gi;
/** `resource.Get("v1", "configmaps", "shop", "allowed")`: all arguments are literals. */
const NAMED_LOOKUP = new RegExp(
  `\\bresource\\s*\\.\\s*get\\s*\\(${Array.from({ length: 4 }, () => '\\s*(?:"([^"\\\\]*)"|\'([^\'\\\\]*)\')\\s*').join(',')}\\)`,
  'gi',
);

/** Scans the text without compiling and never returns too little. */
export function celReferences(policies: readonly Resource[]): readonly Pick<PolicyReferences, 'kinds' | 'objects'>[] {
  const plurals = new Set<string>();
  const named = new Map<string, Set<string>>();
  for (const { value } of policies) {
    const texts: string[] = [];
    collectTexts(value, texts);
    const lookups = texts.reduce((sum, text) => sum + [...text.matchAll(LOOKUP)].length, 0);
    if (lookups === 0) continue;
    const known = texts.flatMap((text) => [...text.matchAll(NAMED_LOOKUP)]).map((match) => literalsOf(match));
    if (known.length === lookups) {
      for (const [, plural = '', , name = ''] of known) named.set(plural, (named.get(plural) ?? new Set()).add(name));
    } else {
      for (const text of texts) for (const [word] of text.matchAll(/[a-z]+/g)) plurals.add(word);
    }
  }
  return [
    ...(plurals.size === 0 ? [] : [{ kinds: kindsOf(plurals), objects: [ANY_OBJECT] }]),
    ...[...named].map(([plural, names]) => ({
      kinds: kindsOf(new Set([plural])),
      objects: [...names].map((name) => ({ name, selector: undefined })),
    })),
  ];
}

function kindsOf(plurals: ReadonlySet<string>): readonly Pick<ObjectReference, 'group' | 'kind'>[] {
  const kinds = new Map<string, Pick<ObjectReference, 'group' | 'kind'>>();
  for (const { group, kind, resource } of builtinResources(NEWEST_VERSION.minor).all()) {
    if (plurals.has(resource)) kinds.set(`${group}/${kind}`, { group, kind });
  }
  return [...kinds.values()];
}

/** The four arguments of a call, in either quote style. */
function literalsOf(match: RegExpMatchArray): readonly string[] {
  return [1, 3, 5, 7].map((index) => match[index] ?? match[index + 1] ?? '');
}

function collectTexts(value: JsonValue, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (isJsonArray(value)) for (const item of value) collectTexts(item, texts);
  else if (isJsonObject(value)) for (const item of value.values()) collectTexts(item, texts);
}
