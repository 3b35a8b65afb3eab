// The short phrases every format shares, so that one thing is called by one name everywhere.

import { SEVERITY_RANK, unlistedTotal } from '../finding/finding-limits.ts';
import { isCounted } from '../gate/counted.ts';
import type {
  BlastRadius,
  ClusterAddition,
  Comparison,
  Finding,
  MutatedAwayFinding,
  Report,
  ReportedDiagnostic,
  ResourceName,
  Severity,
  StoredField,
  Suggestion,
} from '../report.ts';

/** `Deployment shop/web`, `ClusterRole view`. */
export function resourceLabel(resource: ResourceName): string {
  const name = resource.namespace === undefined ? resource.name : `${resource.namespace}/${resource.name}`;
  return `${resource.kind} ${name}`;
}

/** The part of a policy that decided, without what every one has in common: `validations[0]`. */
export function ruleName(finding: Pick<Finding, 'rule'>): string {
  return finding.rule.field.replace(/^spec\./, '').replace(/\.expression$/, '');
}

/** `Deny and Audit`; a binding may name none that the server knows. */
export function actionsLabel({ actions }: Pick<Finding, 'actions'>): string {
  return actions.length === 0 ? 'no action' : actions.join(' and ');
}

const MAX_LINES = 12;

/** For texts of the repository that may have any number of lines. */
export function firstLines(text: string): readonly string[] {
  const lines = text.trimEnd().split(/\r?\n/);
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`];
}

/** Stable across runs and commits, so that a rule stays the same rule for code scanning: `replica-limit/validations[0]`. */
export function ruleId(finding: Pick<Finding, 'policy' | 'rule'>): string {
  return `${finding.policy.name}/${ruleName(finding)}`;
}

/** The way out of a problem, and whom it would concern; undefined if there is nothing to say. */
export function adviceOf({ help, concerns }: Pick<ReportedDiagnostic, 'help' | 'concerns'>): string | undefined {
  if (concerns === undefined || concerns === 0) return help;
  const reach = `the refused policy decides nothing, and would be asked about ${count(concerns, 'object')}`;
  return help === undefined ? reach : `${help}; ${reach}`;
}

/** `1 resource`, `2 resources`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** As a sentence begins with them. */
export const CONCLUSION_WORDS = {
  allowed: 'Allowed',
  denied: 'Denied',
  undecided: 'Undecided',
  'nothing-checked': 'Nothing checked',
} as const;

/** What a comparison looked at, in one line. */
export function changeHeadline({ changedFiles, objects, scope }: Comparison): string {
  const { created, updated, deleted, unchanged } = objects;
  const tally = `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  const where = scope === 'repository' ? 'in the whole repository' : 'in these files';
  return `${count(changedFiles.length, 'file')} changed; objects ${where}: ${tally}`;
}

/** Whose rules the verdict follows. */
export function verdictBy({ policiesFrom, base }: Comparison): string {
  if (policiesFrom === 'both') return 'the verdict is by the policies before and after the change together';
  if (policiesFrom === 'head') return 'the verdict is by the policies as the change leaves them';
  return `the verdict is by the policies before the change (${shortId(base)})`;
}

/** `3 become denied, 1 becomes allowed` */
export function blastRadiusHeadline({
  denied,
  allowed,
  warned,
  stricter,
  stored = 0,
  open = 0,
}: Pick<BlastRadius, 'denied' | 'allowed' | 'warned' | 'stricter' | 'stored' | 'open'>): string {
  const words = [
    ...(denied > 0 ? [`${denied} ${denied === 1 ? 'becomes' : 'become'} denied`] : []),
    ...(warned > 0 ? [`${warned} ${warned === 1 ? 'becomes' : 'become'} warned about`] : []),
    ...(allowed > 0 ? [`${allowed} ${allowed === 1 ? 'becomes' : 'become'} allowed`] : []),
    ...(stricter > 0 ? [`${stricter} ${stricter === 1 ? 'gets' : 'get'} further findings`] : []),
    ...(stored > 0 ? [`${stored} ${stored === 1 ? 'is' : 'are'} stored otherwise`] : []),
    ...(open > 0 ? [`${open} ${open === 1 ? 'becomes' : 'become'} undecided`] : []),
  ];
  return words.length === 0 ? 'no object gets another answer' : words.join(', ');
}

/** How a warning on a rule that became stricter begins; what it means for objects follows. */
export function stricterLead({ resource, change }: BlastRadius['causes'][number]): string {
  return `once the ${change} ${resource.kind} \`${resource.name}\` is merged, `;
}

