// The tokens of a YAML text, with libyaml's names.
import type { ScalarStyle, TextPieces } from '../node/node.ts';

export type TokenKind =
  | 'stream-start'
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar'
  /** Not a token: the scanner found a problem. */
  | 'problem';

export interface YamlToken {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** 0-based line of the start. */
  readonly line: number;
  /** Anchor or alias name, tag handle, `major.minor` of a version directive; empty for others. */
  readonly text: string;
  /** Suffix of a tag, prefix of a tag directive. */
  readonly suffix: string;
  readonly scalar: ScannedScalar | undefined;
}

export interface ScannedScalar {
  readonly value: string;
  readonly style: ScalarStyle;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly pieces: TextPieces | undefined;
}
