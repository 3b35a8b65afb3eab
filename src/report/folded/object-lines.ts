// Findings in one line per object, with their number and their policies.
import { openFindings } from '../baseline/excuse.ts';
import { isRepeated } from '../gate/repeated.ts';
import type { Finding, Report } from '../report.ts';
import { count, resourceLabel, targetsOf } from '../wording/wording.ts';

const MAX_POLICIES = 3;

export interface ObjectLine {
  readonly findings: readonly [Finding, ...Finding[]];
  /** `Deployment shop/web`. */
  readonly object: string;
  /** `3 findings by require-label and pinned-images, on staging`. */
  readonly words: string;
}

export function repeatedWarnings({ findings, verdict, targets }: Report): readonly ObjectLine[] {
  const repeated = openFindings(findings).filter((finding) => isRepeated(finding, verdict));
  return objectLines(repeated, targets.length > 1);
}

/** In the order of the first finding of each object. One object in several clusters has one line. */
export function objectLines(findings: readonly Finding[], hasSeveralTargets: boolean): readonly ObjectLine[] {
  const byObject = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = [finding.resource.apiVersion, resourceLabel(finding.resource)].join('\0');
    const same = byObject.get(key);
    if (same === undefined) byObject.set(key, [finding]);
    else same.push(finding);
  }
  return Array.from(byObject.values(), (own) => {
    const names = [...new Set(own.map(({ policy }) => policy.name))];
    const rest = names.length - MAX_POLICIES;
    const policies = [...names.slice(0, MAX_POLICIES), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
    const targets = [...new Set(own.flatMap(targetsOf))];
    const on = hasSeveralTargets ? `, on ${targets.length === 1 ? targets[0] : count(targets.length, 'target')}` : '';
    return {
      findings: own,
      object: resourceLabel(own[0].resource),
      words: `${count(new Set(own.map(ruleOf)).size, 'finding')} by ${policies}${on}`,
    };
  });
}

/** Equal for a finding that several copies of the object have. */
function ruleOf({ policy, binding, rule, fieldPath, message }: Finding): string {
  return [policy.kind, policy.name, binding, rule.field, fieldPath, message].join('\0');
}
