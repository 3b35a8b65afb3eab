// Combines warnings of one rule in a comparison: one short entry that names the further objects.
import { mayFail } from '../gate/may-fail.ts';
import type { Finding, Report } from '../report.ts';
import { resourceLabel } from '../wording/wording.ts';
import { differingWords } from './alike.ts';

export interface SameRule {
  readonly finding: Finding;
  readonly others: readonly Finding[];
  /** True if source lines and the text of the rule are left out. */
  readonly isShort: boolean;
}

/** In the order of the first finding of each rule. Findings that can fail the run stand alone, as all do without a comparison. */
export function withSameRule(findings: readonly Finding[], { comparison, verdict }: Report): readonly SameRule[] {
  const isShort = ({ actions }: Finding): boolean => comparison !== undefined && !mayFail(actions, verdict.failOn);
  const groups = new Map<string | Finding, Finding[]>();
  for (const finding of findings) {
    const key = isShort(finding) ? ruleKey(finding) : finding;
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [finding]);
    else same.push(finding);
  }
  return [...groups.values()].map(([first, ...others]) => {
    const finding = first as Finding;
    return { finding, others, isShort: isShort(finding) };
  });
}

function ruleKey({ policy, binding, param, rule, result, operation, severity, status }: Finding): string {
  return JSON.stringify([policy.kind, policy.name, binding, param, rule.field, result, operation, severity, status]);
}

const MAX_NAMED = 10;

/** `the same for Service shop/web (apps/web.yaml:4), Job shop/copy (apps/copy.yaml:9: container copy) and 6 more`. */
export function sameRuleWords({ finding, others }: SameRule): string {
  if (others.length === 0) return '';
  const own = finding.message.split(/\s+/);
  const named = others.slice(0, MAX_NAMED).map(({ resource, primary, message }) => {
    const words = differingWords(message.split(/\s+/), own);
    return `${resourceLabel(resource)} (${primary.path}:${primary.startLine}${words === '' ? '' : `: ${words}`})`;
  });
  const rest = others.length - named.length;
  return `the same for ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
