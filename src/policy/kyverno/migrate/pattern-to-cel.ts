// Translates a pattern into two expressions: the object matches, and the rule does not apply. Same semantics as `match-pattern.ts`.
import type { MapPattern, Pattern, PatternKey } from '../pattern/compiled-pattern.ts';
import { containsWildcard } from '../value/wildcard.ts';
import { ALWAYS, allOf, anyOf, atom, type CelText, hasMember, member, NEVER, notCel, relation } from './cel-text.ts';
import { holdsForNothing, leafHolds } from './leaf-to-cel.ts';
import type { FormPath, ObjectTypes } from './object-types.ts';
import { Untranslatable } from './untranslatable.ts';

/** If neither is true, the pattern fails. */
export interface PatternText {
  readonly fits: CelText;
  readonly skips: CelText;
  /** True if one of them is true, in the shortest form. */
  readonly passes: CelText;
}

function patternText(fits: CelText, skips: CelText, passes = anyOf(fits, skips)): PatternText {
  return { fits, skips, passes };
}

/** The object as an expression, and its path in the objects with known types. */
export interface PatternSubject {
  readonly value: string;
  readonly path: FormPath;
}

const MAX_DEPTH = 30;

export function patternToCel(pattern: Pattern, subject: PatternSubject, types: ObjectTypes): PatternText {
  return new PatternWriter(types).element(pattern, subject, 0);
}

class PatternWriter {
  readonly #types: ObjectTypes;

  constructor(types: ObjectTypes) {
    this.#types = types;
  }

  /** For a value that exists. */
  element(pattern: Pattern, { value, path }: PatternSubject, depth: number): PatternText {
    if (depth > MAX_DEPTH) throw new Untranslatable('a pattern that is nested more than 30 levels deep');
    switch (pattern.form) {
      case 'map':
        return this.#map(pattern, { value, path }, depth);
      case 'list':
        return this.#list(pattern.items, { value, path }, depth);
      default: {
        const [form, elements] = [this.#types.form(path), this.#types.form([...path, '*'])];
        return patternText(leafHolds(value, form, elements, pattern), NEVER);
      }
    }
  }

  #map(pattern: MapPattern, subject: PatternSubject, depth: number): PatternText {
    if (pattern.expandsMetadata) {
      throw new Untranslatable(
        'a wildcard in the key of a label or annotation, for which Kyverno checks one random match',
      );
    }
    const below = (key: PatternKey): KeyText => this.#key(key, subject, depth);
    const conditions = pattern.anchors.filter(({ anchor }) => anchor?.type === 'condition').map(below);
    const others = pattern.anchors.filter(({ anchor }) => anchor?.type !== 'condition').map(below);
    const rest = pattern.others.map(below);
    if (others.some(({ isOwnSkip }) => isOwnSkip))
      throw new Untranslatable('a global anchor `<( )` below another anchor');
    const applies = allOf(...conditions.map(({ fits }) => fits));
    const anchorsHold = allOf(...others.map(({ fits, skips }) => anyOf(fits, skips)));
    const isAlone = conditions.length === 0 && others.some(({ skips }) => skips.text !== NEVER.text);
    const someFits = isAlone ? anyOf(...others.map(({ fits }) => fits)) : ALWAYS;
    const allSkip = isAlone ? allOf(...others.map(({ skips }) => skips)) : NEVER;
    const fits = allOf(applies, anchorsHold, someFits, ...rest.map((each) => each.fits));
    // Of the other elements, the first that does not match decides.
    const restSkips = anyOf(
      ...rest.map(({ skips }, index) =>
        skips.text === NEVER.text ? NEVER : allOf(...rest.slice(0, index).map((each) => each.fits), skips),
      ),
    );
    const skips = anyOf(notCel(applies), allSkip, allOf(anchorsHold, someFits, restSkips));
    const [first, ...later] = rest;
    const canLaterSkip = later.some((each) => each.skips.text !== NEVER.text);
    if (isAlone || canLaterSkip || first === undefined) {
      return isAlone || canLaterSkip
        ? patternText(fits, skips)
        : patternText(fits, skips, anyOf(notCel(applies), anchorsHold));
    }
    const restPasses =
      later.length === 0 ? first.passes : anyOf(first.skips, allOf(first.fits, ...later.map((each) => each.fits)));
    return patternText(fits, skips, anyOf(notCel(applies), allOf(anchorsHold, restPasses)));
  }

