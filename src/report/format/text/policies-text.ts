// Policy list as terminal text: idle policies first, then those with findings, then the rest.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import type { PolicySummary, TargetSummary } from '../../report.ts';
import { count } from '../../wording/wording.ts';

export function policiesText(targets: readonly TargetSummary[]): string {
  return targets.map(targetText).join('\n');
}

function targetText({ name, kubernetesVersion, policies, evaluated }: TargetSummary): string {
  const head = `${sanitizeLine(name)}: Kubernetes ${sanitizeLine(kubernetesVersion)}, ${count(policies.length, 'policy', 'policies')}, ${count(evaluated, 'object')} evaluated`;
  const sorted = policies.toSorted((one, other) => rank(one) - rank(other));
  return [head, '', ...sorted.flatMap(policyLines), ''].join('\n');
}

function rank({ matched, denied, warned, audited, undecided = 0 }: PolicySummary): number {
  if (matched === 0) return 0;
  return denied + warned + audited + undecided > 0 ? 1 : 2;
}

function policyLines(policy: PolicySummary): readonly string[] {
  const { kind, name, path, matched, bindings, facts } = policy;
  const indent = '    ';
  const bound = bindings === 0 ? 'no binding' : count(bindings, 'binding');
  const actions = facts === undefined || facts.actions.length === 0 ? '' : `: ${facts.actions.join(', ')}`;
  const isBound = kind.endsWith('AdmissionPolicy');
  const matches = facts?.matches.join('; ') ?? '';
  const what = [
    ...(matches === '' ? [] : [matches]),
    ...(isBound ? [`${bound}${actions}`] : []),
    ...(facts?.paramKind === undefined ? [] : [`params ${facts.paramKind}`]),
  ];
  const share = facts?.budgetShare;
  const outcome = [
    matched === 0 ? 'matched nothing' : `${count(matched, 'object')}${findings(policy)}`,
    ...(facts?.isRefused === true ? ['the API server rejects it'] : []),
    ...(share === undefined || share === 0 || matched === 0 ? [] : [`${percent(share)} of the cost budget`]),
    ...(facts === undefined
      ? []
      : [facts.since === undefined ? 'no Kubernetes release accepts it' : `from Kubernetes ${facts.since} on`]),
    ...(facts?.typeWarnings === undefined ? [] : [typeChecking(facts.typeWarnings.length)]),
  ];
  return [
    `${sanitizeLine(name)} (${kind}, ${sanitizeLine(path)})`,
    ...(what.length === 0 ? [] : [`${indent}${sanitizeLine(what.join(' · '))}`]),
    `${indent}${sanitizeLine(outcome.join(' · '))}`,
    ...(facts?.readAccess ?? []).map((sentence) => indent + sanitizeLine(sentence)),
    ...(facts?.typeWarnings ?? []).flatMap(({ fieldRef, warning }) => [
      `${indent}${sanitizeLine(fieldRef)}:`,
      ...warning
        .trimEnd()
        .split('\n')
        .map((line) => `${indent}  ${sanitizeLine(line)}`),
    ]),
  ];
}

function findings({ denied, warned, audited, undecided = 0, facts }: PolicySummary): string {
  if (facts?.isRefused === true) return ', none evaluated';
  const words = [
    ...(denied > 0 ? [`${denied} Deny`] : []),
    ...(warned > 0 ? [`${warned} Warn`] : []),
    ...(audited > 0 ? [`${audited} Audit`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
  ];
  return words.length === 0 ? ', all allowed' : `, findings: ${words.join(', ')}`;
}

/** Two significant digits: `0.0024 %`. */
function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

function typeChecking(warnings: number): string {
  return warnings === 0
    ? 'types are valid'
    : `type checking warns about ${count(warnings, 'expression')}, in \`status.typeChecking\`:`;
}
