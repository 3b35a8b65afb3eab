// All that is wrong with text that does not follow the grammar or its limits, in cel-go's words, order and places.
import { type Issue, NO_PLACE } from '../../issue.ts';
import { AstBuilder } from '../ast-builder.ts';
import type { MacroTable } from '../macro-table.ts';
import type { SourceText } from '../source-text.ts';
import type { SyntaxOptions } from '../well-formed-parser.ts';
import { RecoveringParser } from './recovering-parser.ts';
import { TreeVisitor } from './tree-visitor.ts';

/**
 * cel-go's messages are ANTLR's, down to which tokens it would have liked to see, so the text is parsed again the way ANTLR
 * does: slowly, and with its habits of deleting, inserting and skipping tokens.
 */
export function findSyntaxErrors(source: SourceText, macros: MacroTable, options: SyntaxOptions): readonly Issue[] {
  const issues: Issue[] = [];
  const parser = new RecoveringParser(source, options.limits, (message, offset) => {
    issues.push({ kind: 'syntax', message, offset: offset ?? NO_PLACE });
  });
  const tree = parser.parse();
  if (tree === undefined) return issues;
  const builder = new AstBuilder(macros);
  const visitor = new TreeVisitor(builder, options);
  visitor.visit(tree);
  issues.push(...builder.issues.slice(0, visitor.issuesBeforeTooDeep));
  if (visitor.issuesBeforeTooDeep !== undefined) {
    issues.push({ kind: 'syntax', message: 'max recursion depth exceeded', offset: NO_PLACE });
  }
  return issues;
}