  #key({ text, anchor, pattern }: PatternKey, { value, path }: PatternSubject, depth: number): KeyText {
    const name = anchor?.key ?? text;
    if (anchor?.type === 'addition') throw new Untranslatable('the anchor `+( )`, which is only for mutation');
    if (containsWildcard(name)) throw new Untranslatable(`a wildcard in the key \`${name}\``);
    const isThere = hasMember(value, name);
    const inside = (): PatternText =>
      this.element(pattern, { value: member(value, name), path: [...path, name] }, depth + 1);
    const plain = (fits: CelText, skips: CelText = NEVER): KeyText => ({
      ...patternText(fits, skips),
      isOwnSkip: false,
    });
    switch (anchor?.type) {
      case 'condition':
        return plain(allOf(isThere, inside().fits));
      case 'global': {
        const { fits } = inside();
        return {
          ...patternText(anyOf(notCel(isThere), fits), allOf(isThere, notCel(fits)), ALWAYS),
          isOwnSkip: true,
        };
      }
      case 'equality': {
        const { fits, skips, passes } = inside();
        const isOwnSkip = pattern.form === 'map' && pattern.others.some((key) => key.anchor?.type === 'global');
        const said = patternText(anyOf(notCel(isThere), fits), allOf(isThere, skips), anyOf(notCel(isThere), passes));
        return { ...said, isOwnSkip };
      }
      case 'negation':
        return plain(notCel(isThere));
      case 'existence':
        return plain(anyOf(notCel(isThere), this.#existence(pattern, value, name, path, depth)));
      default: {
        if (pattern.form === 'text' && pattern.value === '*') return plain(isThere);
        const { fits, skips, passes } = inside();
        const isLeaf = pattern.form === 'text' || pattern.form === 'scalar';
        if (isLeaf && holdsForNothing(pattern)) return plain(anyOf(notCel(isThere), fits));
        return {
          ...patternText(allOf(isThere, fits), allOf(isThere, skips), allOf(isThere, passes)),
          isOwnSkip: false,
        };
      }
    }
  }

  #existence(pattern: Pattern, value: string, name: string, path: FormPath, depth: number): CelText {
    if (pattern.form !== 'list' || pattern.items.some(({ form }) => form !== 'map')) {
      throw new Untranslatable(`the anchor \`^(${name})\` around a value other than a list of objects`);
    }
    const item = elementName(name, value, depth);
    return allOf(
      ...pattern.items.map((each) => {
        const { fits } = this.element(each, { value: item, path: [...path, name, '*'] }, depth + 1);
        return atom(`${member(value, name)}.exists(${item}, ${fits.text})`);
      }),
    );
  }

  #list(items: readonly Pattern[], { value, path }: PatternSubject, depth: number): PatternText {
    const [first] = items;
    if (first === undefined) return patternText(NEVER, NEVER);
    if (first.form === 'list') throw new Untranslatable('a list inside a list of a pattern');
    if (first.form !== 'map') {
      const elements = this.#types.form([...path, '*']);
      const isList = this.#types.form(path) === 'any' ? relation(`type(${value}) == list`) : ALWAYS;
      return patternText(allOf(isList, leafHolds(value, 'list', elements, first)), NEVER);
    }
    const item = elementName(path.at(-1) ?? '', value, depth);
    const { fits, skips, passes } = this.element(first, { value: item, path: [...path, '*'] }, depth + 1);
    const all = (holds: CelText): CelText => atom(`${value}.all(${item}, ${holds.text})`);
    if (fits.text === ALWAYS.text) return patternText(ALWAYS, NEVER);
    if (skips.text === NEVER.text) return patternText(all(fits), NEVER);
    const some = anyOf(relation(`size(${value}) == 0`), atom(`${value}.exists(${item}, ${fits.text})`));
    return patternText(allOf(all(passes), some), allOf(relation(`size(${value}) > 0`), all(skips)), all(passes));
  }
}

interface KeyText extends PatternText {
  /** True if the skip also applies to the object around it. */
  readonly isOwnSkip: boolean;
}

/** `containers` → `container`. */
export function elementName(list: string, around: string, depth: number): string {
  const name = /^[a-z][A-Za-z]+s$/.test(list) ? list.slice(0, -1) : 'item';
  return around.split(/\W/)[0] === name || RESERVED.has(name) ? `${name}${depth}` : name;
}

const RESERVED: ReadonlySet<string> = new Set(['object', 'request', 'namespace', 'param', 'variable', 'a']);
