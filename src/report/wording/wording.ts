// Shared phrases, so that every format uses the same terms.

import { SEVERITY_RANK, unlistedTotal } from '../finding/finding-limits.ts';
import { isCounted } from '../gate/counted.ts';
import type {
  BlastRadius,
  BlastRadiusEntry,
  ClusterAddition,
  Comparison,
  Finding,
  ListedPart,
  MutatedAwayFinding,
  Report,
  ReportedAuditAnnotation,
  ReportedDiagnostic,
  ResourceName,
  Severity,
  StoredField,
  Suggestion,
  TargetSummary,
} from '../report.ts';

/** `Deployment shop/web`, `ClusterRole view`. */
export function resourceLabel(resource: ResourceName): string {
  const name = resource.namespace === undefined ? resource.name : `${resource.namespace}/${resource.name}`;
  return `${resource.kind} ${name}`;
}

/** The part of a policy that decided, without the common path prefix: `validations[0]`. */
export function ruleName(finding: Pick<Finding, 'rule'>): string {
  return finding.rule.field.replace(/^spec\./, '').replace(/\.expression$/, '');
}

/** `Deny and Audit`; a binding may contain no action that the server knows. */
export function actionsLabel({ actions }: Pick<Finding, 'actions'>): string {
  return actions.length === 0 ? 'no action' : actions.join(' and ');
}

const MAX_LINES = 12;

/** At most MAX_LINES lines of a repository text. */
export function firstLines(text: string): readonly string[] {
  const lines = text.trimEnd().split(/\r?\n/);
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`];
}

/** Rule id for code scanning, stable across runs and commits: `replica-limit/validations[0]`. */
export function ruleId(finding: Pick<Finding, 'policy' | 'rule'>): string {
  return `${finding.policy.name}/${ruleName(finding)}`;
}

/** How to fix a problem, and how many objects it affects; undefined if there is nothing to say. */
export function adviceOf({ help, concerns }: Pick<ReportedDiagnostic, 'help' | 'concerns'>): string | undefined {
  if (concerns === undefined || concerns === 0) return help;
  const reach = `the rejected policy is ignored; it would apply to ${count(concerns, 'object')}`;
  return help === undefined ? reach : `${help}; ${reach}`;
}

/** `1 resource`, `2 resources`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Capitalized, for the start of a sentence. */
export const CONCLUSION_WORDS = {
  allowed: 'Allowed',
  denied: 'Denied',
  undecided: 'Undecided',
  'nothing-checked': 'Nothing checked',
} as const;

/** One-line summary of a comparison. */
export function changeHeadline({ changedFiles, objects, scope }: Comparison): string {
  const { created, updated, deleted, unchanged } = objects;
  const tally = `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
  const where = scope === 'repository' ? 'in the whole repository' : 'in these files';
  return `${count(changedFiles.length, 'file')} changed; objects ${where}: ${tally}`;
}

/** Which policies the verdict uses. */
export function verdictBy({ policiesFrom, base }: Comparison): string {
  if (policiesFrom === 'both') return 'the verdict uses the policies before and after the change';
  if (policiesFrom === 'head') return 'the verdict uses the policies of the change';
  return `the verdict uses the policies before the change (${shortId(base)})`;
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
    ...(stored > 0 ? [`${stored} ${stored === 1 ? 'is' : 'are'} stored differently`] : []),
    ...(open > 0 ? [`${open} ${open === 1 ? 'becomes' : 'become'} undecided`] : []),
  ];
  return words.length === 0 ? 'no verdict changes' : words.join(', ');
}

/** Start of a warning about a stricter rule; its effect on objects follows. */
export function stricterLead({ resource, change }: BlastRadius['causes'][number]): string {
  return `once the ${change} ${resource.kind} \`${resource.name}\` is merged, `;
}

/** `allowed → denied`, or `still denied` if only its reasons change. */
export function verdictChange({ before, after }: Pick<BlastRadiusEntry, 'before' | 'after'>): string {
  return before === after ? `still ${after}` : `${before} → ${after}`;
}

