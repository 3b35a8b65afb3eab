// Selects the findings and problems of one owner; the verdict stays that of all.
import { compareText } from '../finding/finding-order.ts';
import type { BlastRadius, Finding, Report, ReportedDiagnostic } from '../report.ts';

/** Stands for entries that have no owner. */
const NO_OWNER = 'none';

type Owned = Pick<Finding, 'owners'>;

/** `owner`: as in CODEOWNERS, `@` may be left out; `none`: entries without an owner. Hosts ignore the case of names. */
export function isOwnedBy(entry: Owned, owner: string): boolean {
  const owners = ownersOf(entry);
  if (isNone(owner)) return owners.length === 0;
  return owners.some((name) => comparable(name) === comparable(owner));
}

/** An annotation may name the owner `none`: its entry must not get lost between those of an owner and those without one. */
function ownersOf({ owners = [] }: Owned): readonly string[] {
  return owners.filter((name) => !isNone(name));
}

function isNone(name: string): boolean {
  return name.toLowerCase() === NO_OWNER;
}

function comparable(name: string): string {
  return name.replace(/^@/, '').toLowerCase();
}

/** Owners of findings and problems that are not accepted, sorted; `none` comes last, if some have no owner. */
export function ownersIn({ findings, diagnostics }: Pick<Report, 'findings' | 'diagnostics'>): readonly string[] {
  const entries = [...findings, ...diagnostics].filter(({ excuse }) => excuse === undefined);
  const named = new Map(entries.flatMap(ownersOf).map((name) => [comparable(name), name]));
  const hasOthers = entries.some((entry) => ownersOf(entry).length === 0);
  return [...[...named.values()].sort(compareText), ...(hasOthers ? [NO_OWNER] : [])];
}

/**
 * Lists only the entries of `owner`. Verdict, coverage and numbers stay those of the whole run: an owner without findings does not make a
 * denied repository allowed.
 */
export function listedFor(report: Report, owner: string): Report {
  const isListed = (entry: Owned): boolean => isOwnedBy(entry, owner);
  const findings = report.findings.filter(isListed);
  const diagnostics = report.diagnostics.filter(isListed);
  const { comparison, audit, blastRadius } = report;
  const { upgrades, whatIf } = audit ?? {};
  const ownRadius = (radius: BlastRadius): BlastRadius => ({ ...radius, entries: radius.entries.filter(isListed) });
  return {
    ...report,
    findings,
    diagnostics,
    ...(comparison && { comparison: { ...comparison, fixed: comparison.fixed.filter(isListed) } }),
    ...(blastRadius && { blastRadius: ownRadius(blastRadius) }),
    ...(audit && {
      audit: {
        ...audit,
        ...(upgrades && { upgrades: { ...upgrades, actions: upgrades.actions.filter(isListed) } }),
        ...(whatIf && {
          whatIf: { ...whatIf, ...(whatIf.blastRadius && { blastRadius: ownRadius(whatIf.blastRadius) }) },
        }),
      },
    }),
    listed: {
      owner,
      findings: findings.length,
      diagnostics: diagnostics.length,
      leftOut: report.findings.length + report.diagnostics.length - findings.length - diagnostics.length,
    },
  };
}

/** Entries with the same owners together, by name; those without owners last. An entry of several owners appears once. */
export function byOwners<Entry extends Finding | ReportedDiagnostic>(
  entries: readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const label = ownersLabel(entry);
    const group = groups.get(label);
    if (group === undefined) groups.set(label, [entry]);
    else group.push(entry);
  }
  return new Map([...groups].sort(([one], [other]) => compareOwners(one, other)));
}

/** `@acme/shop, jane@example.com`; empty without an owner. */
export function ownersLabel({ owners = [] }: Owned): string {
  return [...owners].sort(compareText).join(', ');
}

/** No owner comes last. */
export function compareOwners(one: string, other: string): number {
  return Number(one === '') - Number(other === '') || compareText(one, other);
}
