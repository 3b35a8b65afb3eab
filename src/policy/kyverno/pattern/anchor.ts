// Parses anchors around pattern keys: `(name)`, `=(name)`, `X(name)`, `^(name)`, `<(name)`, `+(name)` (`pkg/engine/anchor`).
import { trimSpace } from '../../../go/strings/trim-space.ts';

export type AnchorType = 'condition' | 'global' | 'negation' | 'addition' | 'equality' | 'existence';

export interface Anchor {
  readonly type: AnchorType;
  readonly key: string;
}

const ANCHOR = /^([+<=X^])?\((.+)\)$/;

const TYPES: ReadonlyMap<string, AnchorType> = new Map([
  ['', 'condition'],
  ['<', 'global'],
  ['X', 'negation'],
  ['+', 'addition'],
  ['=', 'equality'],
  ['^', 'existence'],
]);

const MODIFIERS: Readonly<Record<AnchorType, string>> = {
  condition: '',
  global: '<',
  negation: 'X',
  addition: '+',
  equality: '=',
  existence: '^',
};

/** Undefined for a plain key. */
export function parseAnchor(text: string): Anchor | undefined {
  if (!text.includes('(')) return undefined;
  const [, modifier = '', key] = ANCHOR.exec(trimSpace(text)) ?? [];
  return key === undefined ? undefined : { type: TYPES.get(modifier) as AnchorType, key };
}

export function anchorText(type: AnchorType, key: string): string {
  return `${MODIFIERS[type]}(${key})`;
}
