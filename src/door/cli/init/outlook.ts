// Says what `check` prints once the proposed files are in Git.
import { openDiagnostics, openFindings } from '../../../report/baseline/excuse.ts';
import { severityIn } from '../../../report/gate/undecided.ts';
import type { Place, Report } from '../../../report/report.ts';
import { count, verdictHeadline } from '../../../report/wording/wording.ts';
import { EXIT, exitCodeOf } from '../../run/exit-code.ts';

/** More errors are counted. */
const MAX_LISTED = 10;

/** One line each. `report`: of the repository with the proposed files. `adds`: whether there are any. */
export function outlook(report: Report, adds: boolean): readonly string[] {
  const status = exitCodeOf(report);
  const lead = adds ? 'With these files in Git, `preadmit check`' : '`preadmit check`';
  const lines = [`${lead} exits with ${status} and ends with this line:`, `  ${verdictHeadline(report)}`];
  if (status === EXIT.allowed) return lines;
  const errors = [...openDiagnostics(report.diagnostics), ...openFindings(report.findings)].filter(
    (entry) => severityIn(entry, report) === 'error',
  );
  if (errors.length === 0) return lines;
  const listed = errors.slice(0, MAX_LISTED).map(({ message, primary }) => `  ${placeWords(primary)}${message}`);
  const rest = errors.length - listed.length;
  return [
    ...lines,
    'The proposed baseline does not accept these errors, so fix them first:',
    ...listed,
    ...(rest > 0 ? [`  ${count(rest, 'more error')}`] : []),
  ];
}

function placeWords(place: Place | undefined): string {
  return place === undefined ? '' : `${place.path}:${place.startLine} `;
}
