// The seam between a Report and its many written forms.
import type { Report } from './report.ts';

/** How a report is shown; formats for programs take no notice of it. */
export interface ReporterOptions {
  /** ANSI colours; only ever true for a terminal. */
  readonly color: boolean;
  /** Width to wrap and cut at, in columns. */
  readonly width: number;
  /** List every document that was not evaluated. */
  readonly showSkipped: boolean;
  /** Findings and verdict only. */
  readonly quiet: boolean;
  /** How long the run took, for formats that have a place for it: a Report is the same on every machine. */
  readonly seconds?: number;
}

/** Pure: a Report in, text out; the same Report and options give the same text. */
export interface Reporter {
  readonly name: string;
  /** Default file name when `--output` names a folder. */
  readonly extension: string;
  render(report: Report, options: ReporterOptions): string;
}
