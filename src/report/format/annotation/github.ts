// Workflow commands: one annotation per finding and diagnostic, which the Actions runner reads from the log.
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { severityIn } from '../../gate/undecided.ts';
import type { Report } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';
import { actionsLabel, adviceOf, bySeverity, count, resourceLabel, verdictHeadline } from '../../wording/wording.ts';
import { type AnnotationCommand, encodeCommand } from './workflow-command.ts';

/** The runner shows at most this many annotations per level and step; the rest stay in the log. */
const SHOWN_PER_LEVEL = 10;

export const github: Reporter = reporterOf({
  name: 'github',
  extension: 'log',
  pieces: (report) => {
    const commands = bySeverity(commandsOf(report));
    const lines = [...commands.map(encodeCommand), ...hidden(commands), sanitizeLine(verdictHeadline(report))];
    return [`${lines.join('\n')}\n`];
  },
});

function commandsOf(report: Report): AnnotationCommand[] {
  return [
    ...openDiagnostics(report.diagnostics).map((diagnostic) => {
      const advice = adviceOf(diagnostic);
      return {
        severity: severityIn(diagnostic, report),
        title: diagnostic.code,
        message: [diagnostic.message, ...(advice === undefined ? [] : [`help: ${advice}`])].join('\n'),
        place: diagnostic.primary,
      };
    }),
    ...openFindings(report.findings).map((finding) => {
      const { policy, binding, actions, message, resource, primary } = finding;
      const bound = binding === undefined ? '' : ` with binding ${binding}`;
      return {
        severity: severityIn(finding, report),
        title: `${resourceLabel(resource)}: ${policy.name}`,
        message: `${message}\n${actionsLabel({ actions })} by ${policy.kind} ${policy.name}${bound}`,
        place: primary,
      };
    }),
  ];
}

function hidden(commands: readonly AnnotationCommand[]): string[] {
  return (['error', 'warning', 'notice'] as const).flatMap((severity) => {
    const number = commands.filter((command) => command.severity === severity).length;
    const all = count(number, `${severity} annotation`);
    return number > SHOWN_PER_LEVEL ? [`${all}: GitHub shows ${SHOWN_PER_LEVEL} of a step, all are in this log`] : [];
  });
}
