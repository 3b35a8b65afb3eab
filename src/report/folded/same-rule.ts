// New warnings of one rule in a comparison: the first in full, the objects of the others by name.
import { mayFail } from '../gate/may-fail.ts';
import type { Finding, Report } from '../report.ts';
import { resourceLabel } from '../wording/wording.ts';
import { difference } from './alike.ts';

export interface SameRule {
  readonly finding: Finding;
  readonly others: readonly Finding[];
}

/** In the order of the first finding of each rule. Findings that can fail the run stand alone, as all do without a comparison. */
export function withSameRule(findings: readonly Finding[], { comparison, verdict }: Report): readonly SameRule[] {
  const groups = new Map<string | Finding, Finding[]>();
  for (const finding of findings) {
    const isAlone = comparison === undefined || mayFail(finding.actions, verdict.failOn);
    const key = isAlone ? finding : ruleKey(finding);
    const same = groups.get(key);
    if (same === undefined) groups.set(key, [finding]);
    else same.push(finding);
  }
  return [...groups.values()].map(([finding, ...others]) => ({ finding: finding as Finding, others }));
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
    const words = difference(message.split(/\s+/), own);
    return `${resourceLabel(resource)} (${primary.path}:${primary.startLine}${words === '' ? '' : `: ${words}`})`;
  });
  const rest = others.length - named.length;
  return `the same for ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
