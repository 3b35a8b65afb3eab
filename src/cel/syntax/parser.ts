// Parses expressions with the results and problems of cel-go's parser.
import { type Issue, NO_PLACE } from '../issue/issue.ts';
import type { Ast } from './ast.ts';
import { AstBuilder } from './ast-builder.ts';
import type { MacroTable } from './macro-table.ts';
import { findSyntaxErrors } from './recovery/recovery.ts';
import { SourceText } from './source-text.ts';
import { type SyntaxOptions, WellFormedParser } from './well-formed-parser.ts';

export interface ParserOptions extends SyntaxOptions {
  readonly macros: MacroTable;
}

export interface Parsed {
  /** Undefined if there are issues. */
  readonly ast: Ast | undefined;
  readonly issues: readonly Issue[];
}

export function parse(text: string, options: ParserOptions): Parsed {
  const source = new SourceText(text);
  const { codePoints } = options.limits;
  if (source.length > codePoints) {
    const message = `expression code point size exceeds limit: size: ${source.length}, limit ${codePoints}`;
    return { ast: undefined, issues: [{ kind: 'syntax', offset: NO_PLACE, message }] };
  }
  const builder = new AstBuilder(options.macros);
  const expr = new WellFormedParser(source, builder, options).parse();
  if (expr === undefined) return { ast: undefined, issues: findSyntaxErrors(source, options.macros, options) };
  if (builder.issues.length > 0) return { ast: undefined, issues: builder.issues };
  return { ast: { text, expr, macroCalls: builder.macroCalls }, issues: [] };
}
