// The seam between a Report and its many written forms.
import type { Report } from './report.ts';

export interface ReporterOptions {
  /** ANSI colours; only ever true for a terminal. */
  readonly color: boolean;
  /** Width to wrap and cut at, in columns. */
  readonly width: number;
  /** List every document that was not evaluated. */
  readonly showSkipped: boolean;
  /** Findings and verdict only. */
  readonly quiet: boolean;
}

/** Pure: a Report in, text out; the same Report gives the same text. */
export interface Reporter {
  readonly name: string;
  /** Default file name when `--output` names a folder. */
  readonly extension: string;
  render(report: Report, options: ReporterOptions): string;
}
