// The page of an audit in one self-contained file: findings with their ages, trends and burn-down, by cluster, policy, owner and resource.

import type { AuditHistory, FixedEntry } from '../../audit/audit-history.ts';
import { openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { countsOf } from '../../history/audit-line.ts';
import { enforceableWords, sameDaySentences } from '../../history/audit-words.ts';
import { dayWords } from '../../history/days.ts';
import type { FoldedHistory, Tally } from '../../history/fold-history.ts';
import { COUNT_NAMES } from '../../history/history-line.ts';
import type { Report } from '../../report.ts';
import { gathered } from '../../reporter.ts';
import { reviewHeading } from '../../wording/review-heading.ts';
import { count } from '../../wording/wording.ts';
import { AUDIT_SCRIPT } from './audit-script.ts';
import { AUDIT_STYLE } from './audit-style.ts';
import { documentHead, escapeHtml } from './document-head.ts';
import { pageJson } from './page-data.ts';
import { PAGE_STYLE } from './page-style.ts';

/** Days that the charts show. */
const MAX_DAYS = 90;
const MAX_SERIES = 500;
const STYLE = PAGE_STYLE + AUDIT_STYLE;
const NO_COUNTS = { denied: 0, warned: 0, audited: 0, errors: 0, undecided: 0, accepted: 0, evaluated: 0 };

/** `report`: with its history, if there is one. `today` has the format `2026-11-24`. */
export function auditPage(report: Report, history: FoldedHistory | undefined, today: string): Iterable<string> {
  return gathered(page(report, history, today));
}

function* page(report: Report, history: FoldedHistory | undefined, today: string): Generator<string> {
  const heading = `Admission policies: ${reviewHeading(report).replaceAll('`', '')}`;
  yield documentHead(heading, STYLE, AUDIT_SCRIPT);
  yield `<body>
<a class="skip" href="#content">To the content</a>
<header>
<h1 class="${report.verdict.conclusion}">${escapeHtml(heading)}</h1>
<p class="muted">${escapeHtml(subtitle(report, history, today))}</p>
<nav aria-label="Pages"><ul id="sections"></ul></nav>
</header>
<main id="content" tabindex="-1"><noscript><p>A script in this file shows the findings, but this browser runs no scripts. \
The formats text and markdown need none.</p></noscript></main>
<footer class="muted"><p>Preadmit ${escapeHtml(report.preadmit)}. Keys: / to search, j and k from finding to finding, Escape to leave the search.</p></footer>
<script type="application/json" id="report">`;
  yield* pageJson(report, { audit: auditData(report, history, today) });
  yield `</script>
<script>${AUDIT_SCRIPT}</script>
</body>
</html>
`;
}

function subtitle({ audit }: Report, history: FoldedHistory | undefined, today: string): string {
  const day = audit?.day ?? today;
  const { from, audits = 0 } = history ?? audit?.history ?? {};
  if (from === undefined) return `Audit of ${dayWords(day, today)}. It has no history.`;
  return `Audit of ${dayWords(day, today)}. The history has ${count(audits, 'audit')} since ${dayWords(from, today)}.`;
}

type ShownDay = Pick<FoldedHistory['days'][number], 'day' | 'counts' | 'open'> & { readonly conclusion: string };

/** The numbers of the report, if the history itself is not at hand. */
function daysOf(reported: AuditHistory | undefined): readonly ShownDay[] {
  return (reported?.trend ?? []).flatMap(({ day, open, ...known }) => {
    const counts = { ...NO_COUNTS, ...known };
    const conclusion = counts.denied === 0 && counts.undecided > 0 ? 'undecided' : '';
    return open === undefined ? [{ day, conclusion, counts }] : [];
  });
}

function auditData(report: Report, history: FoldedHistory | undefined, today: string) {
  const { history: reported, day = today } = report.audit ?? {};
  const days: readonly ShownDay[] = (history?.days ?? daysOf(reported)).slice(-MAX_DAYS);
  const open = [...openFindings(report.findings), ...openDiagnostics(report.diagnostics)];
  return {
    today: day,
    from: reported?.from,
    comparedWith: reported?.comparedWith,
    new: reported?.new,
    fixedCount: reported?.fixed,
    sameDay: reported && sameDaySentences(reported, day)[0],
    notes: reported?.notes ?? [],
    ownersKnown: open.some(({ owners }) => owners !== undefined) ? 'yes' : undefined,
    counts: countsOf(report),
    days: days.map((each) => each.day),
    conclusions: days.map(({ conclusion }) => conclusion),
    trend: COUNT_NAMES.filter((name) => name !== 'evaluated').map((name) => ({
      name,
      values: days.map(({ counts }) => counts[name]),
    })),
    policies: series(days, ({ policies }) => policies),
    owners: series(days, ({ owners }) => owners),
    clusters: series(days, ({ clusters }) => clusters),
    byPolicy: reported?.byPolicy ?? [],
    byOwner: reported?.byOwner ?? [],
    clean: (reported?.cleanPolicies ?? []).map(({ policy, since, days: long, audits, isComplete, canBeEnforced }) => ({
      name: `${policy.kind}/${policy.name}`,
      since,
      days: long,
      audits,
      complete: isComplete ? 'yes' : undefined,
      ready: canBeEnforced && enforceableWords(canBeEnforced.days),
    })),
    fixed: (reported?.fixedFindings ?? []).map(entryOf),
    unjudged: (reported?.unjudgedFindings ?? []).map(entryOf),
    unjudgedCount: reported?.unjudged,
  };
}

/** Open findings by name and day; absent for the days before a compaction. The highest first. */
function series(
  days: readonly ShownDay[],
  of: (open: NonNullable<FoldedHistory['days'][number]['open']>) => Tally,
): readonly { readonly name: string; readonly values: readonly (number | null)[] }[] {
  const names = new Map<string, number>();
  for (const { open } of days) {
    if (open !== undefined)
      for (const [name, number] of of(open)) names.set(name, Math.max(number, names.get(name) ?? 0));
  }
  return [...names]
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, MAX_SERIES)
    .map(([name]) => ({
      name,
      values: days.map(({ open }) => (open === undefined ? null : (of(open).get(name) ?? 0))),
    }));
}

function entryOf({ policy, rule, subject, targets, path = '', owners = [], since, fixed }: FixedEntry) {
  return {
    policy: policy?.name,
    ownerNames: owners,
    clusterNames: targets,
    subject,
    rule: policy === undefined ? rule : `${policy.name}/${rule}`,
    clusters: targets.join(', '),
    path,
    owners: owners.join(', '),
    since,
    fixed,
  };
}
