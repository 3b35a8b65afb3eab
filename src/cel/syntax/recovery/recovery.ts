// All that is wrong with text that does not follow the grammar or its limits, in cel-go's words, order and places.
import { append } from '../../../go/slices/append.ts';
import type { Issue } from '../../issue/issue.ts';
import { AstBuilder } from '../ast-builder.ts';
import type { MacroTable } from '../macro-table.ts';
import type { SourceText } from '../source-text.ts';
import type { SyntaxOptions } from '../well-formed-parser.ts';
import { ErrorReporter } from './error-reporter.ts';
import { RecoveringParser } from './recovering-parser.ts';
import { TreeVisitor } from './tree-visitor.ts';

/**
 * cel-go's messages are ANTLR's, down to which tokens it would have liked to see, so the text is parsed again the way ANTLR
 * does: slowly, and with its habits of deleting, inserting and skipping tokens.
 */
export function findSyntaxErrors(source: SourceText, macros: MacroTable, options: SyntaxOptions): readonly Issue[] {
  const reporter = new ErrorReporter(options.limits);
  const tree = new RecoveringParser(source, options.limits, reporter).parse();
  if (tree === undefined) return reporter.issues;
  const builder = new AstBuilder(macros);
  const visitor = new TreeVisitor(builder, options);
  visitor.visit(tree);
  const { issuesBeforeTooDeep } = visitor;
  append(reporter.issues, builder.issues.slice(0, issuesBeforeTooDeep));
  if (issuesBeforeTooDeep !== undefined) reporter.halt('max recursion depth exceeded');
  return reporter.issues;
}
