// Markdown of one finding for a reviewer: message, object, source lines, rule.
import { codeBlock } from '../../../diagnostic/markdown.ts';
import type { Finding, Place, Report } from '../../report.ts';
import {
  firstLines,
  operationPrefix,
  otherMessages,
  resourceLabel,
  rootsNote,
  ruleName,
  targetNote,
} from '../../wording/wording.ts';
import { someOf } from '../text/listing.ts';
import { findingLink, ruleLink } from './links.ts';
import type { MarkdownOptions } from './options.ts';
import { boldParagraph, expressionCode, name, prose } from './words.ts';

const MARKS = { error: '', warning: '⚠️ ', notice: 'ℹ️ ' } as const;
const MAX_MARKED_LINE = 100;
const MAX_EXPRESSION_LINES = 8;

export function findingBlock(finding: Finding, report: Report, options: MarkdownOptions): string {
  return (
    `${MARKS[finding.severity]}${boldParagraph(finding.message)}<br>\n` +
    `${objectLine(finding, options)}${actionNote(finding)}\n\n${findingLines(finding)}` +
    `${ruleParagraph(finding, report, options)}${notes(finding, report)}\n`
  );
}

/** `Deployment shop/web` in its line. */
export function objectLine(finding: Finding, options: MarkdownOptions): string {
  const subject = `${operationPrefix(finding)}${name(resourceLabel(finding.resource))}`;
  const isMarked = fieldMark(finding) !== undefined;
  const field = isMarked || finding.fieldPath === '' ? '' : `, ${name(finding.fieldPath)}${byDefault(finding)}`;
  return `${subject} in ${findingLink(finding, options)}${field}`;
}

/** Empty for denials, which the heading names, and for undecided findings, whose message says so. */
export function actionNote({ severity, result }: Finding): string {
  if (result === 'unknown') return '';
  return severity === 'error' ? '' : severity === 'warning' ? ' (warned about)' : ' (audited)';
}

/** The deciding line with its parents, dedented; the deciding field is marked on its line. */
export function findingLines(finding: Finding): string {
  const { primary, fieldPath } = finding;
  const { excerpt } = primary;
  // Without a deciding field the location is the `kind` line, which adds nothing to the object's name.
  if (excerpt === undefined || fieldPath === '') return '';
  const at = primary.startLine - excerpt.firstLine;
  const decisive = excerpt.lines[at];
  if (decisive === undefined) return '';
  const before = excerpt.lines[at - 1] ?? '';
  const after = excerpt.lines[at + 1] ?? '';
  const mark = fieldMark(finding);
  const lines = [
    ...(isTelling(before) ? [before] : []),
    mark === undefined ? decisive : `${decisive}  # ← ${mark}`,
    ...(decisive.trimEnd().endsWith(':') && isTelling(after) ? [after] : []),
  ];
  const margin = lines.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Infinity);
  return `${codeBlock(
    lines.map((line) => line.slice(margin)),
    isYaml(primary) ? 'yaml' : '',
  )}\n`;
}

function isTelling(line: string): boolean {
  return line.trim() !== '' && !line.startsWith('---') && !line.trimStart().startsWith('#');
}

function isYaml({ path }: Place): boolean {
  return /\.ya?ml$/i.test(path);
}

/** Undefined if the finding has no field, or the line cannot hold a comment. */
function fieldMark(finding: Finding): string | undefined {
  const { primary, fieldPath } = finding;
  const line = primary.excerpt?.lines[primary.startLine - primary.excerpt.firstLine];
  if (line === undefined || fieldPath === '' || !isYaml(primary)) return undefined;
  const mark = `${fieldPath}${byDefault(finding)}`;
  return line.length + mark.length > MAX_MARKED_LINE ? undefined : mark;
}

function byDefault({ defaulted }: Finding): string {
  return defaulted === true ? ' (by default)' : '';
}

/** `Rule replica-limit: <expression>, param ConfigMap policy/limits`. */
export function ruleParagraph(finding: Finding, report: Report, options: MarkdownOptions): string {
  const { policy, param, binding, rule } = finding;
  const expression = rule.expression === undefined ? [] : firstLines(rule.expression);
  const subject = `Rule ${ruleLink(policy.name, finding, 'rule', report, options)}`;
  const given =
    param === undefined ? '' : `, param ${ruleLink(resourceLabel(param), finding, 'param', report, options)}`;
  const bound = binding === undefined || !isOneOfSeveral(finding, report) ? '' : `, binding ${name(binding)}`;
  if (expression.length < 2) {
    return `${subject}: ${expressionCode(expression[0] ?? ruleName(finding))}${given}${bound}\n`;
  }
  const shown = expression.slice(0, MAX_EXPRESSION_LINES);
  return `${subject}${given}${bound}:\n\n${codeBlock(shown.length < expression.length ? [...shown, '…'] : shown, 'cel')}`;
}

/** True if the policy has several bindings, so that the name is informative. */
function isOneOfSeveral({ policy }: Finding, { targets }: Report): boolean {
  return targets.some(({ policies }) =>
    policies.some(({ kind, name: other, bindings }) => bindings > 1 && other === policy.name && kind === policy.kind),
  );
}

/** Further notes: policies that may change the object first, roots, targets. */
export function notes(finding: Finding, report: Report): string {
  const { mayBeChangedBy = [] } = finding;
  const words = [
    ...(mayBeChangedBy.length === 0 ? [] : [`may first be changed by ${someOf(mayBeChangedBy.map(name))}`]),
    ...[rootsNote(finding), targetNote(finding, report), ...otherMessages(finding)]
      .filter((note) => note !== '')
      .map(prose),
  ];
  return words.length === 0 ? '' : `\n<sub>${words.join(', ')}</sub>\n`;
}
