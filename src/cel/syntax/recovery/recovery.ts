// Finds all syntax errors of a text, with cel-go's messages, order and locations.
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
 * cel-go's messages come from ANTLR, including the lists of expected tokens. The text is therefore parsed again with
 * ANTLR's slow algorithm and its error recovery.
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