/** How the policies cause the difference, e.g. `also by`; empty if the verdict changes. */
export function causeWords({ before, after, added, removed }: BlastRadiusEntry): string {
  if (before !== after) return '';
  if (added > 0 && removed > 0) return 'now by';
  return added > 0 ? 'also by' : 'no longer by';
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

/** The three most frequent values of an audit annotation; JSON lists more. */
export function auditAnnotationWords({ key, values, others = 0 }: ReportedAuditAnnotation): string {
  const words = values.slice(0, 3).map(({ value, objects, example }) => {
    const where = objects === 1 ? resourceLabel(example) : count(objects, 'object');
    return `${JSON.stringify(value)} (${where})`;
  });
  const rest = values.length - words.length;
  const more = others > 0 ? ['other values'] : rest > 0 ? [count(rest, 'other value')] : [];
  return `${key}: ${[...words, ...more].join(', ')}`;
}

/** `Deployment shop/web: metadata.labels.team, as set by team-label`. */
export function suggestionWords({ resource, fields, policies }: Suggestion): string {
  return `${resourceLabel(resource)}: ${someFields(fields)}, as ${policies.map(({ name }) => name).join(' and ')} would set it`;
}

/** The first few, and the number of the rest. */
function someFields(fields: readonly string[]): string {
  const more = fields.length - MAX_STORED;
  return [...fields.slice(0, MAX_STORED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** `Deployment shop/web passes replicas validations[0] only because limits changes it first; as written: …`. */
export function mutatedAwayWords({ policy, field, resource, by, message }: MutatedAwayFinding): string {
  const rule = ruleName({ rule: { field } });
  const who = `${by.join(' and ')} ${by.length === 1 ? 'changes' : 'change'}`;
  return `${resourceLabel(resource)} passes ${policy.name} ${rule} only because ${who} it first; as written: ${message}`;
}

/** True if changed rules are worse for some objects, regardless of the verdict on the change. */
export function isBadNews({ blastRadius }: Report): boolean {
  return blastRadius !== undefined && blastRadius.worse > 0;
}

/** Shortens commit ids; returns other names unchanged. */
export function shortId(name: string): string {
  return /^[0-9a-f]{40,64}$/.test(name) ? name.slice(0, 10) : name;
}

/** Names only unusual operations: `deleting Deployment shop/web`. */
export function operationPrefix({ operation }: Finding): string {
  return operation === 'DELETE' ? 'deleting ' : '';
}

const MAX_ROOTS = 3;

/** Targets that no configuration describes, with the source of each. */
export function derivedTargets(targets: Report['targets']): readonly string[] {
  return targets.flatMap(({ name, derivedFrom, evaluated, policies }) =>
    derivedFrom === undefined
      ? []
      : [`${name} (${derivedFrom}): ${evaluated} evaluated, ${count(policies.length, 'policy', 'policies')}`],
  );
}

/** One or more targets, sorted. */
export function targetsOf({ target, targets }: Finding): readonly string[] {
  return targets ?? [target];
}

/** Targets of a finding; empty if the report has only one target. */
export function targetNote(finding: Finding, report: Pick<Report, 'targets'>): string {
  const targets = targetsOf(finding);
  const number = report.targets.length;
  if (number < 2) return '';
  const rest = targets.length > MAX_ROOTS ? ', …' : '';
  const names = `${targets.slice(0, MAX_ROOTS).join(', ')}${rest}`;
  return targets.length === 1 ? `on ${names}` : `on ${targets.length} of ${number} targets: ${names}`;
}

/** Note on a finding that counts although base has it. */
export const REPEATED_DENIAL =
  'base has this finding too; the change updates the object, so the API server rejects the update';

/** Messages of the finding's other objects that differ in more than the name: `on staging: no more than 5 replicas`; the first few. */
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
  const earlier = status === 'existing' && operation === 'UPDATE' ? [REPEATED_DENIAL] : [];
  const more = said.size > words.length ? [count(said.size - words.length, 'more message')] : [];
  return [...earlier, ...words, ...more];
}

function withoutNames(message: string, { name, namespace }: ResourceName): string {
  return [name, namespace ?? ''].reduce((text, each) => (each === '' ? text : text.replaceAll(each, '…')), message);
}

/** Roots that render the object: `in 10 roots: a, b, c, …`; empty for a plain manifest. */
export function rootsNote({ roots = [] }: Finding): string {
  if (roots.length <= 1) return roots.length === 0 ? '' : `rendered by ${roots[0]}`;
  const rest = roots.length > MAX_ROOTS ? ', …' : '';
  return `in ${roots.length} roots: ${roots.slice(0, MAX_ROOTS).join(', ')}${rest}`;
}

/** How far the objects themselves were validated, before policies; empty if no object was. */
export function validationExtent({ coverage, targets }: Report): string {
  if (coverage.evaluated === 0) return '';
  const extents = new Set(targets.map(builtinExtent));
  return `validated: custom resources in full, built-in kinds ${[...extents].join('; ')}`;
}

/** The release whose code the validation engine contains. */
const ENGINE_RELEASE = '1.36';

function builtinExtent({ kubernetesVersion, validatedAs }: TargetSummary): string {
  if (validatedAs === undefined) return 'by their types and metadata only';
  const code = `by the API server's code of Kubernetes ${ENGINE_RELEASE}`;
  if (kubernetesVersion === ENGINE_RELEASE) return code;
  const emulated = `${code}, as ${validatedAs}`;
  return kubernetesVersion === validatedAs ? emulated : `${emulated} for ${kubernetesVersion}`;
}

/** Settings of API servers that files declare; empty if there are none. */
export function settingsExtent({ targets }: Report): string {
  const settings = new Set<string>();
  for (const { serverSettings = [] } of targets) {
    for (const { setting, value, path, line } of serverSettings) {
      settings.add(`${setting}=${value} (${path}:${line})`);
    }
  }
  if (settings.size === 0) return '';
  const shown = [...settings].slice(0, MAX_SETTINGS);
  const rest = settings.size > MAX_SETTINGS ? ` and ${settings.size - MAX_SETTINGS} more` : '';
  return `settings of the API server from the files: ${shown.join(', ')}${rest}`;
}

const MAX_SETTINGS = 10;

/** Policy sources outside the repository; empty if there are none. */
export function sourcesExtent({ policySources = [] }: Report): string {
  if (policySources.length === 0) return '';
  const named = policySources.map(({ name, version }) => (version === '' ? name : `${name} (${version})`));
  return `policies also from ${named.join(', ')}`;
}

/** What was fetched, by host; empty if nothing was. */
export function fetchedExtent({ fetched = [] }: Report): string {
  if (fetched.length === 0) return '';
  const total = (kind: 'charts' | 'bases' | 'git'): number => fetched.reduce((sum, each) => sum + each[kind], 0);
  const kinds = [
    [total('charts'), 'chart'],
    [total('bases'), 'base'],
    [total('git'), 'repository', 'repositories'],
  ] as const;
  const what = kinds.flatMap(([number, one, many]) => (number === 0 ? [] : [count(number, one, many)]));
  const hosts = fetched.map(({ host, charts, bases, git, failed }) => {
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    return `${host} (${charts + bases + git}${failures})`;
  });
  return `fetched ${what.length === 0 ? 'nothing' : what.join(', ')} from ${count(fetched.length, 'host')}: ${hosts.join(', ')}`;
}

/** Counts of everything that was not judged but might fail the gate. */
function missingEvidence({
  verdict: { undecided, open, notRendered, incomplete, unread },
  repositories,
}: Report): readonly string[] {
  return [
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...(open > 0 ? [`${open} not judged by every policy`] : []),
    ...(notRendered > 0 ? [`${count(notRendered, 'root')} not rendered`] : []),
    ...(incomplete > 0 ? [`${count(incomplete, 'root')} incomplete`] : []),
    ...(unread > 0 ? [`${unread} not read`] : []),
    ...withoutVerdict(repositories),
  ];
}

/** Repositories of a joined report that were not judged at all. */
export function withoutVerdict(repositories: Report['repositories'] = []): readonly string[] {
  const number = repositories.filter(
    ({ conclusion }) => conclusion === 'missing' || conclusion === 'nothing-checked',
  ).length;
  return number === 0 ? [] : [`${count(number, 'repository', 'repositories')} without a verdict`];
}

/** Parts of CODEOWNERS that were not used. */
export function ownershipSentences({ ownership }: Pick<Report, 'ownership'>): readonly string[] {
  if (ownership === undefined) return [];
  const { path = '', syntax = 'GitHub', problem, ignored = [], ignoredLines = 0 } = ownership;
  const more = ignoredLines - ignored.length;
  return [
    ...(problem === undefined ? [] : [`owners of files are unknown or incomplete: ${path} cannot be used: ${problem}`]),
    ...ignored.map(({ line, reason }) => `${path}:${line} is ignored, as ${syntax} does: ${reason}`),
    ...(more > 0 ? [`${count(more, 'more line')} of ${path} ignored`] : []),
  ];
}

/** What a report with `--owner` lists; the verdict is about everything. */
export function listedSentence({ owner, findings, diagnostics, leftOut }: ListedPart): string {
  const whose = owner.toLowerCase() === 'none' ? 'without an owner' : `of ${owner}`;
  const listed = `${count(findings, 'finding')} and ${count(diagnostics, 'problem')} ${whose}`;
  return `Listed: ${listed}; ${leftOut} of other owners not listed. The verdict is that of all owners.`;
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

/** Warns readers of the headline that an allowed verdict involved no applicable policy. */
export function unmatched({ targets, comparison, verdict, findings }: Report): string {
  if (verdict.conclusion !== 'allowed' || findings.length > 0) return '';
  const bound = targets.flatMap(({ policies }) => policies).filter(({ bindings }) => bindings > 0);
  if (comparison !== undefined || bound.length === 0 || bound.some(({ matched }) => matched > 0)) return '';
  const isKnown = targets.every(({ unknowns, unknownKinds }) => unknowns.length + unknownKinds.length === 0);
  return `; no policy applies to any of them${isKnown ? '' : ', as far as the repository shows'}`;
}

/** Why no resource met a policy. */
export function missingPart({ targets, coverage, repositories }: Report): string {
  if (repositories !== undefined) return withoutVerdict(repositories).join('');
  const policies = targets.flatMap((target) => target.policies);
  if (coverage.evaluated === 0) return policies.length === 0 ? 'no policies, no resources' : 'no resource to evaluate';
  if (policies.length === 0) return 'no policy was found';
  return policies.some(({ bindings }) => bindings > 0)
    ? 'no resource was offered to a bound policy'
    : 'no policy has a binding';
}

/** Errors first, otherwise in the given order, so that truncation removes the least important. */
export function bySeverity<Item extends { readonly severity: Severity }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((left, right) => SEVERITY_RANK[left.severity] - SEVERITY_RANK[right.severity]);
}
