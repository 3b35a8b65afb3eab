// Reports an unusable configuration or baseline, for commands whose output is not a report.
import { text } from '../../report/format/text/text.ts';
import type { CheckResult } from '../run/check-repository.ts';
import { EXIT } from '../run/exit-code.ts';
import type { Terminal } from './terminal.ts';

/** Returns the exit status. */
export function stoppedBy({ report }: CheckResult, { color, width, err }: Terminal): number {
  err(text.render(report, { color, width, showSkipped: false, quiet: true }));
  return EXIT.usage;
}
