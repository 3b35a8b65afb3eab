// JUnit XML: a suite per policy and target, a case per resource with a finding. Every time is 0, so that equal reports give equal files.
import { acceptance } from '../../baseline/excuse.ts';
import { separated } from '../../builder/join-roots.ts';
import { failsUndecided, isUndecided, openPolicies } from '../../gate/undecided.ts';
import { isElsewhere } from '../../location/place.ts';
import type { Finding, PolicySummary, Report, ReportedDiagnostic, Severity } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';
import { adviceOf, count, resourceLabel, ruleName, targetsOf, verdictHeadline } from '../../wording/wording.ts';
import { type CaseSuite, junitXml, type TestCase } from './junit-xml.ts';

export const junit: Reporter = reporterOf({
  name: 'junit',
  extension: 'junit.xml',
  pieces: (report) => [junitXml([runSuite(report), ...policySuites(report)])],
});

/** Suite of the run itself: its verdict and diagnostics. */
function runSuite(report: Report): CaseSuite {
  const headline = verdictHeadline(report);
  const checked = report.verdict.conclusion !== 'nothing-checked';
  const diagnostics = report.diagnostics.filter((each) => each.excuse === undefined || isUndecided(each));
  const verdict: TestCase = {
    name: 'something was checked',
    classname: 'preadmit',
    output: headline,
    ...(checked ? {} : { outcome: { element: 'error', message: headline, text: headline } }),
  };
  return { name: 'preadmit', cases: [verdict, ...diagnostics.map((each) => diagnosticCase(each, report))] };
}

function diagnosticCase(diagnostic: ReportedDiagnostic, report: Report): TestCase {
  const { code, severity, message, primary } = diagnostic;
  const help = adviceOf(diagnostic);
  const where = primary !== undefined && isElsewhere(primary) ? [`at ${primary.path}:${primary.startLine}`] : [];
  const text = [message, ...where, ...(help === undefined ? [] : [`help: ${help}`])].join('\n');
  return {
    name: message,
    classname: code,
    ...(primary === undefined || isElsewhere(primary) ? {} : { file: primary.path, line: primary.startLine }),
    ...(isUndecided(diagnostic) ? undecidedOutcome(diagnostic, report, text) : outcomeOf(severity, message, text)),
  };
}

function outcomeOf(severity: Severity, message: string, text: string): Pick<TestCase, 'outcome' | 'output'> {
  return severity === 'error' ? { outcome: { element: 'error', message, text } } : { output: `${severity}: ${text}` };
}

/** A case without a judgement never reads as passed: an error where it fails the run, else skipped with the reason. */
function undecidedOutcome(
  entry: Finding | ReportedDiagnostic,
  { verdict }: Report,
  text: string,
): Pick<TestCase, 'outcome'> {
  const message = entry.excuse === undefined ? entry.message : acceptance(entry.excuse);
  return { outcome: { element: failsUndecided(entry, verdict) ? 'error' : 'skipped', message, text } };
}

function policySuites(report: Report): CaseSuite[] {
  const open = openPolicies(report);
  const suites = new Map<string, TestCase[]>();
  const suite = (target: string, policy: string): TestCase[] => {
    const cases = suites.get(`${target}/${policy}`) ?? [];
    suites.set(`${target}/${policy}`, cases);
    return cases;
  };
  for (const target of report.targets) {
    for (const policy of target.policies) suite(target.name, policy.name);
  }
  for (const finding of report.findings) {
    if (finding.excuse !== undefined && !isUndecided(finding)) continue;
    // The first object of each target; one case per object would repeat the same error.
    const first = new Map([...separated(finding)].reverse().map((each) => [each.target, each]));
    for (const target of targetsOf(finding)) {
      suite(target, finding.policy.name).push(findingCase(first.get(target) ?? finding, report));
    }
  }
  for (const target of report.targets) {
    for (const policy of target.policies) {
      const cases = suite(target.name, policy.name);
      if (cases.length === 0) cases.push(open.has(policy.name) ? openCase(policy) : passedCase(policy));
    }
  }
  return Array.from(suites, ([name, cases]) => ({ name, cases }));
}

/** Some readers treat an empty suite as broken, and a report does not list passed objects. */
function passedCase(policy: PolicySummary): TestCase {
  return { name: `nothing to report on ${count(policy.matched, 'matched request')}`, classname: policy.name };
}

/** The objects themselves are cases of the first suite. */
function openCase({ name }: PolicySummary): TestCase {
  const message = 'not evaluated for some objects, see the suite preadmit';
  return { name: message, classname: name, outcome: { element: 'skipped', message, text: message } };
}

function findingCase(finding: Finding, report: Report): TestCase {
  const place = `${finding.primary.path}:${finding.primary.startLine}:${finding.primary.startColumn}`;
  // The server's denial is one of the possible answers to an undecided request.
  const said = isUndecided(finding) ? finding.message : finding.serverMessage || finding.message;
  const text = `${place}\n${said}\n${finding.rule.field}: ${finding.rule.expression ?? ''}`;
  return {
    name: [
      resourceLabel(finding.resource),
      ruleName(finding),
      ...(finding.binding === undefined ? [] : [`binding ${finding.binding}`]),
      ...(finding.param === undefined ? [] : [`param ${resourceLabel(finding.param)}`]),
      ...(finding.fieldPath === '' ? [] : [`at ${finding.fieldPath}`]),
    ].join(' '),
    classname: finding.policy.name,
    file: finding.primary.path,
    line: finding.primary.startLine,
    ...(isUndecided(finding)
      ? undecidedOutcome(finding, report, text)
      : finding.severity === 'error'
        ? { outcome: { element: finding.result === 'error' ? 'error' : 'failure', message: finding.message, text } }
        : { output: `${finding.severity}: ${finding.message}\n${text}` }),
  };
}