/** `spec.replicas 1 → 2, metadata.labels.team added`; the first few. */
export function storedWords(fields: readonly StoredField[]): string {
  const words = fields.slice(0, MAX_STORED).map(({ field, before, after }) => {
    if (before === undefined) return `${field} = ${after}`;
    return after === undefined ? `${field} removed` : `${field} ${before} → ${after}`;
  });
  const more = fields.length - words.length;
  return [...words, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const MAX_STORED = 5;

/** `team-label adds metadata.labels.team to 3 objects: ConfigMap a, …`. */
export function additionWords({ policy, field, objects, examples }: ClusterAddition): string {
  const rest = objects > examples.length ? ', …' : '';
  return `${policy.name} adds ${field} to ${count(objects, 'object')}: ${examples.map(resourceLabel).join(', ')}${rest}`;
}

/** `Deployment shop/web: metadata.labels.team, as team-label would make it`. */
export function suggestionWords({ resource, fields, policies }: Suggestion): string {
  return `${resourceLabel(resource)}: ${someFields(fields)}, as ${policies.map(({ name }) => name).join(' and ')} would make it`;
}

/** The first of many. */
function someFields(fields: readonly string[]): string {
  const more = fields.length - MAX_STORED;
  return [...fields.slice(0, MAX_STORED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** `Deployment shop/web passes replicas validations[0] only because limits changes it first; as it is written: …`. */
export function mutatedAwayWords({ policy, field, resource, by, message }: MutatedAwayFinding): string {
  const rule = ruleName({ rule: { field } });
  const who = `${by.join(' and ')} ${by.length === 1 ? 'changes' : 'change'}`;
  return `${resourceLabel(resource)} passes ${policy.name} ${rule} only because ${who} it first; as it is written: ${message}`;
}

/** A change of rules that is worse for some objects, whatever the verdict on the change itself. */
export function isBadNews({ blastRadius }: Report): boolean {
  return blastRadius !== undefined && blastRadius.worse > 0;
}

/** Commit ids as people read them; other names as they are. */
export function shortId(name: string): string {
  return /^[0-9a-f]{40,64}$/.test(name) ? name.slice(0, 10) : name;
}

/** Only what one would not expect is said: `deleting Deployment shop/web`. */
export function operationPrefix({ operation }: Finding): string {
  return operation === 'DELETE' ? 'deleting ' : '';
}

const MAX_ROOTS = 3;

/** Targets that nobody described, with what told of them. */
export function derivedTargets(targets: Report['targets']): readonly string[] {
  return targets.flatMap(({ name, derivedFrom, evaluated, policies }) =>
    derivedFrom === undefined
      ? []
      : [`${name} (${derivedFrom}): ${evaluated} evaluated, ${count(policies.length, 'policy', 'policies')}`],
  );
}

/** One or more, in order. */
export function targetsOf({ target, targets }: Finding): readonly string[] {
  return targets ?? [target];
}

/** Which of several targets a finding is of; empty where there is one. */
export function targetNote(finding: Finding, report: Pick<Report, 'targets'>): string {
  const targets = targetsOf(finding);
  const number = report.targets.length;
  if (number < 2) return '';
  const rest = targets.length > MAX_ROOTS ? ', …' : '';
  const names = `${targets.slice(0, MAX_ROOTS).join(', ')}${rest}`;
  return targets.length === 1 ? `on ${names}` : `on ${targets.length} of ${number} targets: ${names}`;
}

/**
 * First, that base has the finding too. Then what is said of other objects of the same finding, and is more than another name in the same words: `on staging: no more than 5
 * replicas`; the first few.
 */
export function otherMessages({
  status,
  operation,
  message,
  objects = [],
  target,
  resource,
}: Finding): readonly string[] {
  const own = withoutNames(message, resource);
  const said = new Set(
    objects.flatMap((object) =>
      object.message === undefined || withoutNames(object.message, object.resource) === own
        ? []
        : [`${object.target === target ? resourceLabel(object.resource) : `on ${object.target}`}: ${object.message}`],
    ),
  );
  const words = [...said].slice(0, MAX_ROOTS);
  const earlier =
    status === 'existing' && operation === 'UPDATE'
      ? ['base has this finding too; the change updates the object, so the API server rejects the update']
      : [];
  const more = said.size > words.length ? [count(said.size - words.length, 'more message')] : [];
  return [...earlier, ...words, ...more];
}

function withoutNames(message: string, { name, namespace }: ResourceName): string {
  return [name, namespace ?? ''].reduce((text, each) => (each === '' ? text : text.replaceAll(each, '…')), message);
}

/** What renders an object, and that others render it too: `in 10 roots: a, b, c, …`; empty for what is applied as it is written. */
export function rootsNote({ roots = [] }: Finding): string {
  if (roots.length <= 1) return roots.length === 0 ? '' : `rendered by ${roots[0]}`;
  const rest = roots.length > MAX_ROOTS ? ', …' : '';
  return `in ${roots.length} roots: ${roots.slice(0, MAX_ROOTS).join(', ')}${rest}`;
}

/** How far the objects themselves were looked at, before policies were asked about them; empty if none was. */
export function validationExtent({ coverage }: Report): string {
  if (coverage.evaluated === 0) return '';
  return 'validated: custom resources in full, built-in kinds by their types and metadata only';
}

/** Where policies came from besides the repository; empty if from nowhere. */
export function sourcesExtent({ policySources = [] }: Report): string {
  if (policySources.length === 0) return '';
  const named = policySources.map(({ name, version }) => (version === '' ? name : `${name} (${version})`));
  return `policies also from ${named.join(', ')}`;
}

/** What was not judged of what might fail the gate, each number by its own name. */
function missingEvidence({ verdict: { undecided, open, notRendered, unread } }: Report): readonly string[] {
  return [
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...(open > 0 ? [`${open} not judged by every policy`] : []),
    ...(notRendered > 0 ? [`${count(notRendered, 'root')} not rendered`] : []),
    ...(unread > 0 ? [`${unread} not read`] : []),
  ];
}

/** The verdict in one line: `Denied: 2 denied, 1 warned, 1 error, of 17 resources`. */
export function verdictHeadline(report: Report): string {
  const { conclusion, failOn, denied, warned, audited, errors } = report.verdict;
  if (report.unusable !== undefined) {
    return `Nothing checked: \`${report.unusable}\` cannot be used (${count(errors, 'error')})`;
  }
  if (conclusion === 'nothing-checked') return `Nothing checked: ${missingPart(report)}`;
  const tally = [
    ...(denied > 0 ? [`${denied} denied`] : []),
    ...(warned > 0 ? [`${warned} warned`] : []),
    ...(audited > 0 ? [`${audited} audited`] : []),
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...missingEvidence(report),
  ];
  const words = tally.length === 0 ? 'nothing to report' : tally.join(', ');
  const accepted = report.findings.filter(({ excuse }) => excuse !== undefined).length;
  const acceptedErrors = report.diagnostics.filter(({ excuse }) => excuse !== undefined).length;
  const acceptances = [
    ...(accepted > 0 ? [count(accepted, 'finding')] : []),
    ...(acceptedErrors > 0 ? [count(acceptedErrors, 'problem')] : []),
  ];
  const rest = acceptances.length === 0 ? '' : `; ${acceptances.join(' and ')} accepted`;
  const gate = failOn === 'deny' ? '' : ` (fail-on ${failOn})`;
  const existing = report.findings.filter((finding) => !isCounted(finding, report.verdict)).length;
  const aside = existing === 0 ? '' : `; ${count(existing, 'existing finding')} not counted`;
  const left = report.unlisted === undefined ? 0 : unlistedTotal(report.unlisted);
  const more = left === 0 ? '' : `; ${count(left, 'finding')} more than a report lists`;
  const evaluated = count(report.coverage.evaluated, 'resource');
  const { blastRadius } = report;
  const news = blastRadius !== undefined && isBadNews(report) ? blastRadiusHeadline(blastRadius) : undefined;
  const butNews = news === undefined ? '' : `, ${conclusion === 'allowed' ? 'but' : 'and'} ${news} once this is merged`;
  return `${CONCLUSION_WORDS[conclusion]}${butNews}: ${words}, of ${evaluated}${unmatched(report)}${aside}${rest}${more}${gate}`;
}

/** Green, and yet no policy had anything to say: who reads only this line should know. */
export function unmatched({ targets, comparison, verdict, findings }: Report): string {
  if (verdict.conclusion !== 'allowed' || findings.length > 0) return '';
  const bound = targets.flatMap(({ policies }) => policies).filter(({ bindings }) => bindings > 0);
  if (comparison !== undefined || bound.length === 0 || bound.some(({ matched }) => matched > 0)) return '';
  const isKnown = targets.every(({ unknowns, unknownKinds }) => unknowns.length + unknownKinds.length === 0);
  return `; no policy applies to any of them${isKnown ? '' : ', as far as this repository tells'}`;
}

/** Why no resource was offered to a policy. */
export function missingPart({ targets, coverage }: Report): string {
  const policies = targets.flatMap((target) => target.policies);
  if (coverage.evaluated === 0) return policies.length === 0 ? 'no policies, no resources' : 'no resource to evaluate';
  if (policies.length === 0) return 'no policy was found';
  return policies.some(({ bindings }) => bindings > 0)
    ? 'no resource was offered to a bound policy'
    : 'no policy has a binding';
}

/** Errors first, else in the order given: what has to be cut is the least important. */
export function bySeverity<Item extends { readonly severity: Severity }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((left, right) => SEVERITY_RANK[left.severity] - SEVERITY_RANK[right.severity]);
}
